"""Mapping of offsets of an edited text to the text before the edits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from irlint.text.base import Edit


class OriginalOffsets:
    """A function from offsets of the edited text to the original text; inserted text maps to its edit."""

    def __init__(self, edits: Iterable[Edit], start: int = 0) -> None:
        """Prepare the mapping; `start` is where the edited text begins if it is a part of the other."""
        self.starts: list[int] = []  # of what each edit wrote, in the edited text
        self.edits = sorted(edits)
        self.base, shift = start, -start
        for (begin, end), new in self.edits:
            self.starts.append(begin + shift)
            shift += len(new) - (end - begin)

    def __call__(self, at: int) -> int:
        k = bisect_right(self.starts, at) - 1
        if k < 0:
            return at + self.base
        (begin, end), new = self.edits[k]
        behind = at - self.starts[k] - len(new)
        return begin if behind < 0 else end + behind

    def touches(self, start: int, end: int) -> bool:
        """Return whether an edit is in a range of the edited text."""
        k = bisect_left(self.starts, start)
        if k < len(self.starts) and self.starts[k] <= end:
            return True
        return k > 0 and self.starts[k - 1] + len(self.edits[k - 1].text) >= start
