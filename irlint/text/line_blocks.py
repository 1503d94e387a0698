"""Which line an offset is on, told by counts of line ends in blocks: a text that is asked for a few needs no table of all."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

SIZE = 1024


class LineBlocks:
    """For texts in which only LF ends a line."""

    def __init__(self, text: str) -> None:
        self.text = text
        starts = range(0, len(text), SIZE)
        count, find = text.count, text.rfind
        self._before = list(accumulate([count("\n", at, at + SIZE) for at in starts], initial=1))
        self._begins = list(accumulate([find("\n", at, at + SIZE) + 1 for at in starts], max, initial=0))

    def line(self, offset: int) -> tuple[int, int]:
        """The number of the line that an offset is on, and where that line begins."""
        block = min(offset, len(self.text)) // SIZE
        start = block * SIZE
        inside = self.text.count("\n", start, offset)
        if inside:
            return self._before[block] + inside, self.text.rfind("\n", start, offset) + 1
        return self._before[block], self._begins[block]

    @property
    def count(self) -> int:
        return self._before[-1]

    def start(self, number: int) -> int:
        """Where a line begins that there is."""
        if number == 1:
            return 0
        block = bisect_left(self._before, number) - 1
        piece = self.text[block * SIZE : (block + 1) * SIZE]
        return block * SIZE + len(piece) - len(piece.split("\n", number - self._before[block])[-1])
