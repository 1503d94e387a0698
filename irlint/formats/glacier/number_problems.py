"""Breaks in the numbering of a listing, in words, each with its repair."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem
from irlint.formats.glacier.numbering import Fault
from irlint.formats.glacier.renumber import renumber
from irlint.formats.glacier.rules.id_sequence import IdSequence
from irlint.rules.references.duplicate_definition import DuplicateDefinition
from irlint.text.base import Document, Edit, Place
from irlint.text.listing import ListingDocument


def number_problems(document: ListingDocument, faults: list[Fault], meant: list[int | None]) -> Iterator[Problem]:
    """Every break in the numbering."""
    row_of = {id_: row for row, id_ in reversed(list(enumerate(meant))) if id_ is not None}
    gaps = [fault for fault in faults if fault.kind == "gap"]
    for fault in faults:
        if fault.kind == "repeat":
            yield _repeat(document, fault, row_of)
            continue
        found = document.rows[fault.row].id
        message = _message(fault, found, meant[fault.row] is None)
        yield Problem(IdSequence, Place((fault.row, "id")), message, str(found), renumber(fault, meant, gaps))


def _message(fault: Fault, found: int | None, surplus: bool) -> str:
    expected = fault.expected
    if fault.kind == "gap" and found is not None:
        missing = f"id {expected} is missing" if found == expected + 1 else f"ids {expected} to {found - 1} are missing"
        if expected == 0:
            return f"{missing}: ids count from 0, this first line has {found}"
        return f"{missing}: the line before has id {expected - 1}, this one {found}"
    if fault.kind == "swapped":
        return f"id {found} stands in front of {expected}: ids count up by one"
    if surplus:
        return f"id {found} stands between {expected - 1} and {expected}: this line is one too many"
    return f"this line has id {found}; ids count up by one from 0, so it should be {expected}"


def _repeat(document: ListingDocument, fault: Fault, row_of: dict[int, int]) -> Problem:
    row = fault.row
    id_, op, inputs = document.rows[row][1:4]
    first = row_of.get(-1 if id_ is None else id_, 0)
    line = document.lines.line(document.rows[first].line + 1).strip()
    same = (document.rows[first].op, document.rows[first].inputs) == (op, inputs)
    word = "the same line stands there twice" if same else f"{fault.expected} is expected here"
    message = f"id {id_} is already taken by the line `{line}`; {word}"

    def drop(document: Document) -> Fix:
        assert isinstance(document, ListingDocument)
        return Fix("remove the second line", (Edit(document.whole_line(row), ""),), "unsafe")

    return DuplicateDefinition.problem(
        Place((row, "id")), message, Place((first, "id")), str(id_), drop if same else None
    )
