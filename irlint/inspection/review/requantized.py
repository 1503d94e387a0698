"""Weights of another element type together with what was added to decode them, or removed: one change for a reader, many for a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from irlint.dryrun.dtypes import FLOATS
from irlint.graph import Graph, Node
from irlint.inspection.review.difference import Difference, NodePair
from irlint.records import NamedTuple
from irlint.text import words
from irlint.text.numbers import decimal
from irlint.text.safe import brief, visible


class Requantized(NamedTuple):
    """Weights that changed alike: the element types, the operators that were added behind them, or removed, and the pairs."""

    old: str
    new: str
    operators: tuple[str, ...]
    is_decoded: bool  # in the new version
    pairs: list[NodePair]

    def __str__(self) -> str:
        name = self.pairs[0].new[1].name if self.pairs[0].new else ""
        word = "decoded" if self.is_decoded else "no longer decoded"
        how = f" {word} by {words.joined(self.operators)}" if self.operators else ""
        such = f", such as {visible(brief(name, 200))}" if len(self.pairs) > 1 else f" {visible(brief(name, 200))}"
        return f"{words.count(len(self.pairs), 'weight')} {self.old} -> {self.new}{how}{such}"


def requantized(found: Difference) -> tuple[list[Requantized], list[NodePair]]:
    """Return the weights of which only the element type changed, and those where nodes were added to decode them, or removed, and the pairs
    that are left."""
    groups: dict[tuple[str, str, tuple[str, ...], bool], list[NodePair]] = {}
    told: set[int] = set()
    for side in ("new", "old"):
        for pair, nodes in _decoded(found, side):
            graph, weight = getattr(pair, side)
            operators = tuple(dict.fromkeys(graph.nodes[k].op for k in nodes if graph.nodes[k].kind == "call"))
            old, new = _types(pair)
            groups.setdefault((old, new, operators, side == "new"), []).append(pair)
            told.update(id(graph.nodes[k]) for k in (*nodes, weight.index))
    for pair in found.pairs:
        if (types := _only_types(pair)) and pair.new is not None and id(pair.new[1]) not in told:
            groups.setdefault((*types, (), True), []).append(pair)
            told.add(id(pair.new[1]))
    left = [pair for pair in found.pairs if not (_is_told(pair, told) or _reads_only(pair, told))]
    return [Requantized(*key, pairs) for key, pairs in groups.items()], left


Side = Literal["old", "new"]


def _decoded(found: Difference, side: Side) -> Iterator[tuple[NodePair, list[int]]]:
    """Yield the constants of other types that both models have, with the nodes that only one side has and that decode them there."""
    alone = {id(getattr(pair, side)[1]) for pair in found.pairs if None in (pair.old, pair.new) and getattr(pair, side)}
    users: dict[int, Sequence[Sequence[int]]] = {}
    for pair in filter(_types, found.pairs) if alone else ():
        if pair.old is not None and pair.new is not None and pair.new[1].kind == pair.old[1].kind == "const":
            graph, node = getattr(pair, side)
            if id(graph) not in users:
                users[id(graph)] = graph.consumers()
            if nodes := _decoding(graph, node.index, users[id(graph)], alone):
                yield pair, nodes


def _types(pair: NodePair) -> tuple[str, ...]:
    """Return the element types of a weight if they differ."""
    change = next((one for one in pair.changes if one.what == "type" and one.old and one.new), None)
    if change is None:
        return ()
    old, new = (str(text).partition(" ")[0] for text in (change.old, change.new))
    return (old, new) if old != new else ()


def _only_types(pair: NodePair) -> tuple[str, str] | None:
    """Return the element types of a weight that has the same numbers in another floating-point type."""
    if (
        len(pair.changes) != 1
        or pair.old is None
        or pair.new is None
        or not pair.old[1].kind == pair.new[1].kind == "const"
    ):
        return None
    shapes = [str(text).partition(" ")[2] for text in pair.changes[0][2:4]]
    types = _types(pair)
    return (types[0], types[1]) if types and FLOATS.issuperset(types) and shapes[0] == shapes[1] else None


def _decoding(graph: Graph, weight: int, users: Sequence[Sequence[int]], alone: set[int]) -> list[int]:
    """Return the nodes that only this model has, on the way from a weight to the first node that both have, and those that these use; none
    if they also read what depends on an input."""
    found: dict[int, None] = {}
    stack = list(users[weight])
    while stack:
        index = stack.pop()
        if index in found or id(graph.nodes[index]) not in alone:
            continue
        found[index] = None
        stack += users[index]
        stack += [source for source, _ in graph.nodes[index].inputs if source >= 0 and source != weight]
    read = (source[0] for index in found for source in graph.nodes[index].inputs)
    is_closed = all(k < 0 or k in found or graph.nodes[k].kind == "const" for k in read)
    return [*found] if is_closed and all(graph.nodes[index].kind != "var" for index in found) else []


def _is_told(pair: NodePair, told: set[int]) -> bool:
    return any(id(one[1]) in told for one in (pair.old, pair.new) if one is not None)


def _reads_only(pair: NodePair, told: set[int]) -> bool:
    """Return whether all that has changed of a node is that it reads decoded weights, or no longer."""
    if pair.status != "changed" or pair.old is None or pair.new is None:
        return False
    ends = [
        _read(one.key, *pair.old, told) or _read(one.key, *pair.new, told)
        for one in pair.changes
        if one.what == "input"
    ]
    return len(ends) == len(pair.changes) and all(ends)


def _read(key: str, graph: Graph, node: Node, told: set[int]) -> bool:
    """Return whether an input of a node is one of some nodes."""
    place = decimal(key)
    return (
        place is not None
        and place < len(node.inputs)
        and node.inputs[place][0] >= 0
        and id(graph.nodes[node.inputs[place][0]]) in told
    )
