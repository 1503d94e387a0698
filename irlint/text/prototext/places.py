"""Where the fields of a message are in its text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from irlint.text.base import Document, Path, Place, Span
from irlint.text.prototext.read import FieldEntry

_OPENERS = ("{", "<", "[")


class PrototextPlaces(Document):
    """A document whose fields have entries."""

    entries: Mapping[Path, FieldEntry]  # of the outermost fields at least

    @abstractmethod
    def entry(self, path: Path) -> FieldEntry | None:
        """Return where a field or an item is, if the text has it."""

    if TYPE_CHECKING:

        def resolved(self, path: Path) -> Path:
            """Return a path with the names that the text has."""

    def span(self, place: Place) -> Span:
        path = self.resolved(place.path)
        found = self._nearest(path)
        if found is None:
            return self._token(min(self.entries.values())) if self.entries else Span(0, min(1, len(self.text)))
        at, entry = found
        if place.part == "open" and at == path and self.text[entry.value] == "[":
            return Span(entry.value, entry.value + 1)
        if place.part == "key" or at != path or self.text[entry.value] in _OPENERS:
            return self._token(entry)
        start, end = entry.value, entry.end
        if place.inner is not None:
            start += self.text.startswith(('"', "'"), start)
            start, end = start + place.inner[0], start + place.inner[1]
        return Span(start, end)

    def _nearest(self, path: Path) -> tuple[Path, FieldEntry] | None:
        """Return the entry of a path, or that of the innermost part around it; of a list its first item."""
        for size in range(len(path), 0, -1):
            for at in (path[:size], (*path[:size], 0)):
                if (found := self.entry(at)) is not None:
                    return at, found
        return None

    def _token(self, entry: FieldEntry) -> Span:
        """Return what stands for a field as a whole: its name, or the bracket of an item."""
        end = entry.start + 1
        if self.text[entry.start] == "[":
            return Span(entry.start, self.text.index("]", end) + 1)
        while self.text[end : end + 1].isidentifier() or self.text[end : end + 1].isdigit():
            end += 1
        return Span(entry.start, end)

    def whole(self, path: Path) -> Span:
        path = self.resolved(path)
        entry = self.entry(path)
        return self.span(Place(path)) if entry is None else Span(entry.start, entry.end)
