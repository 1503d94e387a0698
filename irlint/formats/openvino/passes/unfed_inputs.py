"""Layers with unconnected inputs, and the broken edge that each of them was probably meant for."""

from __future__ import annotations

from irlint.formats.openvino.reading.layers import Edge
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Node
from irlint.text.base import Document, Place, Span

Dims = tuple[int, ...] | None


class UnfedInputs:
    """The layers with unconnected inputs; each broken edge accounts for one of them, so that it is reported once."""

    def __init__(self, section: Section, odd: set[int]) -> None:
        self.section = section
        self.inputs: dict[int, list[int]] = {}
        self.left: dict[int, list[int]] = {}  # those of them that no finding accounts for
        self.accounted: set[int] = set()  # layers of which some are accounted for
        self._live: list[int] = []
        self._by_dims: dict[Dims, list[int]] = {}
        anything = any(section.live)  # else the reader gets to nothing, and all layers are alike
        for node in map(section.graph.nodes.__getitem__, section.unfed):
            if node.index in odd:
                continue
            places = section.unfed_places(node.index)
            self.inputs[node.index] = places
            self.left[node.index] = list(places)
            if section.live[node.index] or not anything:
                self._live.append(node.index)
                for k in places:
                    self._by_dims.setdefault(section.layers[node.index].inputs.ports[k].dims, []).append(node.index)

    def victim(self, edge: Edge, any_: bool = True) -> int | None:
        """Return the layer that an edge was meant for: one that declares the type of its source, else perhaps any."""
        dims = carries(self.section, edge)
        found = None if dims is None else self._first(self._by_dims.get(dims, []))
        return self._first(self._live) if found is None and any_ else found

    def _first(self, nodes: list[int]) -> int | None:
        while nodes and not self.left[nodes[0]]:
            nodes.pop(0)
        return nodes[0] if nodes else None

    def account_for(self, index: int | None, port: str | None = None) -> None:
        """Record that a finding explains an unconnected input of a layer: the one at a port, else any."""
        if index is None:
            return
        self.accounted.add(index)
        if left := self.left.get(index):
            place = self.section.layers[index].inputs.index.get(port or "")
            left.remove(place if place in left else left[0])

    def known(self, edge: Edge) -> None:
        """Record a faulty edge that still names the layer it leads to."""
        self.account_for(self._named(edge), edge.to_port)

    def guessed(self, edge: Edge) -> None:
        """Record a faulty edge that does not."""
        if self._named(edge) is None:
            self.account_for(self.victim(edge))

    def _named(self, edge: Edge) -> int | None:
        user = self.section.by_id.get(edge.to_layer or "")
        return user if user in self.inputs else None


def carries(section: Section, edge: Edge) -> Dims:
    """Return the dimensions that an edge's source declares."""
    maker = section.by_id.get(edge.from_layer or "")
    if maker is None:
        return None
    outputs = section.layers[maker].outputs
    output = outputs.index.get(edge.from_port or "")
    return None if output is None else outputs.ports[output].dims


def dispensable(node: Node, places: list[int], place: int, version: int) -> bool:
    """Return whether the reader accepts a file in which one of these inputs is unconnected."""
    last = len(node.inputs) - len(places)
    operator = operator_of(node.op, node.version or "")
    if operator is None or place < last or not (version == 10 or operator.facts.get("fills")):
        return False
    return last >= sum(p.kind in ("required", "variadic") for p in operator.inputs)


def removal(document: Document, place: Place) -> Span:
    """Return the span of an element with the whitespace before it, so that no empty line is left."""
    start, end = document.span(Place(place.path, "element"))
    while start > 0 and document.text[start - 1] in " \t\r\n":
        start -= 1
    return Span(start, end)
