"""Source lines as cells of a terminal: what is shown of a line, and where in it the mark stands."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from irlint.report.excerpt import WIDTH, Row
from irlint.text import safe

TAB = "    "  # a tab is four spaces wherever it stands, so that a line cut anywhere looks the same
MORE = "..."
AFTER = 40  # cells kept free behind the mark where there is a choice


class Line(NamedTuple):
    """A line as shown; `start` and `end` are the cells of the mark, if it has one."""

    text: str
    start: int
    end: int


def line(row: Row) -> Line:
    """A row in at most WIDTH cells, cut around its mark."""
    pieces = [TAB if char == "\t" else piece for char, piece in zip(row.text, safe.pieces(row.text), strict=True)]
    ends = [0, *accumulate(map(safe.width, pieces))]
    low, high = _window(ends, max(row.start, 0), max(row.end, 0))
    before = MORE if low or row.more_before else ""
    after = MORE if high < len(pieces) or row.more_after else ""
    shift = len(before) - ends[low]
    start, end = (shift + ends[min(at, high)] if row.start >= 0 else 0 for at in (row.start, row.end))
    return Line(before + "".join(pieces[low:high]) + after, start, end)


def _window(ends: list[int], start: int, end: int) -> tuple[int, int]:
    """Which characters fit into WIDTH cells: from the line's beginning if the mark fits, else around it."""
    need = min(ends[end] + AFTER, ends[start] + WIDTH, ends[-1])
    low = 0
    while need - ends[low] > WIDTH and low < start:
        low += 1
    high = low
    while high < len(ends) - 1 and ends[high + 1] - ends[low] <= WIDTH:
        high += 1
    return low, high
