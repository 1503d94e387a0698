"""Fixes of the numbering: ids and the references to them rewritten together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from irlint.findings import Fix
from irlint.formats.glacier.numbering import NumberingBreak
from irlint.graph import Graph
from irlint.order import post_order
from irlint.text.base import Document, Edit, Place, Span, apply
from irlint.text.listing.document import ListingDocument

Moved = Callable[[int], int]


class NumberingGaps:
    """The gaps of a listing's numbering. One whose ids are read stays: the reference would be left without its node."""

    def __init__(self, document: ListingDocument, gaps: Sequence[NumberingBreak], meant: list[int | None]) -> None:
        self.found = [meant[gap.row] or 0 for gap in gaps]
        starts = [gap.expected for gap in gaps]
        read = set()
        for item in (item for row in document.rows for item in row.inputs if isinstance(item, int)):
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
