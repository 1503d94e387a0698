"""Layers with unconnected inputs, the broken edge that each of them was probably meant for, and whether the reader refuses a file in
which something is not read.
"""

from __future__ import annotations

from irlint.findings import Severity
from irlint.formats.openvino.reading.layers import IrEdge, edge_of
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import error_if
from irlint.formats.openvino.state import LayerAt, LayerIndex
from irlint.graph import NOWHERE, Node
from irlint.text.base import Path
from irlint.text.xml.document import XmlDocument

Dims = tuple[int, ...] | None


class UnfedInputs:
    """The layers with unconnected inputs; each broken edge accounts for one of them, so that it is reported once."""

    def __init__(self, section: IrSection, odd: set[int]) -> None:
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

    def victim(self, edge: IrEdge, any_: bool = True) -> int | None:
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

    def account_for_named(self, edge: IrEdge) -> None:
        """Record a faulty edge that still names the layer it leads to."""
        self.account_for(self._named(edge), edge.to_port)

    def account_for_guessed(self, edge: IrEdge) -> None:
        """Record a faulty edge that does not."""
        if self._named(edge) is None:
            self.account_for(self.victim(edge))

    def _named(self, edge: IrEdge) -> int | None:
        user = self.section.by_id.get(edge.to_layer)
        return user if user in self.inputs else None


def carries(section: IrSection, edge: IrEdge) -> Dims:
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


def is_needed(section: IrSection, edge: IrEdge, version: int) -> bool:
    """Return whether a reachable layer needs an edge that is not read."""
    _, user = section.ends(edge)
    place = None if user is None else section.layers[user].inputs.index.get(edge.to_port)
    if not section.edges or user is None or place is None:
        return True
    node = section.graph.nodes[user]
    missing = [k for k, source in enumerate(node.inputs) if source is NOWHERE]
    return bool(section.live[user]) and place in missing and not dispensable(node, missing, place, version)


def severity_of_misspelt(
    document: XmlDocument, layers: LayerIndex, meant: str, path: Path, version: int
) -> Severity | None:
    """Return the severity of an element with a misspelled tag, which the reader ignores; None if it then refuses the file."""
    if meant == "layers":
        return error_if(len(path) > 1)  # an empty model is read, an empty body is not
    if meant == "edge":
        held = layers.edges.get(path[:-1])
        return error_if(held is None or is_needed(held, edge_of(document.element(path)), version))
    if meant == "layer":
        section = layers.sections.get(path[:-1])
        return error_if(section is None or section.lacking)
    at = layers.find(path)
    return error_if(at is None or _needs_part(at, meant))


def _needs_part(at: LayerAt, meant: str) -> bool:
    """Return whether the reader refuses a layer without a part."""
    if meant == "data":
        operator = operator_of(at.node.op, at.node.version)
        attributes = operator.attributes.values() if operator is not None else ()
        return at.node.kind != "call" or operator is None or any("absent" in one.facts for one in attributes)
    if meant not in ("input", "output", "port"):
        return True
    ends = (at.section.edges[edge] for edge, _ in at.section.dangling)
    return any(at.layer.id in (edge.from_layer, edge.to_layer) for edge in ends)
