"""R004 cycle."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Problem
from irlint.graph import Graph, label
from irlint.rules.base import Model, Rule
from irlint.rules.checks._order import backward, rings, way_round


class Cycle(Rule):
    """
    What it does
        Checks for operators that depend on each other: each uses, directly or through others, the output of the other.

    Why is this bad
        There is no order in which they can run. Loaders refuse such a graph or never finish.

    Fix safety
        Unsafe: in an NNVM graph, the input that runs against the order of the file is connected to the variable that is
        named for it, or to the only node whose output is unused.
    """

    row = R.cycle
    fixable = "unsafe"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        seen: dict[int, tuple[Graph, list[int]]] = {}
        told: set[tuple[int, int]] = set()
        for graph, node, k, source in backward(model):
            if source == node.index:
                continue
            _, ring = seen.get(id(graph)) or seen.setdefault(id(graph), (graph, rings(graph)))
            if ring[source] != ring[node.index] or (id(graph), ring[source]) in told:
                continue
            told.add((id(graph), ring[source]))
            way = [node.index, *way_round(graph, ring, source, node.index)]
            names = [repr(graph.nodes[at].name) for at in reversed(way)]
            if len(names) > 8:
                names[4:-3] = [f"... {len(names) - 7} more ..."]
            yield Problem(
                R.cycle,
                graph.place(node, f"input:{k}"),
                f"{label(node)} is part of a cycle: {' -> '.join(names)}",
                node.name,
                related=[("also part of the cycle", graph.place(at, "name")) for at in way[1:-1][:8]],
            )
