"""Parts of a text within each other: which of them an offset is in, without a look at all of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from irlint.text.base import Path

Part = tuple[int, int, Path]  # start, end, what it is


class Nested:
    def __init__(self, parts: Iterable[Part]) -> None:
        self._parts = sorted(parts, key=lambda part: (part[0], -part[1]))
        self._starts = [start for start, _, _ in self._parts]
        self._outer: list[int] = []  # of each part the one before it that reaches up to it; -1 if none does
        for k, start in enumerate(self._starts):
            outer = k - 1
            while outer >= 0 and self._parts[outer][1] < start:
                outer = self._outer[outer]
            self._outer.append(outer)

    def around(self, offset: int) -> Iterator[Part]:
        """Yield the parts that an offset is in, or at the end of."""
        k = bisect_right(self._starts, offset) - 1
        while k >= 0:
            if self._parts[k][1] >= offset:
                yield self._parts[k]
            k = self._outer[k]
