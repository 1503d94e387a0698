"""Source lines as cells of a terminal."""

from __future__ import annotations

from irlint.text.base import Span
from irlint.text.safe import escape


def expand(text: str, tab: int = 4) -> list[str]:
    """What is shown for each code point of a line of source: tabs as spaces, unprintable ones as escapes."""
    if text.isprintable():
        return list(text)
    return [c if c.isprintable() else " " * tab if c == "\t" else escape(c) for c in text]


def fit(widths: list[int], mark: Span, room: int) -> Span:
    """Which cells of a long line to show: as much of the mark as fits, and what stands before and after it."""
    need = min(sum(widths[mark.start : mark.end]) + 20, room)
    before = sum(widths[: mark.start])
    low, skipped = 0, 0
    while before - skipped + need > room and low < mark.start:
        skipped += widths[low]
        low += 1
    high, used = low, 0
    while high < len(widths) and used + widths[high] <= room:
        used += widths[high]
        high += 1
    return Span(low, high)
