"""A text in blocks of whole lines: an edit touches one or two blocks, whatever the size of the file.

Lines end at LF, CRLF and CR only, as in the protocol.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, count
from operator import add
from typing import Literal

from irlint.text.base import Change

Encoding = Literal["utf-8", "utf-16", "utf-32"]

ENCODINGS: tuple[Encoding, ...] = ("utf-32", "utf-16", "utf-8")  # cheapest for us first

BLOCK = 1 << 14  # characters from which on a block ends with the next line

_LINE_END = re.compile(r"\r\n|\n|\r")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}


class Block:
    """Some lines. All but the last block of a text end with a line break."""

    __slots__ = ("__dict__", "text")

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """Return where lines begin; a line break at the block's end begins the next block's first line."""
        text = self.text
        if "\r" in text:
            starts = [0, *(m.end() for m in _LINE_END.finditer(text))]
        else:
            starts = list(map(add, accumulate(map(len, text.split("\n")), initial=0), count()))[:-1]
        if len(starts) > 1 and starts[-1] == len(text):
            starts.pop()
        return starts

    @cached_property
    def line_count(self) -> int:
        """Return the number of lines that begin here, usually faster than finding them."""
        text = self.text
        return len(self.starts) if "\r" in text else text.count("\n") + (not text.endswith("\n"))

    @cached_property
    def plain(self) -> bool:
        """Return whether all characters have one unit in all encodings."""
        return self.text.isascii()


def _blocks(text: str) -> list[Block]:
    """Yield pieces of the text, split after line breaks."""
    blocks, at = [], 0
    while len(text) - at > BLOCK:
        end = _LINE_END.search(text, at + BLOCK)
        if end is None:
            break
        blocks.append(Block(text[at : end.end()]))
        at = end.end()
    if at < len(text) or not blocks:
        blocks.append(Block(text[at:]))
    return blocks


def units(text: str, encoding: Encoding) -> int:
    """Return the number of units of a text in an encoding."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    codec, size = _CODECS[encoding]
    return len(text.encode(codec, "surrogatepass")) // size


def points(text: str, count: int, encoding: Encoding) -> int:
    """Return the number of characters in the first `count` units of a text; a position inside a character is at its start."""
    if count <= 0:
        return 0
    if encoding == "utf-32" or text.isascii():
        return min(count, len(text))
    codec, size = _CODECS[encoding]
    low, high = 0, min(len(text), count)
    while low < high:
        middle = (low + high + 1) // 2
        if len(text[:middle].encode(codec, "surrogatepass")) // size <= count:
            low = middle
        else:
            high = middle - 1
    return low


class Text:
    """One immutable state of a document, readable in any thread."""

    def __init__(self, blocks: list[Block]) -> None:
        self._blocks = blocks

    @classmethod
    def of(cls, text: str) -> Text:
        return cls(_blocks(text))

    @cached_property
    def _offsets(self) -> list[int]:
        return list(accumulate((len(block.text) for block in self._blocks), initial=0))

    @cached_property
    def _lines(self) -> list[int]:
        """Return the number of each block's first line, and finally the number of lines."""
        counts = list(accumulate((block.line_count for block in self._blocks), initial=0))
        if self._ends_open:
            counts[-1] += 1
        return counts

    @property
    def _ends_open(self) -> bool:
        """Return whether the last line, after the last line break, is empty."""
        return self._blocks[-1].text.endswith(("\n", "\r"))

    def __len__(self) -> int:
        return self._offsets[-1]

    @cached_property
    def string(self) -> str:
        return "".join([block.text for block in self._blocks])

    @property
    def line_count(self) -> int:
        return self._lines[-1]

    def slice(self, start: int, end: int) -> str:
        first = max(bisect_right(self._offsets, start) - 1, 0)
        pieces = []
        for k in range(first, len(self._blocks)):
            base = self._offsets[k]
            if base >= end:
                break
            pieces.append(self._blocks[k].text[max(start - base, 0) : end - base])
        return "".join(pieces)

    def line_range(self, line: int) -> tuple[int, int]:
        """Return start and end of a line without its line break."""
        if line >= self.line_count:
            return len(self), len(self)
        k = min(bisect_right(self._lines, line) - 1, len(self._blocks) - 1)
        block, row = self._blocks[k], line - self._lines[k]
        if row >= len(block.starts):
            return len(self), len(self)
        start = block.starts[row]
        end = block.starts[row + 1] if row + 1 < len(block.starts) else len(block.text)
        if end > start and block.text[end - 1] == "\n":
            end -= 1
        if end > start and block.text[end - 1] == "\r":
            end -= 1
        return self._offsets[k] + start, self._offsets[k] + end

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """Return the offset of a position; a position after a line's end is at its end."""
        if line < 0:
            return 0
        start, end = self.line_range(line)
        return start + points(self.slice(start, end), character, encoding)

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return line and character of an offset, both from 0."""
        offsets, blocks = self._offsets, self._blocks
        offset = 0 if offset < 0 else min(offset, offsets[-1])
        k = min(bisect_right(offsets, offset), len(blocks)) - 1
        block, inside = blocks[k], offset - offsets[k]
        if inside == len(block.text) and self._ends_open:
            return self.line_count - 1, 0
        starts = block.starts
        row = bisect_right(starts, inside) - 1
        start = starts[row]
        return self._lines[k] + row, (inside - start if block.plain else units(block.text[start:inside], encoding))

    def positions(self, start: int, end: int, encoding: Encoding) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the positions of two offsets in order, which are usually close."""
        first, offsets = self.position(start, encoding), self._offsets
        k = bisect_right(offsets, start) - 1
        if not 0 <= start <= end < offsets[min(k + 1, len(offsets) - 1)]:
            return first, self.position(end, encoding)
        block, inside = self._blocks[k], end - offsets[k]
        row = bisect_right(block.starts, inside) - 1
        begin = block.starts[row]
        last = inside - begin if block.plain else units(block.text[begin:inside], encoding)
        return first, (self._lines[k] + row, last)

    def replaced(self, start: int, end: int, new: str) -> Text:
        """Return the text with a range replaced; blocks outside the range are shared."""
        offsets, blocks = self._offsets, self._blocks
        first = max(min(bisect_right(offsets, start), len(blocks)) - 1, 0)
        last = max(min(bisect_right(offsets, end), len(blocks)) - 1, first)
        middle = blocks[first].text[: start - offsets[first]] + new + blocks[last].text[end - offsets[last] :]
        if first > 0 and middle[:1] in ("\n", ""):  # perhaps the other half of a CRLF
            first -= 1
            middle = blocks[first].text + middle
        if last + 1 < len(blocks) and not middle.endswith("\n"):
            last += 1
            middle += blocks[last].text
        return Text([*blocks[:first], *_blocks(middle), *blocks[last + 1 :]])


def forward(changes: Iterable[Change], offset: int, *, is_end: bool = False) -> int | None:
    """Return the new offset; None if the text around it was replaced."""
    for start, end, size in changes:
        if offset >= end and not (is_end and offset == start == end):
            offset += size - (end - start)
        elif offset > start:
            return None
    return offset


def moved(changes: Sequence[Change], start: int, end: int) -> tuple[int, int] | None:
    """Return the new span; None if its text was replaced."""
    for k, (first, last, size) in enumerate(changes):
        if start >= last and end > last:
            delta = size - (last - first)
            start, end = start + delta, end + delta
        elif start >= first or end > first:
            rest = changes[k:]
            begins, ends = forward(rest, start), forward(rest, end, is_end=True)
            return None if begins is None or ends is None or ends < begins else (begins, ends)
    return start, end


def backward(changes: list[Change], offset: int) -> int:
    """Return the old offset; inside new text, the start of that text."""
    for start, end, size in reversed(changes):
        if offset >= start + size:
            offset -= size - (end - start)
        elif offset > start:
            offset = start
    return offset
