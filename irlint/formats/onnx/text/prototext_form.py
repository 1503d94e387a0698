"""A model in protobuf's text format: the same tree and the same paths as a binary's, and places in the text."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.formats.onnx.text.document import byte_order_mark
from irlint.formats.onnx.text.nested import Nested
from irlint.formats.onnx.text.prototext_read import Entry, Reader
from irlint.formats.onnx.text.tree_document import TreeDocument
from irlint.formats.onnx.text.tree_drafts import field_of
from irlint.formats.onnx.wire.messages import PARTS
from irlint.formats.onnx.wire.reader import Tree
from irlint.text.base import Edit, Path, Place, Span, Trouble

if TYPE_CHECKING:
    from irlint.formats.onnx.text.prototext_drafts import PrototextDrafts

_OPENERS = ("{", "<", "[")
_MOST_GUESSES = 100


class OnnxPrototext(TreeDocument):
    syntax = "prototext"

    def __init__(self, name: str, text: str, tree: Tree, entries: dict[Path, Entry]) -> None:
        super().__init__(name, tree, text=text)
        self.records, self.entries, self.reader = {}, entries, Reader(text)
        self.is_broken = False
        self.guessed: list[int] = []  # where values are that could not be read

    @property
    def is_damaged(self) -> bool:
        return self.is_broken or self.crowd is not None

    @cached_property
    def guesses(self) -> set[Path]:
        found = set()
        for offset in self.guessed[:_MOST_GUESSES]:
            path = self.place_at(offset).path
            while len(path) > 1 and not is_listing(path[:-1]) and not self._is_message(path):
                path = path[:-1]  # checks call the value of an attribute and the data of a tensor by other names
            found.add(path)
        return found

    def _is_message(self, path: Path) -> bool:
        try:
            return isinstance(self.value_at(path), dict)
        except LookupError:  # a value that could not be read
            return False

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

    @cached_property
    def _nested(self) -> dict[Path, Nested]:
        return {}

    def inside(self, record: Path) -> dict[Path, Entry]:
        """Return the entries of a record and all that is in it; none of those that are records themselves."""
        if is_listing(record):
            return {}
        if (found := self._inside.get(record)) is None:
            reader = Reader(self.text, deep=True, whole=self.reader)
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

    def _record_at(self, offset: int) -> Path:
        """Return the innermost record that an offset is in; that of the whole text is ()."""
        starts, paths = self._order
        k = bisect_right(starts, offset) - 1
        record = paths[k] if k >= 0 else ()
        while record and not (record in self.entries and self.entries[record].end >= offset):
            record = record[:-1]
        return record

    def place_at(self, offset: int) -> Place:
        record = self._record_at(offset)
        if not record:
            return Place(())
        if (parts := self._nested.get(record)) is None:
            inside = self.inside(record).items()
            parts = self._nested[record] = Nested([(entry.start, entry.end, path) for path, entry in inside])
        around = [(end - start, -len(path), path) for start, end, path in parts.around(offset)]
        return Place(min(around)[2] if around else record)

    # edits

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        return self.changed(self.resolved(place.path), list(value) if isinstance(value, tuple) else value)

    @cached_property
    def drafts(self) -> PrototextDrafts:
        from irlint.formats.onnx.text.prototext_drafts import PrototextDrafts

        return PrototextDrafts(self)


def is_listing(path: Path) -> bool:
    """Return whether the fields of a message are records: the model, its graph, and its functions."""
    return path in ((), ("graph",)) or (path[0] == "functions" and len(path) == 2)


def read_prototext(text: str, name: str) -> OnnxPrototext:
    has_mark = text.startswith("\ufeff")
    reader = Reader(text)
    document = OnnxPrototext(name, text, reader.model(int(has_mark)), reader.entries)
    document.troubles, document.is_broken, document.guessed = reader.troubles, reader.is_broken, reader.guesses
    if has_mark:
        document.troubles.append(byte_order_mark("protobuf"))
    if not text.isascii():
        _report_bad_bytes(document)
    return document


def _report_bad_bytes(document: OnnxPrototext) -> None:
    """Report bytes that are not UTF-8, and nothing else about the token that they are in."""
    from irlint.text.json.prepare import bad_bytes

    if (found := bad_bytes(document.text)) is not None:
        (start, end), message = found
        document.troubles = [one for one in document.troubles if one.span.end < start or one.span.start > end]
        document.troubles.append(Trouble(R.invalid_utf8, Span(start, end), message))
