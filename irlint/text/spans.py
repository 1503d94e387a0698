"""A document that is a table of spans: what a syntax of tokens need not say again."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import Any

from irlint.records import dataclass, field
from irlint.text.base import Document, Edit, Path, Place, Span


@dataclass
class SpanDocument(Document):
    """`spans` has the span of each path, those of its parts within it: (3,) a line, (3, 1) its second word, ..."""

    spans: dict[Path, Span] = field(default_factory=dict)

    def span(self, place: Place) -> Span:
        for size in range(len(place.path), 0, -1):
            if (found := self.spans.get(place.path[:size])) is not None:
                return found
        return Span(0, min(len(self.text), 1))

    @cached_property
    def _starts(self) -> tuple[list[int], list[Path]]:
        """Return all paths in the order of the text, parts behind what they are parts of, and where each begins."""
        found = sorted(self.spans, key=lambda path: (self.spans[path].start, len(path)))
        return [self.spans[path].start for path in found], found

    def place_at(self, offset: int) -> Place:
        starts, paths = self._starts
        k = bisect_right(starts, offset) - 1
        path: Path = paths[k] if k >= 0 else ()
        while path and not (path in self.spans and offset <= self.spans[path].end):
            path = path[:-1]
        return Place(path)

    def pointer(self, path: Path) -> str:
        return ":".join(str(step + 1 if isinstance(step, int) else step) for step in path)

    def value_at(self, path: Path) -> Any:
        if path not in self.spans:
            raise LookupError(path)
        return self.text[slice(*self.spans[path])]

    def with_line(self, offset: int, line: str) -> Edit:
        """Return the edit that inserts a line behind the one at an offset."""
        newline = "\r\n" if "\r\n" in self.text else "\n"
        end = next((at for at in (self.text.find(mark, offset) for mark in "\r\n") if at >= 0), len(self.text))
        return Edit(Span(end, end), newline + line)

    def without_line(self, offset: int) -> Edit:
        """Return the edit that removes the line at an offset."""
        line = self.lines.position(offset).line
        end = self.lines.start(line + 1) if line < self.lines.count else len(self.text)
        return Edit(Span(self.lines.start(line), end), "")

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        if isinstance(value, (list, tuple)):
            text = ",".join(map(str, value))
        else:
            text = str(value).lower() if isinstance(value, bool) else str(value)
        return (Edit(self.span(place), text),)
