"""Where the parts of one line of a listing are. A line may hold a million inputs: two arrays hold their places."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right

from irlint.text.base import Path, Span

_ID, _OP, _INPUTS = ("id",), ("op",), ("inputs",)


class LineParts:
    """Spans by path: ("id",), ("op",), ("inputs",) and ("inputs", k)."""

    def __init__(self) -> None:
        self.whole: dict[Path, Span] = {}
        self.starts, self.ends = array("q"), array("q")  # of the inputs

    def get(self, path: Path) -> Span | None:
        if len(path) == 2 and path[0] == "inputs" and isinstance(path[1], int) and 0 <= path[1] < len(self.starts):
            return Span(self.starts[path[1]], self.ends[path[1]])
        return self.whole.get(path)

    def add(self, span: Span) -> None:
        """The next input."""
        self.starts.append(span.start)
        self.ends.append(span.end)

    def at(self, offset: int) -> Path | None:
        """The path of the smallest part that holds an offset."""
        k = bisect_right(self.starts, offset) - 1
        inside = [
            (span.end - span.start, path) for path, span in self.whole.items() if span.start <= offset <= span.end
        ]
        inside += [
            (self.ends[n] - self.starts[n], (*_INPUTS, n)) for n in (k, k - 1) if n >= 0 and offset <= self.ends[n]
        ]
        return min(inside)[1] if inside else None


def parts_of(row: re.Match[str], items: re.Pattern[str], start: int) -> LineParts:
    """The parts of a line that is right; `start` is where it begins."""
    parts = LineParts()
    parts.whole[_ID] = Span(start + row.start(1), start + row.end(1))
    parts.whole[_OP] = Span(start + row.start(2), start + row.end(2))
    opening, closing = row.string.index("[", row.end(2)), row.string.rindex("]", 0, row.end())
    parts.whole[_INPUTS] = Span(start + opening, start + closing + 1)
    if row[3]:
        for item in items.finditer(row.string, *row.span(3)):
            parts.add(Span(start + item.start(), start + item.end()))
    return parts
