"""Edits of protobuf's text format: what differs between two trees, in the layout of the file; comments stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from irlint.formats.onnx.text.document import longest
from irlint.formats.onnx.text.printer import number
from irlint.formats.onnx.text.tree_edits import TreeEdits
from irlint.formats.onnx.text.tree_form import field_of
from irlint.formats.onnx.wire import enum_name
from irlint.text.base import Edit, Path, Span
from irlint.text.prototext.messages import BYTES, DOUBLE, FLOAT, INT, MESSAGE, STRING, UINT, Field
from irlint.text.prototext.read import FieldEntry
from irlint.tools import later

_INDENT = later(r"[{<]\r?\n([ \t]+)")
_SEPARATOR = later(r"[ \t]*[,;]")
_REST = later(r"[ \t]*(#[^\n]*)?(?=\r?\n|\Z)")  # of a line on which no other field is
_BLANKS = later(r"[ \t]*")
_ESCAPED = later(r'[\x00-\x1f\x7f"\\\udc80-\udcff]')
_LETTERS = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


class PrototextEdits(TreeEdits):
    """Makes the edits of one document."""

    document: Any

    def __init__(self, document: Any) -> None:
        super().__init__(document)
        self.text: str = document.text

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        *home, name, k = path
        if self.document.entry((*home, name, 0)) is None:
            return self.changed(path[:-1], [value])
        return self._insert_items(path[:-1], field_of(path), int(k), [value])

    def removed(self, path: Path) -> tuple[Edit, ...]:
        entry = self.document.entry(path)
        if entry is None:  # a list that is written item by item, or nothing
            found = self._items(path)
            return tuple(Edit(self._lines(item), "") for item in found)
        if not _is_bracketed(entry):
            return (Edit(self._lines(entry), ""),)
        *home, k = path
        if k == 0 and self.document.entry((*home, 1)) is None:
            return self.removed(tuple(home))
        assert isinstance(k, int)
        return self._remove_items(path[:-1], k, k + 1)

    def _add(self, path: Path, field: Field, value: Any) -> tuple[Edit, ...]:
        values = _values(field, value)
        if not values or not isinstance(path[-1], str):
            return ()
        one, children = field._replace(many=False), self._children(path[:-1])
        if before := [entry for entry, tag in children if tag <= field.number]:
            return (self._after(max(before), one, values),)
        if children:
            return (self._before(min(entry for entry, _ in children), one, values),)
        entry = self.document.entry(path[:-1])
        if entry is None:
            return ()
        text, inside = "".join(f" {self._field(one, v, ' ')}" for v in values), Span(entry.value + 1, entry.end - 1)
        if self.text[slice(*inside)].strip():  # a comment
            return (Edit(Span(inside.start, inside.start), text),)
        return (Edit(inside, f"{text} "),)

    def _replace(self, path: Path, field: Field, value: Any) -> tuple[Edit, ...]:
        if field.many:  # a list that becomes empty, which is written as none
            return self.removed(path)
        if (entry := self.document.entry(path)) is None:  # it is in a message that does not end
            return ()
        gap = self._gap(entry) if "\n" in self.text[entry.value : entry.end] else " "
        return (Edit(Span(entry.value, entry.end), self._value(field, value, gap)),)

    def _insert_items(self, path: Path, field: Field, k: int, values: Sequence[Any]) -> tuple[Edit, ...]:
        near = self.document.entry((*path, max(k - 1, 0)))
        if near is None:
            return ()
        if not _is_bracketed(near):
            return (self._after(near, field, values) if k else self._before(near, field, values),)
        texts = [self._value(field, value, " ") for value in values]
        if k:
            return (Edit(Span(near.end, near.end), "".join(f", {text}" for text in texts)),)
        return (Edit(Span(near.start, near.start), "".join(f"{text}, " for text in texts)),)

    def _remove_items(self, path: Path, start: int, end: int) -> tuple[Edit, ...]:
        items = [entry for k in range(start, end) if (entry := self.document.entry((*path, k))) is not None]
        if not any(map(_is_bracketed, items)):
            return tuple(Edit(self._lines(entry), "") for entry in items)
        before, after = self.document.entry((*path, start - 1)), self.document.entry((*path, end))
        if after is not None and _is_bracketed(after):
            return (Edit(Span(items[0].start, after.start), ""),)
        return () if before is None else (Edit(Span(before.end, items[-1].end), ""),)

    # places

    def _items(self, path: Path) -> list[FieldEntry]:
        found: list[FieldEntry] = []
        while (entry := self.document.entry((*path, len(found)))) is not None:
            found.append(entry)
        return found

    def _children(self, home: Path) -> list[tuple[FieldEntry, int]]:
        """Return the fields of a message, each with its number."""
        size = len(home)
        record = longest(home, self.document.entries) or ()
        inside = self.document.inside(record) or self.document.entries
        return [
            (entry, field_of(path).number)
            for path, entry in inside.items()
            if path[:size] == home and not _is_bracketed(entry) and _is_field(path[size:])
        ]

    def _gap(self, entry: FieldEntry) -> str:
        """Return what is between fields: a line break with the indentation of one that has its lines for itself, else a blank."""
        line = self.text.rfind("\n", 0, entry.start) + 1
        indent = self.text[line : entry.start]
        if indent.strip() or _REST.match(self.text, self._end(entry)) is None:
            return " "
        return self._newline + indent

    def _end(self, entry: FieldEntry) -> int:
        """Return where a field with its separator ends."""
        found = _SEPARATOR.match(self.text, entry.end)
        return entry.end if found is None else found.end()

    def _before(self, entry: FieldEntry, field: Field, values: Sequence[Any]) -> Edit:
        """Return the edit that inserts fields before one: above its line, or on it if it shares its line with others."""
        gap = self._gap(entry)
        return Edit(Span(entry.start, entry.start), "".join(self._field(field, value, gap) + gap for value in values))

    def _after(self, entry: FieldEntry, field: Field, values: Sequence[Any]) -> Edit:
        """Return the edit that inserts fields after one: below its line, or on it if it shares its line with others."""
        end, gap = self._end(entry), self._gap(entry)
        rest = _REST.match(self.text, end)
        if rest is not None and gap != " ":
            end = rest.end()
        return Edit(Span(end, end), "".join(gap + self._field(field, value, gap) for value in values))

    def _lines(self, entry: FieldEntry) -> Span:
        """Return what goes with a field: its separator, and its lines if nothing else is on them."""
        end = self._end(entry)
        rest = _REST.match(self.text, end)
        if rest is None:  # another field is on the line
            blanks = _BLANKS.match(self.text, end)
            assert blanks is not None
            return Span(entry.start, blanks.end())
        if rest[1] is not None:  # a comment
            return Span(entry.start, end)
        if self._gap(entry) == " ":
            return Span(len(self.text[: entry.start].rstrip(" \t")), end)
        following = self.text.find("\n", rest.end())
        return Span(self.text.rfind("\n", 0, entry.start) + 1, len(self.text) if following < 0 else following + 1)

    # spelling

    @cached_property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text[:1000] else "\n"

    @cached_property
    def _unit(self) -> str:
        found = _INDENT.search(self.text)
        return found[1] if found is not None else "  "

    def _field(self, field: Field, value: Any, gap: str) -> str:
        """Return the text of a field before and after which there is a gap: a blank, or a line break with its indentation."""
        return f"{field.name}{' ' if field.kind == MESSAGE else ': '}{self._value(field, value, gap)}"

    def _value(self, field: Field, value: Any, gap: str) -> str:
        return self._message(field, value, gap) if field.kind == MESSAGE else _SCALARS[field.kind](field, value)

    def _message(self, field: Field, value: Any, gap: str) -> str:
        assert field.message is not None
        deeper = " " if gap == " " else gap + self._unit
        given = [(sub, value[sub.name]) for sub in field.message.fields.values() if sub.name in value]
        fields = [
            self._field(sub._replace(many=False), one, deeper) for sub, held in given for one in _values(sub, held)
        ]
        return f"{{{deeper}{deeper.join(fields)}{gap}}}" if fields else f"{{{gap}}}"


def _values(field: Field, value: Any) -> Sequence[Any]:
    return value if field.many else [value]


def _is_bracketed(entry: FieldEntry) -> bool:
    """Return whether an entry is an item of a list in brackets."""
    return entry.start == entry.value


def _is_field(rest: Path) -> bool:
    """Return whether a path from a message on is that of a field of it, or of an item of one."""
    return len(rest) == 1 or (len(rest) == 2 and isinstance(rest[1], int))


def quoted(text: str) -> str:
    """Return a string as protobuf writes it; bytes that are not text as octal numbers."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    return _LETTERS.get(match[0]) or f"\\{ord(match[0]) & 0xFF:03o}"


def _integer(field: Field, value: Any) -> str:
    return str(enum_name(field, value) if field.names is not None else int(value))


def _bytes(field: Field, value: Any) -> str:
    return quoted(value if isinstance(value, str) else bytes(value).decode("ascii", "surrogateescape"))


_SCALARS: dict[int, Callable[[Field, Any], str]] = {
    INT: _integer,
    UINT: _integer,
    FLOAT: lambda field, value: number(value),
    DOUBLE: lambda field, value: repr(value),
    STRING: lambda field, value: quoted(value),
    BYTES: _bytes,
}
