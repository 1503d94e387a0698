"""Execution graphs: what a compiled model runs, saved as XML, which no reader takes."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.reader import read as read_sections
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.xml.document import XmlDocument


def problems(model: Model, document: XmlDocument) -> Iterator[Problem]:
    """Report what the file is, once; its layers are not those of a model."""
    model.graph = read_sections(document)[0].graph
    model.settled.update((R.self_reference, R.cycle, R.empty_name))
    message = "the file is an execution graph of a compiled model, without opsets and weights; OpenVINO refuses it"
    yield Problem(R.execution_graph, Place((), "tag"), message)
