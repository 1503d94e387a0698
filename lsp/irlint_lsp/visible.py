"""Nodes in a range of the text, in file order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from irlint.graph import Graph, Node
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Span
from irlint_lsp.documents import CurrentView

Located = tuple[Graph, Node]


class InOrder:
    """The nodes of all graphs in file order, created once per analysis."""

    def __init__(self, model: Model, graphs: list[Graph]) -> None:
        self._document = model.document
        self._nodes = graphs[0].nodes if len(graphs) == 1 else [node for graph in graphs for node in graph.nodes]
        self._homes = None if len(graphs) == 1 else [graph for graph in graphs for _ in graph.nodes]
        self._graph = graphs[0]
        self._order = sorted(range(len(self._nodes)), key=_starts(model.document, self._nodes).__getitem__)

    def __len__(self) -> int:
        return len(self._order)

    def between(self, first: int, last: int) -> Iterator[Located]:
        for k in islice(self._order, first, last):
            yield self._homes[k] if self._homes is not None else self._graph, self._nodes[k]

    def starting(self, at: int) -> int:
        """Return the number of nodes that begin at or before an offset."""
        return bisect_right(self._order, at, key=self._start)

    def starting_before(self, at: int) -> int:
        return bisect_left(self._order, at, key=self._start)

    def _start(self, k: int) -> int:
        return self._document.start(self._nodes[k].path)


def located(view: CurrentView) -> InOrder:
    found: InOrder | None = view.analysis.in_order
    if found is None:
        model = view.model
        found = view.analysis.in_order = InOrder(model, view.navigation.graphs(model))
    return found


def first_nodes(view: CurrentView, most: int) -> Iterator[Located]:
    return located(view).between(0, most)


def nodes_in(view: CurrentView, span: Span) -> Iterator[Located]:
    """Return nodes whose text overlaps a range."""
    nodes = located(view)
    return nodes.between(max(nodes.starting(span.start) - 1, 0), nodes.starting_before(span.end))


def _starts(document: Document, nodes: list[Node]) -> list[int]:
    found, lists = [], dict[Path, Sequence[int]]()
    for node in nodes:
        parent, step = node.path[:-1], node.path[-1] if node.path else -1
        if parent not in lists:
            lists[parent] = document.starts(parent) or ()
        starts = lists[parent]
        known = isinstance(step, int) and 0 <= step < len(starts)
        found.append(starts[step] if known else document.start(node.path))  # type: ignore[index]
    return found
