"""Source lines as cells of a terminal: the visible part of a line, and the mark in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from irlint.records import NamedTuple
from irlint.report.excerpt import WIDTH, ExcerptRow
from irlint.text import safe

TAB = "    "  # a tab is always four spaces, so that a line cut anywhere looks the same
MORE = "..."
AFTER = 40  # cells kept free behind the mark where there is a choice


class LineWidth(NamedTuple):
    """The number of cells of a complete line, and of the visible part of a longer one without the dots."""

    whole: int = WIDTH
    window: int = WIDTH

    def without(self, cells: int) -> LineWidth:
        """Return the room that is left when a number of cells is used."""
        return LineWidth(self.whole - cells, self.window - cells)


WIDE = LineWidth()


def frame(room: int) -> LineWidth:
    """Return the room in a number of cells."""
    return LineWidth(min(room, WIDTH), min(room - 2 * len(MORE), WIDTH))


class ShownLine(NamedTuple):
    """A line as shown; `start` and `end` are the cells of the mark, if it has one."""

    text: str
    start: int
    end: int


def line(row: ExcerptRow, frame: LineWidth = WIDE) -> ShownLine:
    """Return a row cut around its mark to fit into a frame."""
    if len(row.text) <= frame.whole and is_plain(row.text) and not (row.more_before or row.more_after):
        return ShownLine(row.text, max(row.start, 0), max(row.end, 0))
    pieces, ends = _pieces(row.text)
    size = frame.window if ends[-1] > frame.whole or row.more_before or row.more_after else frame.whole
    low, high = _window(ends, max(row.start, 0), max(row.end, 0), size)
    before = MORE if low or row.more_before else ""
    after = MORE if high < len(pieces) or row.more_after else ""
    shift = len(before) - ends[low]
    start, end = (shift + ends[min(at, high)] if row.start >= 0 else 0 for at in (row.start, row.end))
    return ShownLine(f"{before}{''.join(pieces[low:high])}{after}", start, end)


def is_plain(text: str) -> bool:
    """Return whether each character is shown as itself, in one cell."""
    return text.isascii() and text.isprintable() and "##" not in text


def _pieces(text: str) -> tuple[Sequence[str], Sequence[int]]:
    """Return what is shown for each character, and the cell at which each begins (and the last one ends)."""
    if is_plain(text):
        return text, range(len(text) + 1)
    pieces = [TAB if char == "\t" else piece for char, piece in zip(text, safe.pieces(text), strict=True)]
    return pieces, [0, *accumulate(map(safe.width, pieces))]


def _window(ends: Sequence[int], start: int, end: int, size: int) -> tuple[int, int]:
    """Return the characters that fit into a number of cells: from the line's beginning if the mark fits, else around it."""
    need = min(ends[end] + min(AFTER, size // 3), ends[start] + size, ends[-1])
    low = min(start, bisect_left(ends, need - size))
    return low, bisect_right(ends, ends[low] + size) - 1
