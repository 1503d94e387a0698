"""Edits of the JSON form: what differs between two trees, in the spelling and the layout of the file."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Protocol

from irlint.formats.onnx.messages import ATTRIBUTE_TYPES, BYTES, DOUBLE, FLOAT, INTEGERS, MESSAGE, MODEL, Field, Message
from irlint.formats.onnx.show import number
from irlint.text.base import Edit, Path, Place, Span
from irlint.text.json import JsonDocument
from irlint.text.json_dump import dump

_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)\S")
_PLAIN = frozenset(("data_type", "elem_type", "key_type", "int32_data", "pipeline_stage"))  # integers of 32 bits
_ENUMS = {
    "type": {number: name.upper() for number, (name, _) in ATTRIBUTE_TYPES.items()},
    "data_location": {0: "DEFAULT", 1: "EXTERNAL"},
}
_MISSING: Any = object()


class JsonForm(Protocol):
    """A document that is the JSON form, as far as edits need it."""

    json: JsonDocument

    def json_path(self, path: Path) -> Path | None: ...

    def value_at(self, path: Path) -> Any: ...


class JsonDrafts:
    """Makes the edits of one document."""

    def __init__(self, document: JsonForm) -> None:
        self.document, self.json = document, document.json

    def changed(self, path: Path, value: Any) -> tuple[Edit, ...]:
        field = _field(path)
        try:
            old = self.document.value_at(path)
        except LookupError:
            old = _MISSING
        if value is None or old is _MISSING:
            return self._member(path, field, old, value)
        return tuple(sorted(self._differences(path, field, old, value)))

    def inserted(self, path: Path, value: Any) -> tuple[Edit, ...]:
        at = self.document.json_path(path[:-1])
        if at is None or not isinstance(self.json.value_at(at), list):
            return self.changed(path[:-1], [value])
        return self.json.insert_item(at, int(path[-1]), self._text(self._spelled(_field(path), value), at))

    def removed(self, path: Path) -> tuple[Edit, ...]:
        at = self.document.json_path(path)
        return () if at is None else self.json.remove(at)

    def _member(self, path: Path, field: Field, old: Any, value: Any) -> tuple[Edit, ...]:
        """Return the edits that add or remove a key."""
        at = self.document.json_path(path)
        if value is None:
            return self.json.remove(at) if at is not None else ()
        spelled = self._spelled(field, value)
        if at is not None:  # null
            return self.json.replace(Place(at), self._text(spelled, at[:-1]))
        home = self.document.json_path(path[:-1])
        if home is None or not isinstance(path[-1], str):
            return ()
        return self.json.insert_member(home, self._key(field.name), self._text(spelled, home))

    def _differences(self, path: Path, field: Field, old: Any, new: Any) -> Iterator[Edit]:
        if old is new or old == new:
            return
        at = self.document.json_path(path)
        assert at is not None
        if isinstance(old, dict) and isinstance(new, dict):
            yield from self._of_objects(path, at, field, old, new)
        elif isinstance(old, list) and isinstance(new, list) and old and new:
            yield from self._of_lists(path, at, field, old, new)
        else:
            yield from self.json.replace(Place(at), self._text(self._spelled(field, new), at[:-1]))

    def _of_objects(self, path: Path, at: Path, field: Field, old: Any, new: Any) -> Iterator[Edit]:
        assert field.message is not None
        gone, fresh = old.keys() - new.keys(), [key for key in new if key not in old]
        if len(gone) > 1 or len(fresh) > 1 or (gone and len(old) == 1):  # edits of neighbors would touch each other
            yield from self.json.replace(Place(at), self._text(self._spelled(field, new), at[:-1]))
            return
        for key in (*gone, *fresh):
            yield from self.changed((*path, key), new.get(key))
        for key in old.keys() & new.keys():
            yield from self._differences((*path, key), field.message.fields[key], old[key], new[key])

    def _of_lists(self, path: Path, at: Path, field: Field, old: list[Any], new: list[Any]) -> Iterator[Edit]:
        most = min(len(old), len(new))
        head = next((k for k in range(most) if old[k] != new[k]), most)
        tail = next((k for k in range(most - head) if old[-1 - k] != new[-1 - k]), most - head)
        middle = most - tail  # up to here items become others
        for k in range(head, middle):
            yield from self._differences((*path, k), field._replace(many=False), old[k], new[k])
        if len(new) > len(old):
            texts = [
                self._text(self._spelled(field._replace(many=False), one), at) for one in new[middle : len(new) - tail]
            ]
            yield from self.json.insert_item(at, middle, f",{self._gap(at)}".join(texts))
        elif len(new) < len(old):
            start = self._item(at, middle).start if tail else self._item(at, middle - 1).end
            end = self._item(at, len(old) - tail).start if tail else self._item(at, len(old) - 1).end
            yield Edit(Span(start, end), "")

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
        if self._has_snakes:
            return name
        first, *rest = name.split("_")
        return first + "".join(map(str.capitalize, rest))

    def _spelled(self, field: Field, value: Any) -> Any:
        if field.many:
            return [self._spelled(field._replace(many=False), one) for one in value]
        if field.kind == MESSAGE:
            assert field.message is not None
            return {self._key(key): self._spelled(field.message.fields[key], one) for key, one in value.items()}
        if field.kind == BYTES:
            data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)
            return base64.b64encode(data).decode()
        if field.kind in (FLOAT, DOUBLE):
            if value != value or abs(value) == float("inf"):
                return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
            return float(number(value)) if field.kind == FLOAT else value
        if field.kind in INTEGERS:
            if field.name in _ENUMS:
                return _ENUMS[field.name].get(value, value) if self._has_names else value
            return str(int(value)) if self._has_strings and field.name not in _PLAIN else int(value)
        return value

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


def _field(path: Path) -> Field:
    """Return the field of a path; of an item of a list, as if it were not in one."""
    message: Message | None = MODEL
    field: Field | None = None
    for step in path:
        if isinstance(step, int):
            assert field is not None
            field = field._replace(many=False)
        else:
            if message is None or step not in message.fields:
                raise LookupError(path)
            field = message.fields[step]
            message = field.message
    if field is None:
        raise LookupError(path)
    return field
