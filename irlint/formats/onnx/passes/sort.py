"""The fix that sorts the nodes of a graph, so that each is below those whose values it reads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise

from irlint.checks.fault import Repair
from irlint.findings import Fix
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Graph, label
from irlint.text.base import Document, Edit, Span
from irlint.text.words import count

_BETWEEN = " \t\r\n,"  # nodes, in the text and in JSON


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
    edits = _moves(document, graph, order, staying) if moved else ()
    if not edits:
        return None
    title = f"Sort nodes: move {count(len(moved), 'node')}"
    if len(moved) == 1:
        way = "up" if order.index(moved[0]) < sorted(order).index(moved[0]) else "down"
        title = f"Move {label(graph.nodes[moved[0]])} {way}"
    return Fix(title, edits)


def _moves(document: OnnxDocument, graph: Graph, order: list[int], staying: Set[int]) -> tuple[Edit, ...]:
    """Return the edits that put nodes in another order, each with the comma or the blanks that separate it from the next one; none
    if there are comments between them."""
    text, there = document.text, sorted(order)
    spans = [document.whole(graph.nodes[index].path) for index in there]
    gaps = [Span(a.end, b.start) for a, b in pairwise(spans)]
    if any(text[start:end].strip(_BETWEEN) for start, end in gaps):
        return ()
    last = max(k for k, index in enumerate(there) if index in staying)
    gone, pieces = dict[int, int](), dict[int, tuple[str, str]]()  # a node's text, and that of its separator
    for k, index in enumerate(there):
        if index not in staying:
            gap = gaps[k] if k < last else gaps[k - 1]
            cut = Span(spans[k].start, gap.end) if k < last else Span(gap.start, spans[k].end)
            gone[cut.start] = cut.end
            pieces[index] = text[slice(*spans[k])], text[slice(*gap)]
    added = _added(order, pieces, dict(zip(there, spans, strict=True)), spans[last].end)
    # what goes where others come makes one edit with them
    edits = (Edit(Span(at, gone.get(at, at)), added.get(at, "")) for at in {*gone, *added})
    return tuple(sorted(_of_lines(text, edit) for edit in edits))


def _added(
    order: list[int], pieces: Mapping[int, tuple[str, str]], places: Mapping[int, Span], end: int
) -> dict[int, str]:
    """Return the texts that are added, by where: what moves in front of the next node that stays, or after the last one."""
    added: dict[int, str] = {}
    waiting: list[tuple[str, str]] = []
    for index in order:
        if index in pieces:
            waiting.append(pieces[index])
        elif waiting:
            added[places[index].start] = "".join(node + separator for node, separator in waiting)
            waiting = []
    if waiting:
        added[end] = "".join(separator + node for node, separator in waiting)
    return added


def _of_lines(text: str, edit: Edit) -> Edit:
    """Return an edit of whole lines that does the same, if there is one: reports show these."""
    (start, end), new = edit
    indent = text[text.rfind("\n", 0, start) + 1 : start]
    ends = {part[-len(indent) - 1 :] for part in (text[start:end], new) if part}
    if indent.isspace() and ends == {f"\n{indent}"}:
        size = len(indent)
        return Edit(Span(start - size, end - size), f"{indent}{new[:-size]}" if new else "")
    if text[end : end + 1] == "\n" and {part[:1] for part in (text[start:end], new) if part} == {"\n"}:
        return Edit(Span(start + 1, end + 1), f"{new[1:]}\n" if new else "")
    return edit


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
