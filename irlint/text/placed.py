"""Documents of simple syntaxes: plain values, and the span of each of them and of its key."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from irlint.text.base import Document, Path, Place, Span, below


class PlacedDocument(Document):
    """`values` are the spans of values by path, `keys` those of their keys; `is_broken`: not all of the text could be read."""

    syntax = "plain"

    def __init__(
        self, text: str, name: str, tree: Any, values: Mapping[Path, Span], keys: Mapping[Path, Span] | None = None
    ) -> None:
        super().__init__(text, name)
        self.tree, self.values, self.keys = tree, values, {} if keys is None else keys
        self.is_broken = False

    @property
    def guesses(self) -> Set[Path]:
        return {()} if self.is_broken else frozenset()

    def span(self, place: Place) -> Span:
        path = place.path
        while path and path not in self.values:
            path = path[:-1]
        at = path if path else next(iter(self.values), ())
        if place.part == "open" and path and path == place.path and self.values[path].end > self.values[path].start:
            return Span(self.values[path].start, self.values[path].start + 1)
        if (
            place.part == "key" or path != place.path or isinstance(self._value(path), dict | list)
        ) and at in self.keys:
            return self.keys[at]
        found = self.values.get(at, Span(0, min(1, len(self.text))))
        return Span(found.start, min(found.end, self._end_of_line(found.start)))

    def _end_of_line(self, start: int) -> int:
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end

    def _value(self, path: Path) -> Any:
        try:
            return self.value_at(path)
        except LookupError:
            return None

    def whole(self, path: Path) -> Span:
        key, value = self.keys.get(path), self.values.get(path)
        return self.span(Place(path)) if value is None else Span((key or value).start, value.end)

    def place_at(self, offset: int) -> Place:
        around = (self.whole(path) for path in self.values)
        found = [
            (end - start, -len(path), path)
            for path, (start, end) in zip(self.values, around, strict=True)
            if start <= offset <= end
        ]
        return Place(min(found, default=(0, 0, ()))[2])

    def pointer(self, path: Path) -> str:
        return "".join(f"/{step}" for step in path)

    def value_at(self, path: Path) -> Any:
        return below(self.tree, path)
