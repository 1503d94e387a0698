"""A model in protobuf's text format: the same tree and the same paths as a binary's, and places in the text."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.formats.onnx.document import OnnxDocument, byte_order_mark
from irlint.formats.onnx.messages import PARTS
from irlint.formats.onnx.prototext_read import Entry, Reader
from irlint.formats.onnx.tree_drafts import field_of
from irlint.text.base import Change, Document, Edit, Path, Place, Span, Trouble

if TYPE_CHECKING:
    from irlint.formats.onnx.prototext_drafts import PrototextDrafts

_OPENERS = ("{", "<", "[")
_MOST_GUESSES = 100


class OnnxPrototext(OnnxDocument):
    syntax = "prototext"

    def __init__(self, name: str, text: str) -> None:
        has_mark = text.startswith("\ufeff")
        reader = Reader(text)
        super().__init__(name, reader.model(int(has_mark)), text=text)
        self.records = {}
        self.entries, self.troubles = reader.entries, reader.troubles
        self._is_broken, self._guessed = reader.is_broken, reader.guesses[:_MOST_GUESSES]
        if has_mark:
            self.troubles.append(byte_order_mark("protobuf"))
        if not text.isascii():
            self._report_bad_bytes()

    def _report_bad_bytes(self) -> None:
        from irlint.text.json_prepare import bad_bytes

        if (found := bad_bytes(self.text)) is not None:
            (start, end), message = found
            self.troubles = [one for one in self.troubles if one.span.end < start or one.span.start > end]
            self.troubles.append(Trouble(R.invalid_utf8, Span(start, end), message))

    @property
    def is_damaged(self) -> bool:
        return self._is_broken

    @cached_property
    def guesses(self) -> set[Path]:  # type: ignore[override]
        found = set()
        for offset in self._guessed:
            path = self.place_at(offset).path
            while len(path) > 1 and not is_listing(path[:-1]) and not isinstance(self.value_at(path), dict):
                path = path[:-1]  # checks call the value of an attribute and the data of a tensor by other names
            found.add(path)
        return found

    # places

    def resolved(self, path: Path) -> Path:
        """Return a path in which the parts of an attribute or a tensor have their own names."""
        value: Any = self.tree
        found = []
        for step in path:
            if isinstance(value, dict) and step not in value:
                step = next((name for name in PARTS.get(str(step), ()) if name in value), step)
            found.append(step)
            try:
                value = value[step]
            except (LookupError, TypeError):
                value = None
        return tuple(found)

    def entry(self, path: Path) -> Entry | None:
        """Return where a field or an item is, if the text has it."""
        size = next((size for size in range(len(path), 0, -1) if path[:size] in self.entries), 0)
        return self.inside(path[:size]).get(path) if size < len(path) and size else self.entries.get(path)

    @cached_property
    def _inside(self) -> dict[Path, dict[Path, Entry]]:
        return {}

    def inside(self, record: Path) -> dict[Path, Entry]:
        """Return the entries of a record and all that is in it; none of those that are records themselves."""
        if is_listing(record):
            return {}
        if (found := self._inside.get(record)) is None:
            reader = Reader(self.text, deep=True)
            reader.again(field_of(record), record, self.entries[record])
            found = self._inside[record] = reader.entries
        return found

    def _nearest(self, path: Path) -> tuple[Path, Entry] | None:
        """Return the entry of a path, or that of the innermost part around it; of a list its first item."""
        for size in range(len(path), 0, -1):
            for at in (path[:size], (*path[:size], 0)):
                if (found := self.entry(at)) is not None:
                    return at, found
        return None

    def span(self, place: Place) -> Span:
        path = self.resolved(place.path)
        found = self._nearest(path)
        if found is None:
            return self._token(self.entries[self._order[1][0]]) if self.entries else Span(0, min(1, len(self.text)))
        at, entry = found
        if at != path or self.text[entry.value] in _OPENERS:
            return self._token(entry)
        if place.inner is None:
            return Span(entry.value, entry.end)
        start = entry.value + (self.text[entry.value] in "\"'")
        return Span(start + place.inner[0], start + place.inner[1])

    def _token(self, entry: Entry) -> Span:
        """Return what stands for a field as a whole: its name, or the bracket of an item."""
        end = entry.start + 1
        while self.text[end : end + 1].isidentifier() or self.text[end : end + 1].isdigit():
            end += 1
        return Span(entry.start, end)

    def whole(self, path: Path) -> Span:
        path = self.resolved(path)
        entry = self.entry(path)
        return self.span(Place(path)) if entry is None else Span(entry.start, entry.end)

    def start(self, path: Path) -> int:
        return self.whole(path).start

    @cached_property
    def _order(self) -> tuple[list[int], list[Path]]:
        rows = sorted((entry.start, -entry.end, path) for path, entry in self.entries.items())
        return [row[0] for row in rows], [row[2] for row in rows]

    def place_at(self, offset: int) -> Place:
        starts, paths = self._order
        k = bisect_right(starts, offset) - 1
        record = paths[k] if k >= 0 else ()
        while record and not (record in self.entries and self.entries[record].end >= offset):
            record = record[:-1]
        if not record:
            return Place(())
        around = [
            (entry.end - entry.start, -len(path), path)
            for path, entry in self.inside(record).items()
            if entry.start <= offset <= entry.end
        ]
        return Place(min(around)[2] if around else record)

    # edits

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        return self.changed(self.resolved(place.path), list(value) if isinstance(value, tuple) else value)

    @cached_property
    def drafts(self) -> PrototextDrafts:
        from irlint.formats.onnx.prototext_drafts import PrototextDrafts

        return PrototextDrafts(self)

    def changed(self, path: Path, value: Any) -> tuple[Edit, ...]:
        return self.drafts.changed(path, value)

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        return self.drafts.inserted(path, value)

    def removed(self, path: Path) -> tuple[Edit, ...]:
        return self.drafts.removed(path)

    def edited(self, text: str, change: Change) -> Document | None:
        return None


def is_listing(path: Path) -> bool:
    """Return whether the fields of a message are records: the model, its graph, and its functions."""
    return path in ((), ("graph",)) or (path[0] == "functions" and len(path) == 2)


def read_prototext(text: str, name: str) -> OnnxPrototext:
    return OnnxPrototext(name, text)
