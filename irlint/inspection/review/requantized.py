"""Weights of another element type together with what was added to decode them: one change for a reader, many for a graph."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.graph import Graph
from irlint.inspection.review.difference import Difference, NodePair
from irlint.records import NamedTuple
from irlint.text import words
from irlint.text.safe import brief, visible


class Requantized(NamedTuple):
    """Weights that changed alike: the element types, the operators that were added behind them, and the pairs."""

    old: str
    new: str
    operators: tuple[str, ...]
    pairs: list[NodePair]

    def __str__(self) -> str:
        name = self.pairs[0].new[1].name if self.pairs[0].new else ""
        how = f" decoded by {words.joined(self.operators)}" if self.operators else ""
        such = f", such as {visible(brief(name, 200))}" if len(self.pairs) > 1 else f" {visible(brief(name, 200))}"
        return f"{words.count(len(self.pairs), 'weight')} {self.old} -> {self.new}{how}{such}"


def requantized(found: Difference) -> tuple[list[Requantized], set[int]]:
    """Return the weights whose element type changed where nodes were added to decode them, and id() of all nodes that belong to that."""
    added = {id(pair.new[1]) for pair in found.pairs if pair.new is not None and pair.old is None}
    graphs = _constants(found)
    groups: dict[tuple[str, str, tuple[str, ...]], list[NodePair]] = {}
    told: set[int] = set()
    for graph, pairs in graphs.values() if added else ():
        users = graph.consumers()
        for pair in filter(_types, pairs):
            nodes = _decoding(graph, pair.new[1].index, users, added) if pair.new else []
            if nodes:
                operators = tuple(dict.fromkeys(graph.nodes[k].op for k in nodes if graph.nodes[k].kind == "call"))
                old, new = _types(pair)
                groups.setdefault((old, new, operators), []).append(pair)
                told.update(id(graph.nodes[k]) for k in (*nodes, pair.new[1].index if pair.new else 0))
    return [Requantized(*key, pairs) for key, pairs in groups.items()], told


def _constants(found: Difference) -> dict[int, tuple[Graph, list[NodePair]]]:
    """Return the constants that both models have by id() of the new graph."""
    graphs: dict[int, tuple[Graph, list[NodePair]]] = {}
    for pair in found.pairs:
        if pair.old is not None and pair.new is not None and pair.new[1].kind == pair.old[1].kind == "const":
            graphs.setdefault(id(pair.new[0]), (pair.new[0], []))[1].append(pair)
    return graphs


def _types(pair: NodePair) -> tuple[str, ...]:
    """Return the element types of a weight if they differ."""
    change = next((one for one in pair.changes if one.what == "type" and one.old and one.new), None)
    if change is None:
        return ()
    old, new = (str(text).partition(" ")[0] for text in (change.old, change.new))
    return (old, new) if old != new else ()


def _decoding(graph: Graph, weight: int, users: Sequence[Sequence[int]], added: set[int]) -> list[int]:
    """Return the added nodes on the way from a weight to the first node that was there, and the added nodes that those use."""
    found: dict[int, None] = {}
    stack = list(users[weight])
    while stack:
        index = stack.pop()
        if index in found or id(graph.nodes[index]) not in added:
            continue
        found[index] = None
        stack += users[index]
        stack += [source for source, _ in graph.nodes[index].inputs if source >= 0 and source != weight]
    return list(found)
