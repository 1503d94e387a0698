"""Which id each line of a listing was meant to have: ids count from 0 without gap or repeat."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

from irlint.records import NamedTuple

Kind = Literal["changed", "gap", "repeat", "swapped", "moved"]
Ids = Sequence[int | None]
_ENDLESS = 1 << 400


class NumberingBreak(NamedTuple):
    """One break in the numbering, at one row.

    changed: the row carries another id than its place asks for; gap: the ids from `expected` up to the row's own are
    missing; repeat: the row carries an id that was there before; swapped: this row and `other` have changed places;
    moved: the rows from this one up to `other` stand in the wrong place.
    """

    kind: Kind
    row: int
    expected: int
    other: int = 0


def align(ids: Ids, last_reads: Sequence[int] = ()) -> tuple[list[int | None], list[NumberingBreak]]:
    """For each row the id it was meant to have (None: it is superfluous), and where the numbering breaks."""
    if ids == list(range(len(ids))):
        return list(ids), []
    meant, faults = _walk(ids, last_reads)
    if len(faults) < 2 and None not in meant:
        return meant, faults
    return meant, _moved(ids, meant, _exchanged(ids, meant, faults))


def _exchanged(ids: Ids, meant: list[int | None], faults: list[NumberingBreak]) -> list[NumberingBreak]:
    """Two rows that each carry the id of the other's place have changed places."""
    changed = {(fault.expected, ids[fault.row]): fault for fault in faults if meant[fault.row] == fault.expected}
    found: list[NumberingBreak] = []
    for fault in faults:
        other = changed.get((ids[fault.row] or 0, fault.expected)) if fault.kind == "changed" else None
        if other is None or other.row == fault.row or changed.get((fault.expected, ids[fault.row])) is not fault:
            found.append(fault)
            continue
        meant[fault.row] = ids[fault.row]
        if fault.row < other.row:
            found.append(NumberingBreak("swapped", fault.row, fault.expected, other.row))
    return found


def _moved(ids: Ids, meant: list[int | None], faults: list[NumberingBreak]) -> list[NumberingBreak]:
    """Rows too many whose ids are missing elsewhere have been moved, and nothing is missing."""
    gaps = [(fault.expected, ids[fault.row] or 0) for fault in faults if fault.kind == "gap"]
    gaps.append((max((id_ for id_ in meant if id_ is not None), default=-1) + 1, _ENDLESS))
    present = set(meant)
    stops = [*(fault.row for fault in faults[1:]), len(ids)]
    found: list[NumberingBreak] = []
    for fault, stop in zip(faults, stops, strict=True):
        end = _end_of_surplus(ids, meant, fault, stop)
        run = [id_ for id_ in ids[fault.row : end] if id_ is not None]
        if _is_missing(run, gaps, present, end == len(ids)):
            meant[fault.row : end] = run
            present.update(run)
            fault = NumberingBreak("moved", fault.row, fault.expected, end)
        found.append(fault)
    return [fault for fault in found if fault.kind != "gap" or not present.issuperset(range(*_gap(fault, ids)))]


def _gap(fault: NumberingBreak, ids: Ids) -> tuple[int, int]:
    return fault.expected, ids[fault.row] or 0


def _end_of_surplus(ids: Ids, meant: list[int | None], fault: NumberingBreak, stop: int) -> int:
    """Return the row after the rows too many that begin with a fault."""
    if fault.kind == "changed" and fault.row == len(ids) - 1:  # nothing goes on from the id that is asked for here
        return len(ids)
    return next((row for row in range(fault.row, stop) if meant[row] is not None), stop)


def _is_missing(run: list[int], gaps: list[tuple[int, int]], present: set[int | None], is_last: bool) -> bool:
    """Return whether ids are missing elsewhere: all in one gap, the last of which is after the last id."""
    at = bisect_right(gaps, (run[0], _ENDLESS + 1)) - 1 if run else -1
    if at < 0:
        return False
    low, high = gaps[at]
    if at == len(gaps) - 1 and (run[0] != low or is_last):
        return False
    return min(run) >= low and max(run) < high and present.isdisjoint(run)


def _size_of_repeat(ids: Ids, row: int, expected: int) -> int:
    return next((k for k in range(row, len(ids)) if ids[k] in (None, expected)), len(ids)) - row


def _walk(ids: Ids, last_reads: Sequence[int] = ()) -> tuple[list[int | None], list[NumberingBreak]]:
    """For each row the id it was meant to have (None: it is superfluous), and where the numbering breaks."""
    meant: list[int | None] = []
    faults: list[NumberingBreak] = []
    expected = 0
    while (row := len(meant)) < len(ids):
        if ids[row] is None or ids[row] == expected:
            meant.append(expected)
            expected += 1
            continue
        kind, own, following = _break_at(ids, row, expected, last_reads)
        faults.append(NumberingBreak(kind, row, expected, row + 1 if kind == "swapped" else 0))
        meant += own
        expected = following
    return meant, faults


def _break_at(ids: Ids, row: int, expected: int, last_reads: Sequence[int]) -> tuple[Kind, list[int | None], int]:
    """Return what breaks at a row, which ids the rows that belong to it were meant to have, and the id after them.

    One look ahead tells a changed id (the next row goes on as expected) from a lost line (the next row goes on from
    here) and from a line too many (the next row is what was expected here). On the last row the ids that it reads
    tell the first two apart.
    """
    found = ids[row] or 0
    is_last = row + 1 == len(ids)
    after = None if is_last else ids[row + 1]
    if found == expected + 1 and after == expected:
        return "swapped", [found, expected], expected + 2
    if after == expected or (is_last and found == expected - 1):
        return "repeat" if found < expected else "changed", [None], expected
    if found > expected:
        is_read = after is None and any(expected <= id_ < found for id_ in last_reads)
        if is_read or after == found + 1:
            return "gap", [found], found + 1
    elif after == found + 1:  # the numbering jumps back: what follows is there a second time
        return "repeat", [None] * _size_of_repeat(ids, row, expected), expected
    return "changed", [expected], expected + 1
