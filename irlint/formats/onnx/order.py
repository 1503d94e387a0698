"""Fixes of the order of nodes: each has to be behind what it reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from irlint.findings import Fix
from irlint.formats.onnx.document import OnnxDocument
from irlint.graph import Graph, label
from irlint.rules.attributes._check import Repair
from irlint.text.base import Document, Edit, Path, Span
from irlint.text.words import count

_FEW = 3  # nodes in the wrong place that are moved one by one


class Reordering:
    """The fixes of one graph, by the node that reads too early. Safe: the order changes no result."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._sorted: list[Fix | None] = []

    def __call__(self, reader: int) -> Repair:
        def fix(document: Document) -> Fix | None:
            assert isinstance(document, OnnxDocument)
            if self._late <= _FEW:
                return self._moving(reader, document)
            if not self._sorted:
                self._sorted.append(self._sorting(document))
            return self._sorted[0]

        return fix

    @cached_property
    def _late(self) -> int:
        """Return how many nodes read what is defined after them."""
        return sum(any(source > node.index for source, _ in node.inputs) for node in self.graph.nodes)

    def _moving(self, reader: int, document: OnnxDocument) -> Fix | None:
        """Return a fix that moves what a node reads, and what that reads, above the node."""
        graph = self.graph
        wanted, moved = [reader], set[int]()
        while wanted:
            for source, _ in graph.nodes[wanted.pop()].inputs:
                if source > reader and source not in moved:
                    moved.add(source)
                    wanted.append(source)
        paths = [graph.nodes[k].path for k in sorted(moved)]
        target = lines_of(document, graph.nodes[reader].path)
        spans = [lines_of(document, path) for path in paths]
        if target is None or not moved or not all(spans):
            return None
        texts = "".join(document.text[span.start : span.end] for span in spans if span)
        edits = (Edit(Span(target.start, target.start), texts), *(Edit(span, "") for span in spans if span))
        first = graph.nodes[max(moved)]
        what = label(first) if len(moved) == 1 else count(len(moved), "node")
        return Fix(f"Move {what} up", tuple(sorted(edits)))

    def _sorting(self, document: OnnxDocument) -> Fix | None:
        """Return a fix that moves every node behind what it reads."""
        nodes = self.graph.nodes
        calls = [node.index for node in nodes if node.path[-2:-1] == ("node",) and node.op != "Outer"]
        spans = [lines_of(document, nodes[k].path) for k in calls]
        order = self._order(calls)
        if order is None or not all(spans):
            return None
        lines = {k: document.text[span.start : span.end] for k, span in zip(calls, spans, strict=True) if span}
        edits = [
            Edit(span, lines[new])
            for old, span, new in zip(calls, spans, order, strict=True)
            if span is not None and lines[old] != lines[new]
        ]
        return Fix("Sort the nodes", tuple(edits)) if edits else None

    def _order(self, calls: Sequence[int]) -> list[int] | None:
        """Return the calls in an order that is as near as possible to theirs; None if they are part of a cycle."""
        order: list[int] = []
        own = set(calls)
        is_done: dict[int, bool] = {}  # of the calls that were visited
        for first in calls:
            stack = [first]
            while stack:
                k = stack[-1]
                wanted = [
                    source for source, _ in self.graph.nodes[k].inputs if source in own and not is_done.get(source)
                ]
                if is_done.get(k):
                    stack.pop()
                elif wanted and k in is_done:
                    return None
                elif wanted:
                    is_done[k] = False
                    stack += reversed(list(dict.fromkeys(wanted)))
                else:
                    is_done[k] = True
                    order.append(stack.pop())
        return order


def lines_of(document: OnnxDocument, path: Path) -> Span | None:
    """Return the whole lines of a node; None if it shares them with others."""
    start, end = document.whole(path)
    text = document.text
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if stop < 0 or text[begin:start].strip() or text[end:stop].strip():
        return None
    return Span(begin, stop + 1)
