"""Layers with unconnected inputs, and the broken edge that each of them was probably meant for."""

from __future__ import annotations

from irlint.formats.openvino.reading.layers import Edge
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import NOWHERE, Node

Dims = tuple[int, ...] | None


class UnfedInputs:
    """The layers with unconnected inputs; each broken edge accounts for one of them, so that it is reported once."""

    def __init__(self, section: Section, odd: set[int]) -> None:
        self.section = section
        self.inputs = {index: section.unfed_places(index) for index in section.unfed if index not in odd}
        self.left = {index: list(places) for index, places in self.inputs.items()}  # that no finding accounts for
        self.accounted: set[int] = set()  # layers of which some are accounted for
        anything = any(section.live)  # else the reader gets to nothing, and all layers are alike
        self._live = [index for index in self.inputs if section.live[index] or not anything]
        self._by_dims: dict[Dims, list[int]] = {}
        for index in self._live:
            for k in self.inputs[index]:
                self._by_dims.setdefault(section.layers[index].inputs.ports[k].dims, []).append(index)

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
            place = self.section.layers[index].inputs.index.get(port)
            left.remove(place if place in left else left[0])

    def account_for_named(self, edge: Edge) -> None:
        """Record a faulty edge that still names the layer it leads to."""
        self.account_for(self._named(edge), edge.to_port)

    def account_for_guessed(self, edge: Edge) -> None:
        """Record a faulty edge that does not."""
        if self._named(edge) is None:
            self.account_for(self.victim(edge))

    def _named(self, edge: Edge) -> int | None:
        user = self.section.by_id.get(edge.to_layer)
        return user if user in self.inputs else None


def carries(section: Section, edge: Edge) -> Dims:
    """Return the dimensions that an edge's source declares."""
    maker, _ = section.ends(edge)
    outputs = None if maker is None else section.layers[maker].outputs
    output = None if outputs is None else outputs.index.get(edge.from_port)
    return None if outputs is None or output is None else outputs.ports[output].dims


def dispensable(node: Node, places: list[int], place: int, version: int) -> bool:
    """Return whether the reader accepts a file in which one of these inputs is unconnected."""
    last = len(node.inputs) - len(places)
    operator = operator_of(node.op, node.version)
    if operator is None or place < last or not (version == 10 or operator.facts.get("fills")):
        return False
    return last >= sum(port.kind in ("required", "variadic") for port in operator.inputs)


def is_needed(section: Section, edge: Edge, version: int) -> bool:
    """Return whether a reachable layer needs an edge that is not read."""
    _, user = section.ends(edge)
    place = None if user is None else section.layers[user].inputs.index.get(edge.to_port)
    if not section.edges or user is None or place is None:
        return True
    node = section.graph.nodes[user]
    missing = [k for k, source in enumerate(node.inputs) if source is NOWHERE]
    return bool(section.live[user]) and place in missing and not dispensable(node, missing, place, version)
