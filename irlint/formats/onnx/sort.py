"""The fix that sorts the nodes of a graph, so that each is below those whose values it reads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from irlint.findings import Fix
from irlint.formats.onnx.document import OnnxDocument
from irlint.graph import Graph, label
from irlint.rules.attributes._check import Repair
from irlint.text.base import Document, Edit, Path, Span
from irlint.text.words import count


def sorter(graph: Graph) -> Repair:
    """Return `sorting` of a graph, which is the same for all nodes that come too early: worked out once for a document."""
    made: dict[int, Fix | None] = {}

    def fix(document: Document) -> Fix | None:
        if id(document) not in made:
            made[id(document)] = sorting(graph, document)
        return made[id(document)]

    return fix


def sorting(graph: Graph, document: Document) -> Fix | None:
    """Return a fix that moves as few nodes as possible. Safe: the order changes no result."""
    if not isinstance(document, OnnxDocument):
        return None
    first = next((node.index for node in graph.nodes if node.path[-2:-1] == ("node",)), len(graph.nodes))
    order = _sorted(graph, first)
    staying = _longest_rising(order)
    moved = [index for index in order if index not in staying]
    spans = {index: lines_of(document, graph.nodes[index].path) for index in order} if moved else {}
    if not moved:
        return None
    gone = {span.start: span.end for index in moved if (span := spans[index])}
    added: dict[int, str] = {}
    waiting, end = "", None
    for index in order:
        span = spans[index]
        if span is None:
            return None
        if index not in staying:
            waiting += document.text[span.start : span.end]
            continue
        if waiting:
            added[span.start] = waiting
        waiting, end = "", span.end
    if waiting and end is not None:
        added[end] = waiting
    # a line that goes where others come makes one edit with them
    edits = [Edit(Span(at, gone.get(at, at)), added.get(at, "")) for at in {*gone, *added}]
    title = (
        f"Move {label(graph.nodes[moved[0]])} up"
        if len(moved) == 1
        else f"Sort nodes: move {count(len(moved), 'node')}"
    )
    return Fix(title, tuple(sorted(edits)))


def _sorted(graph: Graph, first: int) -> list[int]:
    """Return the calls of a graph: each where it is, but for those that an earlier one needs, which come before that."""
    found: list[int] = []
    state = bytearray(len(graph.nodes))  # 1: waits for what it reads, 2: done
    for root in range(first, len(graph.nodes)):
        work = [(root, False)]
        while work:
            index, is_done = work.pop()
            if is_done:
                state[index] = 2
                found.append(index)
            elif not state[index]:
                state[index] = 1
                work.append((index, True))
                needed = sorted({source for source, _ in graph.nodes[index].inputs if source >= first}, reverse=True)
                work += [(source, False) for source in needed if not state[source]]
    return found


def _longest_rising(order: Sequence[int]) -> set[int]:
    """Return the members of the longest rising subsequence."""
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for place, index in enumerate(order):
        k = bisect_left(ends, index)
        before.append(at[k - 1] if k else -1)
        if k == len(ends):
            ends.append(index)
            at.append(place)
        else:
            ends[k], at[k] = index, place
    found, place = set(), at[-1] if at else -1
    while place >= 0:
        found.add(order[place])
        place = before[place]
    return found


def lines_of(document: OnnxDocument, path: Path) -> Span | None:
    """Return the whole lines of a node; None if it shares them with others."""
    document.demand_lines()
    start, end = document.whole(path)
    text = document.text
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if stop < 0 or text[begin:start].strip() or text[end:stop].strip():
        return None
    return Span(begin, stop + 1)
