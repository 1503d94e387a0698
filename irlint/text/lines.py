"""Lines of a text: where they begin, and which one an offset is on.

A text that is asked for a few lines needs no table of all: line ends are counted in blocks. Nor does one with millions of lines,
whose starts are looked up block by block.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, count, pairwise
from operator import add
from typing import overload

from irlint.records import NamedTuple

SIZE = 1024  # characters of a block of which line ends are counted
BLOCK = 1 << 16  # characters of a block whose starts are listed
KEPT = 16  # blocks remembered at a time

LINE_END = re.compile(r"\r\n|\n|\r")
MANY_LINES = 2_000_000  # from which on their starts are not kept in a list
NEAR = 1000  # characters between two offsets that are looked through for a line end


class Position(NamedTuple):
    """1-based line and column; columns count code points."""

    line: int
    column: int


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


def indent(text: str, at: int) -> str | None:
    """Return the whitespace before a token; None if the token does not begin its line."""
    before = text[max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1 : at]
    return None if before.strip() else before


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
        """Where an existing line begins."""
        if number == 1:
            return 0
        block = bisect_left(self._before, number) - 1
        piece = self.text[block * SIZE : (block + 1) * SIZE]
        return block * SIZE + len(piece) - len(piece.split("\n", number - self._before[block])[-1])


class Lines:
    """Line starts of a text. Lines end at LF, CRLF and CR only, as in editors and the language server protocol."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def starts(self) -> Sequence[int]:
        if len(self.text) > MANY_LINES and count_line_ends(self.text) > MANY_LINES:
            return FarStarts(self.text)
        if "\r" in self.text:
            return [0, *(m.end() for m in LINE_END.finditer(self.text))]
        lengths = map(len, self.text.split("\n"))
        return list(map(add, accumulate(lengths, initial=0), count()))[:-1]

    @cached_property
    def _blocks(self) -> LineBlocks | None:
        return None if "starts" in self.__dict__ or "\r" in self.text else LineBlocks(self.text)

    @property
    def count(self) -> int:
        return len(self.starts) if self._blocks is None else self._blocks.count

    def start(self, number: int) -> int:
        """Return where an existing line begins, without listing all lines if only a few are needed."""
        return self.starts[number - 1] if self._blocks is None else self._blocks.start(number)

    @cached_property
    def at(self) -> Callable[[int], tuple[int, int]]:
        """Return the number of the line of an offset, and where that line begins."""
        return self._listed if self._blocks is None else self._blocks.line

    def _listed(self, offset: int) -> tuple[int, int]:
        starts = self.starts
        line = starts.rank(offset) if isinstance(starts, FarStarts) else bisect_right(starts, offset)
        return line, starts[line - 1]

    def position(self, offset: int) -> Position:
        line, start = self.at(offset)
        if line == 1 and self.text.startswith("\ufeff") and offset > 0:
            start = 1  # editors show no column for a byte order mark
        return Position(line, offset - start + 1)

    def positions(self, start: int, end: int) -> tuple[Position, Position]:
        """Return the positions of two offsets, in order."""
        first = line, column = self.position(start)
        if 0 < start <= end < start + NEAR:
            between = self.text[start:end]
            if "\n" not in between and "\r" not in between:
                return first, Position(line, column + end - start)
        return first, self.position(end)

    def offset(self, line: int, column: int) -> int:
        start = self.starts[line - 1]
        if line == 1 and self.text.startswith("\ufeff"):
            start = 1
        return min(start + column - 1, len(self.text))

    def line(self, number: int) -> str:
        """Return the text of a line without its line break."""
        start = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")
