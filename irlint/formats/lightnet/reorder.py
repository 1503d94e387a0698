"""Moves operators so that nothing is read before it is written."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from irlint.findings import Fix
from irlint.graph import Graph, above
from irlint.text.base import Document, Edit, Place, Span

Repair = Callable[[Document], "Fix | None"]


def reorder(graph: Graph, index: int) -> Repair:
    """Puts what an operator reads in front of it; or the operator behind it, if nothing in between reads that."""

    def fix(document: Document) -> Fix | None:
        needed = above(graph, index, least=index + 1)
        last = max(needed)
        between = range(index + 1, last + 1)
        if any(source[0] == index for at in between for source in graph.nodes[at].inputs):
            order = [*sorted(needed), *(at for at in range(index, last + 1) if at not in needed)]
            title = f"Move {_listed(graph, sorted(needed))} in front of {graph.nodes[index].name!r}"
        else:
            order = [*between, index]
            title = f"Move {graph.nodes[index].name!r} behind {graph.nodes[last].name!r}"
        spans = [document.span(Place(graph.nodes[at].path)) for at in range(index, last + 1)]
        return Fix(title, (_permuted(document.text, spans, [at - index for at in order]),), "unsafe")

    return fix


def _listed(graph: Graph, indices: list[int]) -> str:
    names = [repr(graph.nodes[at].name) for at in indices[:3]]
    return ", ".join(names) + (f" and {len(indices) - 3} more" if len(indices) > 3 else "")


def _permuted(text: str, spans: list[Span], order: list[int]) -> Edit:
    """One edit that puts the pieces at these spans in another order and leaves what stands between them in place."""
    gaps = [text[a.end : b.start] for a, b in pairwise(spans)]
    pieces = [text[spans[at].start : spans[at].end] for at in order]
    new = "".join(piece + gap for piece, gap in zip(pieces, [*gaps, ""], strict=True))
    return Edit(Span(spans[0].start, spans[-1].end), new)
