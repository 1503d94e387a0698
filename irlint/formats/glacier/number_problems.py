"""Breaks in the numbering of a listing, in words, each with its repair."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.problems import duplicate_definition
from irlint.findings import Fix, Problem
from irlint.formats.glacier.codes import R
from irlint.formats.glacier.numbering import NumberingBreak
from irlint.formats.glacier.renumber import NumberingGaps, renumber
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.listing.document import ListingDocument


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
    expected, found = fault.expected, document.rows[fault.row].id
    if fault.kind == "gap" and found is not None:
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
        what = f"id {found}" if last == found else f"ids {found} to {last}"
        where = f"after {document.rows[fault.row - 1].id}" if fault.row else "first"
        home = "first" if not found else f"after {found - 1}"
        return f"expected {what} {home}, got {'it' if last == found else 'them'} {where}"
    if meant[fault.row] is None:
        return f"surplus line with id {found} between {expected - 1} and {expected}"
    return f"expected id {expected}, got {found}; ids increase by one from 0"


def _repeat(
    document: ListingDocument, fault: NumberingBreak, meant: list[int | None], row_of: dict[int, int]
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
