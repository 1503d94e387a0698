"""Breaks in the numbering of a listing, each with its repair: ids and the references to them rewritten together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

from irlint.checks.problems import duplicate_definition
from irlint.findings import Fix, Problem
from irlint.formats.glacier.numbering import NumberingBreak
from irlint.formats.glacier.rules import R
from irlint.graph import Graph
from irlint.order import post_order
from irlint.text.base import Document, Edit, Place, Span, apply
from irlint.text.listing.document import ListingDocument

Moved = Callable[[int], int]


def number_problems(
    document: ListingDocument, faults: list[NumberingBreak], meant: list[int | None]
) -> Iterator[Problem]:
    """Report every mistake in the numbering."""
    if not faults:
        return
    row_of = {id_: row for row, id_ in reversed(list(enumerate(meant))) if id_ is not None}
    gaps = NumberingGaps(document, [fault for fault in faults if fault.kind == "gap"], meant)
    for fault in faults:
        if fault.kind == "repeat":
            yield _repeat(document, fault, meant, row_of)
            continue
        found = document.rows[fault.row].id
        message = _message(document, fault, meant)
        yield Problem(R.id_sequence, Place((fault.row, "id")), message, str(found), renumber(fault, meant, gaps))


def _message(document: ListingDocument, fault: NumberingBreak, meant: list[int | None]) -> str:
    expected, found = fault.expected, document.rows[fault.row].id or 0
    if fault.kind == "gap":
        missing = f"missing id {expected}" if found == expected + 1 else f"missing ids {expected} to {found - 1}"
        if expected == 0:
            return f"{missing}; ids start at 0, the first line has {found}"
        return f"{missing}; the previous line has id {expected - 1}, this line {found}"
    if fault.kind == "swapped":
        if fault.other == fault.row + 1:
            return f"id {found} appears before {expected}; ids increase by one"
        line = document.rows[fault.other].line + 1
        return f"expected id {expected}, got {found}; the line with id {expected} is line {line}"
    if fault.kind == "moved":
        last = document.rows[fault.other - 1].id
        what, it = (f"id {found}", "it") if last == found else (f"ids {found} to {last}", "them")
        where = f"after {document.rows[fault.row - 1].id}" if fault.row else "first"
        home = f"after {found - 1}" if found else "first"
        return f"expected {what} {home}, got {it} {where}"
    if meant[fault.row] is None:
        return f"surplus line with id {found} between {expected - 1} and {expected}"
    return f"expected id {expected}, got {found}; ids increase by one from 0"


def _repeat(
    document: ListingDocument, fault: NumberingBreak, meant: list[int | None], row_of: Mapping[int, int]
) -> Problem:
    rows, row = document.rows, fault.row
    first = row_of.get(-1 if rows[row].id is None else rows[row].id or 0, 0)
    end = row
    while end < len(rows) and meant[end] is None and rows[end][1:4] == rows[first + end - row][1:4]:
        end += 1
    same = end - row
    line = document.lines.line(rows[first].line + 1).strip()
    word = f"expected {fault.expected}"
    if same:
        word = "the line is repeated" if same == 1 else f"{same:,} lines are repeated"
    message = f"duplicate id {rows[row].id}, first used by the line `{line}`; {word}"

    def drop(document: Document) -> Fix:
        assert isinstance(document, ListingDocument)
        span = Span(document.whole_line(row).start, document.whole_line(end - 1).end)
        title = "Remove the repeated line" if same == 1 else f"Remove the {same:,} repeated lines"
        return Fix(title, (Edit(span, ""),), "unsafe")

    return duplicate_definition(
        Place((row, "id")), message, Place((first, "id")), str(rows[row].id), drop if same else None
    )


class NumberingGaps:
    """The gaps of a listing's numbering. One whose ids are read stays: the reference would be left without its node."""

    def __init__(self, document: ListingDocument, gaps: Sequence[NumberingBreak], meant: list[int | None]) -> None:
        self.found = [meant[gap.row] or 0 for gap in gaps]
        starts = [gap.expected for gap in gaps]
        read = set()
        for item in (item for row in document.rows for item in row.references):
            at = bisect_right(starts, item) - 1
            if at >= 0 and item < self.found[at]:
                read.add(at)
        self.first = next((gap for at, gap in enumerate(gaps) if at not in read), None)  # of those that can be closed
        self.shifts = [0]
        for at, start in enumerate(starts):
            self.shifts.append(self.shifts[-1] + (self.found[at] - start if at not in read else 0))

    def moved(self, id_: int) -> int:
        """Return what an id becomes once all gaps are closed."""
        return id_ - self.shifts[bisect_right(self.found, id_)]


def renumber(fault: NumberingBreak, meant: list[int | None], gaps: NumberingGaps) -> Callable[[Document], Fix | None]:
    """Return the repair of one fault; that of the first gap that can be closed closes all of them."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, ListingDocument)
        if fault.kind == "changed" and meant[fault.row] is not None:
            edit = Edit(document.span(Place((fault.row, "id"))), str(fault.expected))
            return Fix(f"Set the id to `{fault.expected}`", (edit,), "unsafe")
        if fault.kind == "swapped":
            first, second = document.line_span(fault.row), document.line_span(fault.other)
            edits = (Edit(first, _text(document, fault.other)), Edit(second, _text(document, fault.row)))
            return Fix("Swap the two lines", edits, "unsafe")
        if fault.kind == "moved":
            return _back(document, fault, meant)
        if fault is gaps.first:
            edits_ = [edit for row in range(len(document.rows)) for edit in _mapped(document, row, gaps.moved)]
            return Fix("Renumber the lines below and the inputs that refer to them", tuple(edits_), "unsafe")
        return None

    return fix


def _text(document: ListingDocument, row: int) -> str:
    start, end = document.line_span(row)
    return document.text[start:end]


def _back(document: ListingDocument, fault: NumberingBreak, meant: list[int | None]) -> Fix | None:
    """Return the fix that moves lines to where their ids belong."""
    first, last = document.rows[fault.row].id, document.rows[fault.other - 1].id
    assert first is not None
    assert last is not None
    after = meant.index(last + 1) if last + 1 in meant else None
    if after is None:
        return None
    lines, starts = document.lines, document.lines.starts
    start, end = document.whole_line(fault.row).start, document.whole_line(fault.other - 1).end
    moved = [lines.line(document.rows[row].line + 1) for row in range(fault.row, fault.other)]
    if fault.other - fault.row != document.rows[fault.other - 1].line - document.rows[fault.row].line + 1:
        return None  # comments between them
    at = starts[document.rows[after].line]
    edits = (Edit(Span(start, end), ""), Edit(Span(at, at), "".join(f"{line}{document.newline}" for line in moved)))
    return Fix(
        "Move the line to where its id belongs" if len(moved) == 1 else "Move the lines to where their ids belong",
        edits,
        "unsafe",
    )


def _mapped(document: ListingDocument, row: int, moved: Moved) -> list[Edit]:
    """Return the edits that set the new id of a line and of its inputs."""
    line = document.rows[row]
    places: list[tuple[Place, int]] = []
    if line.id is not None:
        places.append((Place((row, "id")), line.id))
    places += [(Place((row, "inputs", k)), item) for k, item in enumerate(line.inputs) if isinstance(item, int)]
    return [Edit(document.span(place), str(moved(id_))) for place, id_ in places if moved(id_) != id_]


def reorder(document: Document, graph: Graph, sinks: list[int]) -> Fix | None:
    """Return the fix that puts all lines into depth-first post-order from the sinks and renumbers them."""
    assert isinstance(document, ListingDocument)
    rows = [graph.nodes[index].path[0] for index in post_order(graph, sinks)]
    moved = {document.rows[old].id or 0: new for new, old in enumerate(rows) if isinstance(old, int)}
    edits = []
    for place, row in enumerate(rows):
        assert isinstance(row, int)
        start, end = document.line_span(row)
        inside = [
            Edit(Span(span.start - start, span.end - start), new)
            for span, new in _mapped(document, row, lambda id_: moved.get(id_, id_))
        ]
        text = apply(document.text[start:end], inside)
        if text != _text(document, place):
            edits.append(Edit(document.line_span(place), text))
    return (
        Fix("Move the lines into depth-first post-order and renumber them", tuple(edits), "unsafe") if edits else None
    )
