"""Edits of protobuf's text format: what differs between two trees, in the layout of the file; comments stay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from irlint.formats.onnx.text.prototext_read import Entry
from irlint.formats.onnx.text.show import number
from irlint.formats.onnx.text.tree_drafts import TreeDrafts, field_of
from irlint.formats.onnx.wire.messages import BYTES, ENUMS, FLOAT, INTEGERS, MESSAGE, STRING, Field, enum_name
from irlint.text.base import Edit, Path, Span
from irlint.text.patterns import later

_INDENT = later(r"[{<]\r?\n([ \t]+)")
_SEPARATOR = later(r"[ \t]*[,;]")
_REST = later(r"[ \t]*(#[^\n]*)?(?=\r?\n|\Z)")  # of a line on which no other field is
_BLANKS = later(r"[ \t]*")
_ESCAPED = later(r'[\x00-\x1f\x7f"\\\udc80-\udcff]')
_LETTERS = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


class Prototext(Protocol):
    """A document in protobuf's text format, as far as edits need it."""

    text: str
    entries: dict[Path, Entry]

    def value_at(self, path: Path) -> Any: ...

    def entry(self, path: Path) -> Entry | None: ...

    def inside(self, record: Path) -> dict[Path, Entry]: ...


class PrototextDrafts(TreeDrafts):
    """Makes the edits of one document."""

    document: Prototext

    def __init__(self, document: Prototext) -> None:
        super().__init__(document)
        self.text = document.text

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
        home = path[:-1]
        values = value if field.many else [value]
        one = field._replace(many=False)
        if not values or not isinstance(path[-1], str):
            return ()
        children = self._children(home)
        before = [entry for entry, tag in children if tag <= field.number]
        if before:
            return (self._after(max(before), [self._field(one, v, self._indent_of(max(before))) for v in values]),)
        if children:
            first = min(entry for entry, _ in children)
            indent = self._indent_of(first)
            gap = " " if indent is None else self._newline + indent
            return (Edit(Span(first.start, first.start), "".join(self._field(one, v, indent) + gap for v in values)),)
        entry = self.document.entry(home)
        if entry is None:
            return ()
        fields, inside = " ".join(self._field(one, v, None) for v in values), Span(entry.value + 1, entry.end - 1)
        if self.text[slice(*inside)].strip():  # a comment
            return (Edit(Span(inside.start, inside.start), f" {fields}"),)
        return (Edit(inside, f" {fields} "),)

    def _replace(self, path: Path, field: Field, value: Any) -> tuple[Edit, ...]:
        if field.many:  # a list that becomes empty, which is written as none
            return self.removed(path)
        if (entry := self.document.entry(path)) is None:  # it is in a message that does not end
            return ()
        indent = self._indent_of(entry) if "\n" in self.text[entry.value : entry.end] else None
        return (Edit(Span(entry.value, entry.end), self._value(field, value, indent)),)

    def _insert_items(self, path: Path, field: Field, k: int, values: Sequence[Any]) -> tuple[Edit, ...]:
        near = self.document.entry((*path, max(k - 1, 0)))
        if near is None:
            return ()
        indent = self._indent_of(near)
        if _is_bracketed(near):
            texts = [self._value(field, value, None) for value in values]
            if k:
                return (Edit(Span(near.end, near.end), "".join(f", {text}" for text in texts)),)
            return (Edit(Span(near.start, near.start), "".join(f"{text}, " for text in texts)),)
        texts = [self._field(field, value, indent) for value in values]
        if k:
            return (self._after(near, texts),)
        gap = " " if indent is None else self._newline + indent
        return (Edit(Span(near.start, near.start), "".join(text + gap for text in texts)),)

    def _remove_items(self, path: Path, start: int, end: int) -> tuple[Edit, ...]:
        items = [entry for k in range(start, end) if (entry := self.document.entry((*path, k))) is not None]
        if not any(map(_is_bracketed, items)):
            return tuple(Edit(self._lines(entry), "") for entry in items)
        before, after = self.document.entry((*path, start - 1)), self.document.entry((*path, end))
        if after is not None and _is_bracketed(after):
            return (Edit(Span(items[0].start, after.start), ""),)
        return () if before is None else (Edit(Span(before.end, items[-1].end), ""),)

    # places

    def _items(self, path: Path) -> list[Entry]:
        found: list[Entry] = []
        while (entry := self.document.entry((*path, len(found)))) is not None:
            found.append(entry)
        return found

    def _children(self, home: Path) -> list[tuple[Entry, int]]:
        """Return the fields of a message, each with its number."""
        size = len(home)
        record = next((home[:n] for n in range(size, 0, -1) if home[:n] in self.document.entries), ())
        inside = self.document.inside(record) or self.document.entries
        return [
            (entry, field_of(path).number)
            for path, entry in inside.items()
            if path[:size] == home and size < len(path) <= size + 2 and not _is_bracketed(entry)
            and (len(path) == size + 1 or isinstance(path[-1], int))
        ]  # fmt: skip

    def _indent_of(self, entry: Entry) -> str | None:
        """Return the indentation of a field that has its lines for itself; None of others."""
        line = self.text.rfind("\n", 0, entry.start) + 1
        indent = self.text[line : entry.start]
        return None if indent.strip() or _REST.match(self.text, self._end(entry)) is None else indent

    def _end(self, entry: Entry) -> int:
        """Return where a field with its separator ends."""
        found = _SEPARATOR.match(self.text, entry.end)
        return entry.end if found is None else found.end()

    def _after(self, entry: Entry, texts: list[str]) -> Edit:
        """Return the edit that inserts fields after one: below its line, or on it if it shares its line with others."""
        end, indent = self._end(entry), self._indent_of(entry)
        if indent is None:
            return Edit(Span(end, end), "".join(f" {text}" for text in texts))
        if (rest := _REST.match(self.text, end)) is not None:
            end = rest.end()
        return Edit(Span(end, end), "".join(f"{self._newline}{indent}{text}" for text in texts))

    def _lines(self, entry: Entry) -> Span:
        """Return what goes with a field: its separator, and its lines if nothing else is on them."""
        end = self._end(entry)
        rest = _REST.match(self.text, end)
        if rest is not None and rest[1] is None and self._indent_of(entry) is not None:
            line = self.text.rfind("\n", 0, entry.start) + 1
            following = self.text.find("\n", rest.end())
            return Span(line, len(self.text) if following < 0 else following + 1)
        if rest is not None:
            start = len(self.text[: entry.start].rstrip(" \t")) if rest[1] is None else entry.start
            return Span(start, end)
        blanks = _BLANKS.match(self.text, end)
        assert blanks is not None
        return Span(entry.start, blanks.end())

    # spelling

    @cached_property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text[:1000] else "\n"

    @cached_property
    def _unit(self) -> str:
        found = _INDENT.search(self.text)
        return found[1] if found is not None else "  "

    def _field(self, field: Field, value: Any, indent: str | None) -> str:
        """Return the text of a field; on one line if `indent`, that of its first line, is None."""
        return f"{field.name}{' ' if field.kind == MESSAGE else ': '}{self._value(field, value, indent)}"

    def _value(self, field: Field, value: Any, indent: str | None) -> str:
        if field.kind == MESSAGE:
            assert field.message is not None
            deeper = None if indent is None else indent + self._unit
            fields = [
                self._field(sub._replace(many=False), one, deeper)
                for sub in field.message.fields.values()
                if sub.name in value
                for one in (value[sub.name] if sub.many else [value[sub.name]])
            ]
            if deeper is None:
                return f"{{ {' '.join(fields)} }}" if fields else "{ }"
            rows = "".join(f"{self._newline}{deeper}{text}" for text in fields)
            return f"{{{rows}{self._newline}{indent}}}"
        if field.kind == STRING:
            return quoted(value)
        if field.kind == BYTES:
            data = value if isinstance(value, str) else bytes(value).decode("ascii", "surrogateescape")
            return quoted(data)
        if field.kind in INTEGERS:
            return str(enum_name(field, value) if field.name in ENUMS else int(value))
        return number(value) if field.kind == FLOAT else repr(value)


def _is_bracketed(entry: Entry) -> bool:
    """Return whether an entry is an item of a list in brackets."""
    return entry.start == entry.value


def quoted(text: str) -> str:
    """Return a string as protobuf writes it; bytes that are not text as octal numbers."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    return _LETTERS.get(match[0]) or f"\\{ord(match[0]) & 0xFF:03o}"
