"""Which id each line of a listing was meant to have: ids count from 0 without gap or repeat."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

from irlint.records import NamedTuple


class NumberingBreak(NamedTuple):
    """One break in the numbering, at one row.

    changed: the row carries another id than its place asks for; gap: the ids from `expected` up to the row's own are
    missing; repeat: the row carries an id that was there before; swapped: this row and `other` have changed places;
    moved: the rows from this one up to `other` stand in the wrong place.
    """

    kind: Literal["changed", "gap", "repeat", "swapped", "moved"]
    row: int
    expected: int
    other: int = 0


def align(ids: Sequence[int | None], last_reads: Sequence[int] = ()) -> tuple[list[int | None], list[NumberingBreak]]:
    """For each row the id it was meant to have (None: it is superfluous), and where the numbering breaks."""
    meant, faults = _walk(ids, last_reads)
    if len(faults) < 2 and None not in meant:
        return meant, faults
    return meant, _moved(ids, meant, _exchanged(ids, meant, faults))


def _exchanged(
    ids: Sequence[int | None], meant: list[int | None], faults: list[NumberingBreak]
) -> list[NumberingBreak]:
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


def _moved(ids: Sequence[int | None], meant: list[int | None], faults: list[NumberingBreak]) -> list[NumberingBreak]:
    """Rows too many whose ids are missing elsewhere have been moved, and nothing is missing."""
    gaps = [(fault.expected, ids[fault.row] or 0) for fault in faults if fault.kind == "gap"]
    gaps.append((max((id_ for id_ in meant if id_ is not None), default=-1) + 1, 1 << 400))
    present = set(meant)
    stops = [*(fault.row for fault in faults[1:]), len(ids)]
    found: list[NumberingBreak] = []
    for fault, stop in zip(faults, stops, strict=True):
        end = fault.row
        while end < stop and meant[end] is None:
            end += 1
        if fault.kind == "changed" and fault.row == len(ids) - 1:  # nothing goes on from the id that is asked for here
            end = len(ids)
        run = ids[fault.row : end]
        at = bisect_right(gaps, (run[0] or 0, 1 << 401)) - 1 if run else -1
        low, high = gaps[at]
        if at < 0 or not all(id_ is not None and low <= id_ < high and id_ not in present for id_ in run):
            found.append(fault)
            continue
        if at == len(gaps) - 1 and (run[0] != low or end == len(ids)):
            found.append(fault)
            continue
        meant[fault.row : end] = run
        present.update(run)
        found.append(NumberingBreak("moved", fault.row, fault.expected, end))
    return [
        fault
        for fault in found
        if fault.kind != "gap" or not all(id_ in present for id_ in range(fault.expected, ids[fault.row] or 0))
    ]


def _walk(ids: Sequence[int | None], last_reads: Sequence[int] = ()) -> tuple[list[int | None], list[NumberingBreak]]:
    """For each row the id it was meant to have (None: it is superfluous), and where the numbering breaks.

    One look ahead tells a changed id (the next row goes on as expected) from a lost line (the next row goes on from
    here) and from a line too many (the next row is what was expected here). On the last row the ids that it reads
    tell the first two apart.
    """
    meant: list[int | None] = []
    faults: list[NumberingBreak] = []
    expected, row = 0, 0
    while row < len(ids):
        found = ids[row]
        after = ids[row + 1] if row + 1 < len(ids) else None
        if found is None or found == expected:
            meant.append(expected)
            expected += 1
        elif found == expected + 1 and after == expected:
            faults.append(NumberingBreak("swapped", row, expected, row + 1))
            meant += [found, expected]
            expected += 2
            row += 1
        elif after == expected or (row + 1 == len(ids) and found == expected - 1):
            kind: Literal["repeat", "changed"] = "repeat" if found < expected else "changed"
            faults.append(NumberingBreak(kind, row, expected))
            meant.append(None)
        elif found > expected and (
            after == found + 1 or any(expected <= id_ < found for id_ in last_reads if after is None)
        ):
            faults.append(NumberingBreak("gap", row, expected))
            meant.append(found)
            expected = found + 1
        elif after == found + 1:  # the numbering jumps back: what follows is there a second time
            faults.append(NumberingBreak("repeat", row, expected))
            while row < len(ids) and ids[row] is not None and ids[row] != expected:
                meant.append(None)
                row += 1
            continue
        else:
            faults.append(NumberingBreak("changed", row, expected))
            meant.append(expected)
            expected += 1
        row += 1
    return meant, faults
