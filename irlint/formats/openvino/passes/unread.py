"""The severity of a misspelled tag: the reader ignores its element, and often accepts the file."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.formats.openvino.passes.unfed_inputs import dispensable
from irlint.formats.openvino.reading.layer_index import LayerIndex
from irlint.formats.openvino.reading.layers import Edge, edge_of
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import NOWHERE
from irlint.text.base import Path
from irlint.text.xml.document import XmlDocument


def unread(document: XmlDocument, layers: LayerIndex, meant: str, path: Path, version: int) -> Severity | None:
    """Return the severity; None if the file is refused."""
    needed = True
    if meant == "layers":
        needed = len(path) > 1  # an empty model is read, an empty body is not
    elif meant == "edge":
        held = layers.edges.get(path[:-1])
        needed = held is None or _feeds(held, edge_of(document.element(path)), version)
    elif meant == "layer":
        section = layers.sections.get(path[:-1])
        needed = section is None or section.lacking
    elif (found := layers.find(path)) is not None:
        section, index = found
        layer, node = section.layers[index], section.graph.nodes[index]
        if meant == "data":
            operator = operator_of(node.op, node.version or "")
            needed = (
                node.kind != "call"
                or operator is None
                or any("absent" in attribute.facts for attribute in operator.attributes.values())
            )
        elif meant in ("input", "output", "port"):
            ends = (section.edges[edge] for edge, _ in section.dangling)
            needed = any(layer.id in (edge.from_layer, edge.to_layer) for edge in ends)
    return None if needed else Severity.WARNING


def _feeds(section: Section, edge: Edge, version: int) -> bool:
    """Return whether a reachable layer needs an edge."""
    if not section.edges:
        return True
    user = section.by_id.get(edge.to_layer or "")
    place = None if user is None else section.layers[user].inputs.index.get(edge.to_port or "")
    if user is None or place is None:
        return True
    node = section.graph.nodes[user]
    missing = [k for k, source in enumerate(node.inputs) if source is NOWHERE]
    return bool(section.live[user]) and place in missing and not dispensable(node, missing, place, version)
