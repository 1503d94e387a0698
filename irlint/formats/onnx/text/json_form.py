"""Protobuf's JSON form of a model: the same tree and the same paths as a binary's, and places in the JSON text."""

from __future__ import annotations

import base64
import binascii
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.formats.onnx.tensors import rounded
from irlint.formats.onnx.text.tree_document import TreeDocument
from irlint.formats.onnx.wire.messages import (
    BYTES,
    DOUBLE,
    ELEMENT_NUMBERS,
    ENUMS,
    FLOAT,
    INTEGERS,
    MESSAGE,
    MESSAGES,
    MODEL,
    PARTS,
    Field,
    Message,
)
from irlint.formats.onnx.wire.reader import DEPTH, Tree
from irlint.text.base import Edit, Path, Place, Span, Step, Trouble
from irlint.text.json.document import JsonDocument
from irlint.text.json.options import JsonOptions

if TYPE_CHECKING:
    from irlint.formats.onnx.text.json_drafts import JsonDrafts

_OPTIONS = JsonOptions(claims=lambda value: isinstance(value, dict) and "graph" in value)
_FLOATS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": -float("inf")}
_ELEMENTS = {name.upper(): number for name, number in ELEMENT_NUMBERS.items()} | {"UNDEFINED": 0}
_WORDS = {BYTES: "a string in base64", FLOAT: "a number", DOUBLE: "a number", MESSAGE: "an object"}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


_NAMES: dict[str | None, str] = {_camel(name): name for message in MESSAGES.values() for name in message.fields}


class OnnxJson(TreeDocument):
    syntax = "json"

    def __init__(self, json: JsonDocument) -> None:
        reader = _Reader()
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
        for step in path:
            if isinstance(value, dict):
                names = [step, *PARTS.get(str(step), ())]
                keys = [key for name in names for key in (name, _camel(str(name))) if key in value]
            else:
                keys = [step] if isinstance(value, list) and isinstance(step, int) and step < len(value) else []
            if not keys:
                break
            found.append(keys[0])
            value = value[keys[0]]
        return tuple(found)

    def span(self, place: Place) -> Span:
        path = self._path(place.path)
        is_whole = isinstance(self.json.value_at(path), (dict, list)) and path
        return self.json.span(Place(path, "open" if is_whole else "value", None if is_whole else place.inner))

    def whole(self, path: Path) -> Span:
        return self.json.span(Place(self._path(path)))

    def start(self, path: Path) -> int:
        return self.whole(path).start

    def place_at(self, offset: int) -> Place:
        return Place(tuple(_NAMES.get(str(step), step) for step in self.json.place_at(offset).path))

    def pointer(self, path: Path) -> str:
        return self.json.pointer(self._path(path))

    def json_path(self, path: Path) -> Path | None:
        """Return where the JSON text has a place; None if it does not."""
        found = self._path(path)
        return found if len(found) == len(path) else None

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        path = self.json_path(place.path)  # in which the parts of an attribute or a tensor have their own names
        named = place.path if path is None else tuple(_NAMES.get(str(step), step) for step in path)
        return self.changed(named, list(value) if isinstance(value, tuple) else value)

    @cached_property
    def drafts(self) -> JsonDrafts:
        from irlint.formats.onnx.text.json_drafts import JsonDrafts

        return JsonDrafts(self)


class _Reader:
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
        try:
            return _scalar(field, value)
        except (ValueError, OverflowError):
            words = "an integer" if field.kind in INTEGERS else _WORDS.get(field.kind, "a string")
            self._flaw(path, words, value)
            return {BYTES: b"", FLOAT: 0.0, DOUBLE: 0.0}.get(field.kind, 0 if field.kind in INTEGERS else "")

    def _flaw(self, path: Path, wanted: str, value: Any) -> None:
        key = next((step for step in reversed(path) if isinstance(step, str)), "")
        where = f" for `{key}`" if key else ""
        self.flaws.append((R.wrong_type, path, f"expected {wanted}{where}, got {_kind(value)}"))


def _scalar(field: Field, value: Any) -> Any:
    """Return a value as the tree has it; raise ValueError if it is of another kind."""
    if value is None or isinstance(value, (bool, dict, list)):
        raise ValueError(value)
    if field.kind in INTEGERS:
        if isinstance(value, str) and (names := ENUMS.get(field.name, _ELEMENTS)).get(value) is not None:
            return names[value]
        number = int(value) if not isinstance(value, str) or len(value) < 30 else 1 << 64
        if (isinstance(value, float) and number != value) or not -(1 << 63) <= number < 1 << 64:
            raise ValueError(value)
        return number
    if field.kind in (FLOAT, DOUBLE):
        real = _FLOATS[value] if value in _FLOATS else float(value)
        return real if field.kind == DOUBLE else rounded(real)
    if not isinstance(value, str):
        raise ValueError(value)
    if field.kind != BYTES:
        return value
    try:
        data = base64.b64decode(value.replace("-", "+").replace("_", "/") + "=" * (-len(value) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError(value) from error
    return memoryview(data) if field.name == "raw_data" else data


def _kind(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    words = {True: "true", False: "false", None: "null"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value).replace("'", '"')
    return f"`{text[:40]}`"


def read_json(text: str, name: str) -> OnnxJson:
    return OnnxJson(JsonDocument.parse(text, name, options=_OPTIONS))
