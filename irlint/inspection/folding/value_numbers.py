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

    def sources(self, node: Node, is_layer: bool) -> Sequence[Source]:
        """Return where what a node reads comes from; `is_layer`: without its weights."""
        ...

    def value(self, source: Source) -> Hashable:
        """Return the numbers of a constant, or what stands for them; None if they are not known."""
        ...


def value_numbers(
    version: NumberedGraph, same: Mapping[int, Hashable], layers: Mapping[int, Hashable], known: dict[Hashable, int]
) -> dict[int, int]:
    """Return the numbers of the nodes of one version. `same`: inputs and constants that both versions have, `layers`: layers with the same
    weights, each by what they are called in both; `known`: all numbers, of both."""
    format_ = by_name(version.model.format)
    navigation = None if format_ is None else format_.navigation()
    found: dict[int, int] = {}

    def of(source: Source) -> Hashable:
        value = version.value(source) if source[0] >= 0 else None
        return (found.get(source[0], -1), source[1]) if value is None else value

    for index in order_of(version.graph):
        node = version.graph.nodes[index]
        row = navigation.operator(version.model, node) if navigation is not None and node.kind == "call" else None
        key: Hashable = "own", id(version), index
        if node.kind != "call" and index in same:
            key = "same", same[index]
        elif node.kind == "call" and not node.graphs:
            inputs = tuple(map(of, version.sources(node, index in layers)))
            op = node.op if row is None else row.name
            key = layers.get(index, ""), op, node.version, _attributes(node, row), inputs
        found[index] = known.setdefault(key, len(known))
    return found


def _attributes(node: Node, row: Operator | None) -> Hashable:
    """Return the attributes of a node without those that have their defaults."""
    written = ((key, value) for key, value in node.attrs.items() if not is_default(row, key, value))
    return tuple(sorted((key, spelled(value)) for key, value in written))
