"""The severity of a misspelled tag: the reader ignores its element, and often accepts the file."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.formats.openvino.codes import error_if
from irlint.formats.openvino.passes.unfed_inputs import is_needed
from irlint.formats.openvino.reading.layers import edge_of
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.state import LayerAt, LayerIndex
from irlint.text.base import Path
from irlint.text.xml.document import XmlDocument


def severity_of(document: XmlDocument, layers: LayerIndex, meant: str, path: Path, version: int) -> Severity | None:
    """Return the severity of an element in the place of what was meant; None if the file is refused."""
    if meant == "layers":
        return error_if(len(path) > 1)  # an empty model is read, an empty body is not
    if meant == "edge":
        held = layers.edges.get(path[:-1])
        return error_if(held is None or is_needed(held, edge_of(document.element(path)), version))
    if meant == "layer":
        section = layers.sections.get(path[:-1])
        return error_if(section is None or section.lacking)
    at = layers.find(path)
    return error_if(at is None or _needs(at, meant))


def _needs(at: LayerAt, meant: str) -> bool:
    """Return whether the reader refuses a layer without a part."""
    if meant == "data":
        operator = operator_of(at.node.op, at.node.version)
        attributes = operator.attributes.values() if operator is not None else ()
        return at.node.kind != "call" or operator is None or any("absent" in one.facts for one in attributes)
    if meant not in ("input", "output", "port"):
        return True
    ends = (at.section.edges[edge] for edge, _ in at.section.dangling)
    return any(at.layer.id in (edge.from_layer, edge.to_layer) for edge in ends)
