"""Where a missing element, layer, port or edge is expected in the text; findings about what is missing point there."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from irlint.formats.openvino.reading.locate import LayerLocator
from irlint.formats.openvino.reading.reader import Section
from irlint.text.base import Place, Span
from irlint.text.xml.tree import Element

# Children in the order in which writers write them
_ORDER = (
    "layers", "edges", "data", "input", "output", "blobs", "port_map", "back_edges", "body", "then_port_map", "else_port_map",
    "then_body", "else_body", "rt_info",
)  # fmt: skip

Related = tuple[str, "Place | Span"]


def element_gap(parent: Element, tag: str) -> Related:
    """Return where a child is expected: after the last of those that writers write before it."""
    before = [c for c in parent.elements() if c.tag in _ORDER and _ORDER.index(c.tag) < _ORDER.index(tag)]
    last = before[-1] if before else None
    span = Span(parent.start, parent.tag_end) if last is None else Span(last.close, last.end)
    return f"expected `<{tag}>` after this", span


class MissingParts:
    """The places where missing parts of one section are expected, as far as its layers and edges are in order."""

    def __init__(self, section: Section) -> None:
        self.section = section

    def layer(self, number: str) -> list[Related]:
        """Return where a layer of that id is expected."""
        if self._numbers is None or not _is_whole(number):
            return []
        at = bisect(self._numbers, int(number))
        if int(number) > self._numbers[-1] + 1:
            return []  # more likely that the edge is wrong
        if at == len(self._numbers):
            element = self.section.layers_element
            return (
                [] if element is None else [(f"expected layer {number} before this", Span(element.close, element.end))]
            )
        return [(f"expected layer {number} before this", self.section.graph.place(at, "node"))]

    def port(self, index: int, side: str, number: str) -> list[Related]:
        """Return where a port of a layer is expected: before the next one, or at the start or end of its side."""
        layer, graph = self.section.layers[index], self.section.graph
        ports = (layer.inputs if side == "input" else layer.outputs).ports
        later = [k for k, port in enumerate(ports) if port.id and _is_whole(number) and int(port.id) > int(number)]
        if later:
            return [(f"expected port {number} before this", graph.place(index, f"{side}:{later[0]}"))]
        assert isinstance(graph.locate, LayerLocator)
        element = layer.element or graph.locate.document.element(graph.nodes[index].path)
        holder = element.child(side)
        if holder is None:
            return [element_gap(element, side)]
        if holder.close == holder.end:
            return []
        return [(f"expected port {number} before this", Span(holder.close, holder.end))]

    def edge(self, user: int, place: int) -> list[Related]:
        """Return where the edge into an input is expected.

        Writers sort edges by the layers at their start or by those at their end.
        """
        section = self.section
        if self._givers is not None:
            maker = self._giver(user, place)
            at = None if maker is None else bisect(self._givers, maker)
        else:
            at = None if self._takers is None else bisect(self._takers, int(section.layers[user].id or 0))
        if at is None:
            return []
        where = "before" if at < len(section.edges) else "after"
        path = section.edge_path(min(at, len(section.edges) - 1))
        return [(f"expected an edge {where} this one", Place(path, "tag"))]

    @cached_property
    def _numbers(self) -> list[int] | None:
        return _rising([layer.id for layer in self.section.layers])

    @cached_property
    def _givers(self) -> list[int] | None:
        return _rising([edge.from_layer for edge in self.section.edges])

    @cached_property
    def _takers(self) -> list[int] | None:
        return _rising([edge.to_layer for edge in self.section.edges])

    @cached_property
    def _idle(self) -> dict[Any, list[int]]:
        """Return layers by the dimensions of their unused outputs."""
        found: dict[Any, list[int]] = {}
        read = self.section.read_outputs
        for index, layer in enumerate(self.section.layers):
            for k, port in enumerate(layer.outputs.ports):
                if (index, k) not in read:
                    found.setdefault(port.dims, []).append(index)
        return found

    def _giver(self, user: int, place: int) -> int | None:
        """Return the id of the only layer with an unused output that declares the dimensions of this input."""
        layers = self.section.layers
        found = self._idle.get(layers[user].inputs.ports[place].dims, ())
        maker = layers[found[0]].id if len(found) == 1 and found[0] != user else None
        return int(maker) if maker and _is_whole(maker) else None


def _rising(words: Sequence[str | None]) -> list[int] | None:
    """Return ids as numbers if all of them are numbers in ascending order."""
    if not words or not all(word and _is_whole(word) for word in words):
        return None
    numbers = [int(word) for word in words if word]
    return numbers if all(a <= b for a, b in pairwise(numbers)) else None


def _is_whole(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 19
