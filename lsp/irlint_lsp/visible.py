"""Nodes by place: those of a range of the text, in file order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from irlint.graph import Graph, Node
from irlint.text.base import Path, Span
from irlint_lsp.documents import View
from irlint_lsp.shown import model_of

Located = tuple[int, Graph, Node]


def located(view: View) -> list[Located]:
    """Every node with the offset at which its text begins, in file order; made once per analysis."""
    model = model_of(view)
    found = model.extra.get("nodes by offset")
    if found is None:
        start, listed = model.document.start, model.document.starts
        found, lists = [], dict[Path, Sequence[int]]()
        for graph in model.graph.walk():
            for node in graph.nodes:
                parent, step = node.path[:-1], node.path[-1] if node.path else -1
                if parent not in lists:
                    lists[parent] = listed(parent) or ()
                starts = lists[parent]
                at = starts[step] if isinstance(step, int) and 0 <= step < len(starts) else start(node.path)
                found.append((at, graph, node))
        found.sort(key=itemgetter(0))
        model.extra["nodes by offset"] = found
    return found


def nodes_in(view: View, span: Span) -> Iterator[tuple[Graph, Node]]:
    """Nodes of which some text lies in a range."""
    nodes = located(view)
    first = max(bisect_right(nodes, span.start, key=lambda item: item[0]) - 1, 0)
    last = bisect_left(nodes, span.end, key=lambda item: item[0])
    for _, graph, node in nodes[first:last]:
        yield graph, node
