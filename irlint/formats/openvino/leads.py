"""Other possible causes of a shape error: other edges into the layer, constants that determine it, shared bytes."""

from __future__ import annotations

from irlint.formats.openvino.blame import Blame, Culprit, agrees
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Node
from irlint.text.base import Place

_MOST = 4  # places of one kind

Related = list[tuple[str, Place]]


def leads(blame: Blame, culprit: Culprit) -> Related:
    if culprit.edge:
        return _edges_otherwise(blame, culprit)
    return _constants(culprit.section, culprit.section.graph.nodes[culprit.node])


def _edges_otherwise(blame: Blame, culprit: Culprit) -> Related:
    """Return other edges whose type does not match the input of the layer: inputs may have been swapped."""
    section = culprit.section
    layer, found = section.layers[culprit.node], []
    for place, (maker, output) in enumerate(section.graph.nodes[culprit.node].inputs):
        real = blame.real(section, maker, output) if maker >= 0 else None
        if real is None or agrees(layer.inputs.values[place].type, real):
            continue
        edge = section.edge_into.get((layer.id, layer.inputs.ports[place].id))
        if edge is not None and section.edge_path(edge) != culprit.place.path:
            found.append(("this edge does not match either", Place(section.edge_path(edge), "tag")))
    return found[:_MOST]


def _constants(section: Section, node: Node) -> Related:
    """Return the integer constants that a layer uses, which determine its outputs."""
    makers = (section.graph.nodes[maker] for maker, _ in node.inputs if maker >= 0)
    found = [m for m in makers if m.kind == "const" and m.attrs.get("element_type", "")[:1] in ("i", "u")]
    return [("depends on this constant", section.graph.place(constant, "attrs")) for constant in found[:_MOST]]


def edge_at(section: Section, index: int, at: Place) -> Related:
    """Return the edge into the input at a place."""
    layer, node = section.layers[index], section.graph.nodes[index]
    for place, port in enumerate(layer.inputs.ports):
        edge = section.edge_into.get((layer.id, port.id))
        if edge is not None and section.graph.place(node, f"input:{place}").path == at.path[: len(node.path) + 2]:
            return [("connected by this edge", Place(section.edge_path(edge), "tag"))]
    return []


def counted(section: Section, index: int) -> Related:
    """Return other possible causes of a wrong number of ports: the opset, or a duplicate port."""
    graph, outputs = section.graph, section.layers[index].outputs
    twice = [k for k, port in enumerate(outputs.ports) if outputs.index.get(port.id or "", k) != k]
    related = [("by its opset", graph.place(index, "version"))]
    if twice:
        first = outputs.index[outputs.ports[twice[0]].id or ""]
        related.append(("also declared here", graph.place(index, f"output:{first}")))
    return related


class SharedConstants:
    """The constants by the bytes they are read from."""

    def __init__(self) -> None:
        self._known: dict[int, dict[object, list[int]]] = {}

    def others(self, section: Section, constant: Node) -> Related:
        graph = section.graph
        if (offsets := self._known.get(id(section))) is None:
            offsets = self._known[id(section)] = {}
            for node in graph.nodes:
                if node.kind == "const":
                    offsets.setdefault(node.attrs.get("offset"), []).append(node.index)
        found = [k for k in offsets.get(constant.attrs.get("offset"), ())[: _MOST + 1] if k != constant.index]
        return [("also used by this constant", graph.place(k, "attrs")) for k in found[:_MOST]]
