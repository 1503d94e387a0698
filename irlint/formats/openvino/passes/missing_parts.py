"""Where a missing element, layer, port or edge is expected in the text; findings about what is missing point there."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from irlint.formats.openvino.reading.locate import LayerLocator
from irlint.formats.openvino.reading.reader import IrSection
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
    before = [child for child in parent.elements() if child.tag in _ORDER[: _ORDER.index(tag)]]
    span = Span(before[-1].close, before[-1].end) if before else Span(parent.start, parent.tag_end)
    return f"expected `<{tag}>` after this", span


class MissingParts:
    """The places where missing parts of one section are expected, as far as its layers and edges are in order."""

    def __init__(self, section: IrSection) -> None:
        self.section = section

    def layer(self, number: str) -> list[Related]:
        """Return where a layer of that id is expected."""
        numbers, element = self._numbers, self.section.layers_element
        if numbers is None or element is None or not _is_number(number):
            return []
        if int(number) > numbers[-1] + 1:
            return []  # more likely that the edge is wrong
        at = bisect(numbers, int(number))
        is_last = at == len(numbers)
        place = Span(element.close, element.end) if is_last else self.section.graph.place(at, "node")
        return [(f"expected layer {number} before this", place)]

    def port(self, index: int, side: str, number: str) -> list[Related]:
        """Return where a port of a layer is expected: before the next one, or at the start or end of its side."""
        layer, graph = self.section.layers[index], self.section.graph
        numbers = [int(port.id or -1) for port in layer.side(side).ports]
        later = [k for k, other in enumerate(numbers) if _is_number(number) and other > int(number)]
        if later:
            return [(f"expected port {number} before this", graph.place(index, f"{side}:{later[0]}"))]
        assert isinstance(graph.locate, LayerLocator)
        element = layer.element or graph.locate.document.element(graph.nodes[index].path)
        holder = element.child(side)
        if holder is None:
            return [element_gap(element, side)]
        has_end = holder.close < holder.end
        return [(f"expected port {number} before this", Span(holder.close, holder.end))] if has_end else []

    def edge(self, user: int, place: int) -> list[Related]:
        """Return where the edge into an input is expected.

        Writers sort edges by the layers at their start or by those at their end.
        """
        section = self.section
        numbers = self._from_layers
        own = (section.layers[user].id or "0") if numbers is None else self._source(user, place)
        numbers = self._to_layers if numbers is None else numbers
        if numbers is None or own is None or not _is_number(own):
            return []
        at = bisect(numbers, int(own))
        where = "before" if at < len(section.edges) else "after"
        return [(f"expected an edge {where} this one", section.edge_place(min(at, len(section.edges) - 1)))]

    @cached_property
    def _numbers(self) -> list[int] | None:
        return _rising([layer.id for layer in self.section.layers])

    @cached_property
    def _from_layers(self) -> list[int] | None:
        return _rising([edge.from_layer for edge in self.section.edges])

    @cached_property
    def _to_layers(self) -> list[int] | None:
        return _rising([edge.to_layer for edge in self.section.edges])

    @cached_property
    def _unused(self) -> dict[Any, list[int]]:
        """Return layers by the dimensions of their unused outputs."""
        found: dict[Any, list[int]] = {}
        for index, layer in enumerate(self.section.layers):
            for k, port in enumerate(layer.outputs.ports):
                if (index, k) not in self.section.read_outputs:
                    found.setdefault(port.dims, []).append(index)
        return found

    def _source(self, user: int, place: int) -> str | None:
        """Return the id of the only layer with an unused output that declares the dimensions of this input."""
        layers = self.section.layers
        found = self._unused.get(layers[user].inputs.ports[place].dims, ())
        return layers[found[0]].id if len(found) == 1 and found[0] != user else None


def _rising(words: Sequence[str | None]) -> list[int] | None:
    """Return ids as numbers if all of them are numbers in ascending order."""
    numbers = [int(word) for word in words if word and _is_number(word)]
    is_whole = 0 < len(words) == len(numbers)
    return numbers if is_whole and all(a <= b for a, b in pairwise(numbers)) else None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 19
