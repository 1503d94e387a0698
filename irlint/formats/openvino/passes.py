"""The order in which a file is looked at, and the last word on how hard a problem is."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino import legacy, net
from irlint.formats.openvino.binfile import BinFile
from irlint.formats.openvino.bodies import body_problems
from irlint.formats.openvino.connections import connection_problems
from irlint.formats.openvino.names import name_problems
from irlint.formats.openvino.operations import operation_problems
from irlint.formats.openvino.reader import Section
from irlint.formats.openvino.reader import read as read_sections
from irlint.formats.openvino.runtime_info import runtime_problems
from irlint.formats.openvino.settle import Layers
from irlint.formats.openvino.structure import structure
from irlint.formats.openvino.unread import unread
from irlint.formats.openvino.variables import variable_problems
from irlint.formats.openvino.weights import weight_problems
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.xml import XmlDocument


def read(model: Model) -> Iterator[Problem]:
    document = model.document
    assert isinstance(document, XmlDocument)
    root = document.root
    if root is None:
        return
    if legacy.is_legacy(root):
        model.dialect = "ir7"
        yield from legacy.problems(model, document)
        return
    yield from net.root_problems(root)
    version = 10 if model.dialect == "ir10" else 11
    sections = read_sections(document)
    model.graph = sections[0].graph
    model.extra["sections"] = sections
    model.settled.add("G004")
    odd: dict[int, set[int]] = {id(section): set() for section in sections}
    layers = Layers(sections)
    for problem in structure(document, f"openvino-ir-{version}.xsd", lambda meant, path: unread(layers, meant, path)):
        _mark(problem, layers, odd, model)
        yield problem
    model.extra["odd"] = odd


def _mark(problem: Problem, layers: Layers, odd: dict[int, set[int]], model: Model) -> None:
    """The layer that a problem of structure lies in is not judged further: what follows from it is no finding of its own."""
    if not isinstance(problem.at, Place) or problem.severity == Severity.WARNING:
        return
    if (found := layers.find(problem.at.path)) is not None:
        section, index = found
        odd[id(section)].add(index)
        model.silent.add(id(section.graph.nodes[index]))


def checks(model: Model) -> Iterator[Problem]:
    sections: list[Section] | None = model.extra.get("sections")
    if sections is None:
        return
    document = model.document
    assert isinstance(document, XmlDocument)
    broken = document.broken
    version = 10 if model.dialect == "ir10" else 11
    for section in sections:
        odd = model.extra["odd"][id(section)]
        yield from net.section_problems(section, broken)
        yield from connection_problems(section, version, broken, odd)
        model.silent |= {id(section.graph.nodes[first]) for first, _ in section.double}  # replaced by the second
        yield from operation_problems(section, version, dict(model.options), odd)
        yield from name_problems(section, version)
        yield from net.reach_problems(section, broken)
    binary = BinFile(model.path, model.weights) if model.path is not None else None
    yield from body_problems(sections, binary)
    yield from variable_problems(sections)
    yield from runtime_problems(document, sections, version)
    yield from net.target_problems(sections, version, model.targets)
    model.extra["weights"] = binary
    yield from weight_problems(sections, binary)
