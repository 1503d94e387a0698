"""A model in protobuf's text format: the same tree and the same paths as a binary's, and places in the text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.formats.onnx.text.document import byte_order_mark, longest
from irlint.formats.onnx.text.tree_form import TreeDocument, field_of
from irlint.formats.onnx.wire import MODEL
from irlint.text.base import Path, Span, Trouble
from irlint.text.prototext.messages import Field, Tree
from irlint.text.prototext.places import PrototextPlaces
from irlint.text.prototext.read import FieldEntry, PrototextReader

if TYPE_CHECKING:
    from irlint.formats.onnx.text.prototext_edits import PrototextEdits

_MOST_GUESSES = 100


class OnnxPrototextReader(PrototextReader):
    """Keeps where the fields of the model, its graph and its functions are."""

    def _kept(self, place: Path) -> Path | None:
        return place if self.deep or place == ("graph",) or place[:-1] == ("functions",) else None

    def _bytes(self, field: Field, data: bytes) -> bytes | memoryview:
        return memoryview(data) if field.name == "raw_data" else data


class OnnxPrototext(PrototextPlaces, TreeDocument):
    syntax = "prototext"

    def __init__(self, name: str, text: str, tree: Tree, entries: dict[Path, FieldEntry]) -> None:
        super().__init__(name, tree, text=text)
        self.records, self.entries, self.reader = {}, entries, OnnxPrototextReader(text)
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

    def entry(self, path: Path) -> FieldEntry | None:
        """Return where a field or an item is, if the text has it."""
        if path in self.entries:
            return self.entries[path]
        record = longest(path, self.entries)
        return None if record is None else self.inside(record).get(path)

    def inside(self, record: Path) -> Mapping[Path, FieldEntry]:
        """Return the entries of a record and all that is in it; none of those that are records themselves."""
        return {} if is_listing(record) else self.parts(record)

    def _parts(self, record: Path) -> Mapping[Path, FieldEntry]:
        if not record:
            return self.entries
        if is_listing(record):
            return {}
        reader = OnnxPrototextReader(self.text, deep=True, whole=self.reader)
        reader.again(field_of(record), record, self.entries[record])
        return reader.entries

    @cached_property
    def edits(self) -> PrototextEdits:
        from irlint.formats.onnx.text.prototext_edits import PrototextEdits

        return PrototextEdits(self)


def is_listing(path: Path) -> bool:
    """Return whether the fields of a message are records: the model, its graph, and its functions."""
    return path in ((), ("graph",)) or (path[0] == "functions" and len(path) == 2)


def read_prototext(text: str, name: str) -> OnnxPrototext:
    has_mark = text.startswith("\ufeff")
    reader = OnnxPrototextReader(text)
    document = OnnxPrototext(name, text, reader.message(MODEL, int(has_mark)), reader.entries)
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
