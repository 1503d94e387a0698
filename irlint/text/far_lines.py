"""Line starts of a text with millions of lines: counted in blocks, looked up block by block."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import overload

BLOCK = 1 << 16
KEPT = 16  # blocks remembered at a time

LINE_END = re.compile(r"\r\n|\n|\r")


def count_line_ends(text: str, start: int = 0, end: int | None = None) -> int:
    """Return the number of line ends in a text or a part of it."""
    stop = len(text) if end is None else end
    found = text.count("\n", start, stop)
    if "\r" in text:
        found += text.count("\r", start, stop) - text.count("\r\n", start, stop)
    return found


class FarStarts(Sequence[int]):
    """The starts of lines, as a sequence that takes little memory."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._bounds = [0]
        while self._bounds[-1] < len(text):
            end = min(self._bounds[-1] + BLOCK, len(text))
            self._bounds.append(end + (text[end - 1] == "\r" and text.startswith("\n", end)))
        self._before = [1]  # starts up to the beginning of each block
        for start, end in pairwise(self._bounds):
            self._before.append(self._before[-1] + count_line_ends(text, start, end))
        self._recent: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return self._before[-1]

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(index)
        if number == 0:
            return 0
        block = bisect_right(self._before, number) - 1
        return self._block(block)[number - self._before[block]]

    def rank(self, offset: int) -> int:
        """Return the number of lines that start at or before an offset."""
        block = min(bisect_right(self._bounds, offset) - 1, len(self._bounds) - 2)
        return self._before[block] + bisect_right(self._block(block), offset)

    def _block(self, block: int) -> list[int]:
        """Return the starts after the line ends of a block."""
        found = self._recent.get(block)
        if found is None:
            if len(self._recent) >= KEPT:
                self._recent.clear()
            start, end = self._bounds[block : block + 2]
            found = self._recent[block] = [match.end() for match in LINE_END.finditer(self.text, start, end)]
        return found
