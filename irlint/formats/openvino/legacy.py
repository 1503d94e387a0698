"""IR versions 1 to 7, of the time before opsets: which releases read them, and their structure."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.named import rules
from irlint.formats.openvino.net import port_problems
from irlint.formats.openvino.reader import read as read_sections
from irlint.formats.openvino.structure import structure
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.numbers import integer
from irlint.text.xml import XmlDocument
from irlint.text.xml_tree import Element


def is_legacy(root: Element) -> bool:
    """Versions 1 to 9 by number; without a number by what only those have."""
    version = root.get("version")
    if version is not None and version.strip().isdecimal():
        return 1 <= integer(version) <= 9 and not _has_opsets(root)
    return False


def _has_opsets(root: Element) -> bool:
    layers = root.child("layers")
    if layers is None:
        return False
    for child in layers.children[:50]:
        version = child.get("version") if isinstance(child, Element) else child[4]
        if version is not None and str(version).startswith("opset"):
            return True
    return False


def problems(model: Model, document: XmlDocument) -> Iterator[Problem]:
    """The age is the one error; what else is odd matters to those who still run such a release."""
    assert document.root is not None
    yield _age(document.root)
    sections = read_sections(document)
    model.graph = sections[0].graph
    model.settled.update(("R003", "R004", "G004"))
    from irlint.formats.openvino.connections import connection_problems

    for problem in structure(document, "openvino-ir-legacy.xsd"):
        yield replace(problem, severity=Severity.WARNING)
    for section in sections:
        for problem in (*port_problems(section), *connection_problems(section, 7, document.broken, set())):
            yield replace(problem, severity=Severity.WARNING)


def _age(root: Element) -> Problem:
    number = (root.get("version") or "").strip()
    message = (
        f"IR version {number} is of the time before 2020: Inference Engine releases up to 2019 R3 were made for it,"
        " and current releases read only versions 10 and 11; convert the original model anew"
    )
    return Problem(rules.LegacyIr, Place((), "@version"), message)
