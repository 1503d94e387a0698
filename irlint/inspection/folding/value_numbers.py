"""Numbers of the values of two versions of a graph: those with one number are computed in the same way from the same values."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol

from irlint.dryrun.infer import order_of
from irlint.formats.base import by_name
from irlint.graph import Graph, Node, Source
from irlint.inspection.review.defaults import is_default
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.text.floats import spelled


class NumberedGraph(Protocol):
    """What is known of one version."""

    model: Model
    graph: Graph

    def origin(self, source: Source) -> Source:
        """Return where a value comes from, before nodes that do not change it."""
        ...

    def sources(self, node: Node, is_layer: bool) -> Sequence[Source]:
        """Return where what a node reads comes from; `is_layer`: without its weights."""
        ...

    def product(self, node: Node) -> Hashable:
        """Return what a layer with known weights does with its data, whatever its operator is; None if only its operator tells."""
        ...

    def row_width(self, node: Node) -> int | None:
        """Return how long the rows are that a layer multiplies with a matrix, each by itself; None of other nodes."""
        ...

    def is_reshaping(self, node: Node) -> bool:
        """Return whether a node only gives its data another shape."""
        ...

    def known_type(self, source: Source) -> Hashable:
        """Return the type of a value; None if a part of it is not known."""
        ...

    def value(self, source: Source) -> Hashable:
        """Return the numbers of a constant, or what stands for them; None if they are not known."""
        ...


def value_numbers(
    version: NumberedGraph, same: Mapping[int, Hashable], layers: Mapping[int, Hashable], known: dict[Hashable, int]
) -> dict[int, int]:
    """Return the numbers of the nodes of one version. `same`: inputs and constants that both versions have, `layers`: layers with the same
    weights, each by what they are called in both; `known`: all numbers, of both."""
    numbers = _Numbers(version, same, layers, known)
    for index in order_of(version.graph):
        numbers.add(version.graph.nodes[index])
    return numbers.found


class _Numbers:
    """The numbers of the nodes of one version, as they are found."""

    def __init__(
        self,
        version: NumberedGraph,
        same: Mapping[int, Hashable],
        layers: Mapping[int, Hashable],
        known: dict[Hashable, int],
    ) -> None:
        self.version, self.same, self.layers, self.known = version, same, layers, known
        self.found: dict[int, int] = {}
        format_ = by_name(version.model.format)
        self._navigation = None if format_ is None else format_.navigation()
        self._whole: dict[Hashable, Hashable] = {}  # of values that were given a shape: what was, whatever its shape

    def add(self, node: Node) -> None:
        origin = self.version.origin(Source(node.index))
        if origin[0] in self.found and not origin[1]:  # a node that hands on what it reads, or is a part of a layer
            self.found[node.index] = self.found[origin[0]]
            return
        is_known = self.version.value(Source(node.index)) is not None
        whole = None if is_known else self._given_a_shape(node)
        if whole is None:
            self.found[node.index] = self._number(self._key(node))
            return
        number = self.found[node.index] = self._number(("shape", whole, self.version.known_type(Source(node.index))))
        self._whole[number, 0] = whole

    def _number(self, key: Hashable) -> int:
        return self.known.setdefault(key, len(self.known))

    def _of(self, source: Source) -> Hashable:
        value = self.version.value(source) if source[0] >= 0 else None
        return (self.found.get(source[0], -1), source[1]) if value is None else value

    def _key(self, node: Node) -> Hashable:
        if node.kind != "call" and node.index in self.same:
            return "same", self.same[node.index]
        if (value := self.version.value(Source(node.index))) is not None:
            return "value", value
        if node.kind != "call" or node.graphs:
            return "own", id(self.version), node.index
        row = self._navigation.operator(self.version.model, node) if self._navigation is not None else None
        is_layer = node.index in self.layers
        inputs = tuple(map(self._of, self.version.sources(node, is_layer)))
        product = self.version.product(node) if is_layer else None
        return self.layers.get(node.index, ""), product or _operator(node, row), inputs

    def _given_a_shape(self, node: Node) -> Hashable:
        """Return what a node gives a shape, if the shape is all that it adds: the values that it reads, or their products with a matrix,
        row by row; None for other nodes, and where the shape is not known."""
        if node.kind != "call" or not node.inputs or self.version.known_type(Source(node.index)) is None:
            return None
        if self.version.is_reshaping(node):
            return self._in_a_row(self.version.origin(Source(*node.inputs[0])))
        if node.index in self.layers and (width := self.version.row_width(node)) is not None:
            data = self._in_a_row(self.version.sources(node, True)[0])
            return None if data is None else ("rows", self.layers[node.index], data, width)
        return None

    def _in_a_row(self, source: Source) -> Hashable:
        """Return a value, whatever its shape; None if nothing is known of it."""
        value = self._of(source)
        if source[0] >= 0 and value not in self._whole:
            type_ = self.version.known_type(source)
            self._whole[value] = value if type_ is None else ("plain", value)
            if type_ is not None and not source[1] and source[0] in self.found:
                self.known.setdefault(("shape", ("plain", value), type_), self.found[source[0]])
        return self._whole.get(value)


def _operator(node: Node, row: Operator | None) -> Hashable:
    return node.op if row is None else row.name, node.version, _attributes(node, row)


def _attributes(node: Node, row: Operator | None) -> Hashable:
    """Return the attributes of a node without those that have their defaults."""
    written = ((key, value) for key, value in node.attrs.items() if not is_default(row, key, value))
    return tuple(sorted((key, spelled(value)) for key, value in written))
