"""Edits of the JSON form: what differs between two trees, in the spelling and the layout of the file."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from math import isfinite
from typing import Any

from irlint.formats.onnx.text.printer import number
from irlint.formats.onnx.text.tree_edits import TreeEdits
from irlint.formats.onnx.text.tree_form import camel, field_of
from irlint.formats.onnx.wire import enum_name
from irlint.text.base import Edit, Path, Place, Span
from irlint.text.json.document import JsonDocument
from irlint.text.json.values import dump
from irlint.text.prototext.messages import BYTES, DOUBLE, FLOAT, INT, MESSAGE, UINT, Field

_SPECIAL = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)\S")


class JsonEdits(TreeEdits):
    """Makes the edits of one document."""

    def __init__(self, document: Any) -> None:
        super().__init__(document)
        self.json: JsonDocument = document.json
        self._path: Callable[[Path], Path | None] = document.json_path
        self._writers = {INT: self._integer, UINT: self._integer, FLOAT: _float, DOUBLE: _double, BYTES: _base64}

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        at = self._path(path[:-1])
        if at is None or not isinstance(self.json.value_at(at), list):
            return self.changed(path[:-1], [value])
        return self.json.insert_item(at, int(path[-1]), self._text(self._spelled(field_of(path), value), at))

    def removed(self, path: Path) -> tuple[Edit, ...]:
        at = self._path(path)
        return () if at is None else self.json.remove(at)

    def _add(self, path: Path, field: Field, value: Any) -> tuple[Edit, ...]:
        at, spelled = self._path(path), self._spelled(field, value)
        if at is not None:  # null
            return self.json.replace(Place(at), self._text(spelled, at[:-1]))
        home = self._path(path[:-1])
        if home is None or not isinstance(path[-1], str):
            return ()
        return self.json.insert_member(home, self._key(field.name), self._text(spelled, home))

    def _replace(self, path: Path, field: Field, value: Any) -> tuple[Edit, ...]:
        at = self._found(path)
        return self.json.replace(Place(at), self._text(self._spelled(field, value), at[:-1]))

    def _insert_items(self, path: Path, field: Field, k: int, values: Sequence[Any]) -> tuple[Edit, ...]:
        at = self._found(path)
        texts = [self._text(self._spelled(field, value), at) for value in values]
        return self.json.insert_item(at, k, f",{self._gap(at)}".join(texts))

    def _remove_items(self, path: Path, start: int, end: int) -> tuple[Edit, ...]:
        at = self._found(path)
        listed = self.json.value_at(at)
        if end < len(listed):
            return (Edit(Span(self._item(at, start).start, self._item(at, end).start), ""),)
        return (Edit(Span(self._item(at, start - 1).end, self._item(at, end - 1).end), ""),)

    def _found(self, path: Path) -> Path:
        at = self._path(path)
        assert at is not None
        return at

    def _item(self, home: Path, k: int) -> Span:
        return self.json.span(Place((*home, k)))

    # spelling

    @cached_property
    def _has_snakes(self) -> bool:
        """Return whether keys are spelled as in the schema, not as protobuf spells them by default."""
        keys = {*self.json.value, *(key for key in self.json.value.get("graph") or {})}
        return any("_" in key for key in keys)

    @cached_property
    def _has_strings(self) -> bool:
        """Return whether integers of 64 bits are strings, as protobuf writes them."""
        numbers = [self.json.value.get(key) for key in ("irVersion", "ir_version")]
        return not any(isinstance(one, int) for one in numbers)

    @cached_property
    def _has_names(self) -> bool:
        """Return whether types of attributes are words, as protobuf writes them."""
        found = re.search(r'"type"\s*:\s*([0-9"])', self.json.text)
        return found is None or found[1] == '"'

    def _key(self, name: str) -> str:
        return name if self._has_snakes else camel(name)

    def _spelled(self, field: Field, value: Any) -> Any:
        if field.many:
            return [self._spelled(field._replace(many=False), one) for one in value]
        if field.kind == MESSAGE:
            assert field.message is not None
            return {self._key(key): self._spelled(field.message.fields[key], one) for key, one in value.items()}
        write = self._writers.get(field.kind)
        return value if write is None else write(field, value)

    def _integer(self, field: Field, value: Any) -> int | str:
        if field.names is not None:
            return enum_name(field, value) if self._has_names else int(value)
        return str(int(value)) if self._has_strings and not field.is_short else int(value)

    # layout

    @cached_property
    def _indent(self) -> str:
        found = _INDENT.search(self.json.text)
        return found[1] if found is not None else ""

    def _gap(self, home: Path) -> str:
        """Return what is between the children of a container."""
        depth = len(home) + 1
        newline = "\r\n" if "\r\n" in self.json.text[:1000] else "\n"
        return newline + self._indent * depth if self._indent else " "

    def _text(self, value: Any, home: Path) -> str:
        """Return the text of a new child of a container."""
        return dump(value, self._indent).replace("\n", self._gap(home)) if self._indent else dump(value)


def _base64(field: Field, value: Any) -> str:
    data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)
    return base64.b64encode(data).decode()


def _double(field: Field, value: float) -> float | str:
    return value if isfinite(value) else _SPECIAL[str(value)]


def _float(field: Field, value: float) -> float | str:
    return float(number(value)) if isfinite(value) else _SPECIAL[str(value)]
