"""Protobuf's JSON form of a model: the same tree and the same paths as a binary's, and places in the JSON text."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.formats.onnx.text.tree_form import TreeDocument, camel
from irlint.formats.onnx.wire import ELEMENT_NUMBERS, MESSAGES, MODEL
from irlint.text.base import Path, Place, Span, Step, Trouble
from irlint.text.floats import rounded
from irlint.text.json.document import JsonDocument
from irlint.text.json.options import JsonOptions
from irlint.text.prototext.messages import BYTES, DEPTH, DOUBLE, FLOAT, INT, MESSAGE, STRING, UINT, Field, Message, Tree

if TYPE_CHECKING:
    from irlint.formats.onnx.text.json_edits import JsonEdits

_OPTIONS = JsonOptions(claims=lambda value: isinstance(value, dict) and "graph" in value)
_FLOATS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": -float("inf")}
_ELEMENTS = {name.upper(): number for name, number in ELEMENT_NUMBERS.items()} | {"UNDEFINED": 0}
_LONGEST = 30  # characters of an integer in a string, far more than 64 bits need
_NAMES: dict[str | None, str] = {camel(name): name for message in MESSAGES.values() for name in message.fields}


class OnnxJson(TreeDocument):
    syntax = "json"

    def __init__(self, json: JsonDocument) -> None:
        reader = _JsonReader()
        super().__init__(json.name, reader.message(MODEL, json.value, ()), text=json.text)
        self.json, self.records = json, {}
        self.troubles = [*json.troubles]
        self.troubles += [Trouble(rule, json.span(Place(path)), message) for rule, path, message in reader.flaws]

    @property
    def is_left(self) -> bool:  # type: ignore[override]
        return self.json.is_left

    def complete(self) -> None:
        self.json.complete()
        self.__init__(self.json)  # type: ignore[misc]

    def _path(self, path: Path) -> Path:
        """Return where the JSON text has a place, as far as it does."""
        value, found = self.json.value, list[Step]()
        for step in self.resolved(path):
            key = camel(str(step)) if isinstance(value, dict) and step not in value else step
            try:
                value = value[key]
            except (LookupError, TypeError):
                break
            found.append(key)
        return tuple(found)

    def span(self, place: Place) -> Span:
        path = self._path(place.path)
        is_whole = isinstance(self.json.value_at(path), (dict, list)) and path
        return self.json.span(Place(path, "open" if is_whole else "value", None if is_whole else place.inner))

    def whole(self, path: Path) -> Span:
        return self.json.span(Place(self._path(path)))

    def place_at(self, offset: int) -> Place:
        return Place(tuple(_NAMES.get(str(step), step) for step in self.json.place_at(offset).path))

    def pointer(self, path: Path) -> str:
        return self.json.pointer(self._path(path))

    def json_path(self, path: Path) -> Path | None:
        """Return where the JSON text has a place; None if it does not."""
        found = self._path(path)
        return found if len(found) == len(path) else None

    @cached_property
    def edits(self) -> JsonEdits:
        from irlint.formats.onnx.text.json_edits import JsonEdits

        return JsonEdits(self)


class _JsonReader:
    """Makes a tree of parsed JSON; `flaws` are what protobuf refuses."""

    def __init__(self) -> None:
        self.flaws: list[tuple[Any, Path, str]] = []
        self._depth = 0

    def message(self, message: Message, value: Any, path: Path) -> Tree:
        if self._depth == DEPTH:
            self.flaws.append((R.too_deep, path, f"messages are nested more than {DEPTH} deep"))
            return {}
        self._depth += 1
        found = self._fields(message, value, path)
        self._depth -= 1
        return found

    def _fields(self, message: Message, value: Any, path: Path) -> Tree:
        found: Tree = {}
        if not isinstance(value, dict):
            if path or value is not None:
                self._flaw(path, "an object", value)
            return found
        for key, held in value.items():
            field = message.fields.get(_NAMES.get(key) or key)
            if field is None:
                self.flaws.append((R.unknown_key, (*path, key), f"unknown key `{key}` in a {message.name}"))
            elif held is not None:
                found[field.name] = self._field(field, held, (*path, key))
        return found

    def _field(self, field: Field, value: Any, path: Path) -> Any:
        if not field.many:
            return self._one(field, value, path)
        if not isinstance(value, list):
            self._flaw(path, "a list", value)
            return []
        return [self._one(field, one, (*path, k)) for k, one in enumerate(value)]

    def _one(self, field: Field, value: Any, path: Path) -> Any:
        if field.kind == MESSAGE:
            assert field.message is not None
            return self.message(field.message, value, path)
        words, empty, read = _SCALARS[field.kind]
        try:
            if value is None or isinstance(value, (bool, dict, list)):
                raise ValueError(value)
            return read(field, value)
        except (ValueError, OverflowError):
            self._flaw(path, words, value)
            return empty

    def _flaw(self, path: Path, wanted: str, value: Any) -> None:
        key = next((step for step in reversed(path) if isinstance(step, str)), "")
        where = f" for `{key}`" if key else ""
        self.flaws.append((R.wrong_type, path, f"expected {wanted}{where}, got {_kind(value)}"))


def _integer(field: Field, value: Any) -> int:
    if isinstance(value, str):
        names = _ELEMENTS if field.names is None else field.names
        if value in names:
            return names[value]
        if len(value) >= _LONGEST:
            raise ValueError(value)
    number = int(value)
    if (isinstance(value, float) and number != value) or not -(1 << 63) <= number < 1 << 64:
        raise ValueError(value)
    return number


def _double(field: Field, value: Any) -> float:
    return _FLOATS[value] if value in _FLOATS else float(value)


def _float(field: Field, value: Any) -> float:
    return rounded(_double(field, value))


def _string(field: Field, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _bytes(field: Field, value: Any) -> bytes | memoryview:
    text = _string(field, value).replace("-", "+").replace("_", "/")
    data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)  # raises a ValueError
    return memoryview(data) if field.name == "raw_data" else data


# What the value of a field has to be, what it is if it is not that, and what reads it or raises ValueError
_SCALARS: dict[int, tuple[str, Any, Callable[[Field, Any], Any]]] = {
    INT: ("an integer", 0, _integer),
    UINT: ("an integer", 0, _integer),
    FLOAT: ("a number", 0.0, _float),
    DOUBLE: ("a number", 0.0, _double),
    STRING: ("a string", "", _string),
    BYTES: ("a string in base64", b"", _bytes),
}


def _kind(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    words = {True: "true", False: "false", None: "null"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value).replace("'", '"')
    return f"`{text[:40]}`"


def read_json(text: str, name: str) -> OnnxJson:
    return OnnxJson(JsonDocument.parse(text, name, options=_OPTIONS))
