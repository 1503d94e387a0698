"""Which id each line of a listing was meant to have: ids count from 0 without gap or repeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple


class Fault(NamedTuple):
    """One break in the numbering, at one row.

    changed: the row carries another id than its place asks for; gap: the ids from `expected` up to the row's own are
    missing; repeat: the row carries an id that was there before; swapped: this row and the next stand in the wrong
    order.
    """

    kind: Literal["changed", "gap", "repeat", "swapped"]
    row: int
    expected: int


def align(ids: Sequence[int | None], last_reads: Sequence[int] = ()) -> tuple[list[int | None], list[Fault]]:
    """For each row the id it was meant to have (None: it is one too many), and where the numbering breaks.

    One look ahead tells a changed id (the next row goes on as expected) from a lost line (the next row goes on from
    here) and from a line too many (the next row is what was expected here). On the last row the ids that it reads
    tell the first two apart.
    """
    meant: list[int | None] = []
    faults: list[Fault] = []
    expected, row = 0, 0
    while row < len(ids):
        found = ids[row]
        after = ids[row + 1] if row + 1 < len(ids) else None
        if found is None or found == expected:
            meant.append(expected)
            expected += 1
        elif found == expected + 1 and after == expected:
            faults.append(Fault("swapped", row, expected))
            meant += [found, expected]
            expected += 2
            row += 1
        elif after == expected or (row + 1 == len(ids) and found == expected - 1):
            kind: Literal["repeat", "changed"] = "repeat" if found < expected else "changed"
            faults.append(Fault(kind, row, expected))
            meant.append(None)
        elif found > expected and (
            after == found + 1 or any(expected <= id_ < found for id_ in last_reads if after is None)
        ):
            faults.append(Fault("gap", row, expected))
            meant.append(found)
            expected = found + 1
        elif after == found + 1:  # the numbering jumps back: what follows is there a second time
            faults.append(Fault("repeat", row, expected))
            while row < len(ids) and ids[row] is not None and ids[row] != expected:
                meant.append(None)
                row += 1
            continue
        else:
            faults.append(Fault("changed", row, expected))
            meant.append(expected)
            expected += 1
        row += 1
    return meant, faults
