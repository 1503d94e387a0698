"""Numbers of the values of two versions of a graph: those with one number are computed in the same way from the same values."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol

from irlint.dryrun.infer import order_of
from irlint.formats.base import by_name
from irlint.graph import Graph, Node, Source
from irlint.inspection.review.computation import Computation
from irlint.inspection.review.defaults import is_default
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.text.floats import spelled


class NumberedGraph(Protocol):
    """What is known of one version."""

    model: Model
    graph: Graph

    def sources(self, node: Node, is_layer: bool) -> Sequence[Source]:
        """Return where what a node reads comes from; `is_layer`: without its weights."""
        ...

    def computation(self, node: Node) -> Computation | None:
        """Return what a call computes, if that is known whatever its file calls it."""
        ...

    def value(self, source: Source) -> Hashable:
        """Return the numbers of a constant, or what stands for them; None if they are not known."""
        ...


def value_numbers(
    version: NumberedGraph,
    same: Mapping[int, Hashable],
    layers: Mapping[int, Hashable],
    known: dict[Hashable, int],
    read_as: Mapping[int, Hashable] = {},
) -> dict[int, int]:
    """Return the numbers of the nodes of one version. `same`: inputs and constants that both versions have, `layers`: layers with the same
    weights, each by what they are called in both; `known`: all numbers, of both. `read_as`: nodes whose values are one in both versions for
    what reads them, whatever they are computed from."""
    format_ = by_name(version.model.format)
    navigation = None if format_ is None else format_.navigation()
    found: dict[int, int] = {}

    def of(source: Source) -> Hashable:
        value = version.value(source) if source[0] >= 0 else None
        maker = read_as.get(source[0], found.get(source[0], -1))
        own = ("own", id(version), *source) if source[1] < 0 else (maker, source[1])
        return own if value is None else value

    for index in order_of(version.graph):
        node = version.graph.nodes[index]
        row = navigation.operator(version.model, node) if navigation is not None and node.kind == "call" else None
        key: Hashable = "own", id(version), index
        if node.kind != "call" and index in same:
            key = "same", same[index]
        elif node.kind == "call" and not node.graphs:
            inputs = tuple(map(of, version.sources(node, index in layers)))
            known_as = version.computation(node)
            op = node.op if row is None else row.name
            what = (op, node.version, _attributes(node, row)) if known_as is None else known_as.what
            key = layers.get(index, ""), what, inputs
        found[index] = known.setdefault(key, len(known))
    return found


def _attributes(node: Node, row: Operator | None) -> Hashable:
    """Return the attributes of a node without those that have their defaults."""
    written = ((key, value) for key, value in node.attrs.items() if not is_default(row, key, value))
    return tuple(sorted((key, spelled(value)) for key, value in written))
