"""What users' schemas say of a place in a file: for editors, which show it and offer what is allowed there.

Schemas are read here without a validator, so that an answer takes no longer than a keystroke: all alternatives count.
"""

from __future__ import annotations

import json
import os
import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from irlint.files.read import Unreadable, read
from irlint.formats.navigation import Choice, Navigation
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.settings import UserSchema
from irlint.text.base import Document, Path, Span, decode
from irlint.text.json.values import dump
from irlint.tools.installed import schemas_folder
from irlint.user_schemas.bounds import SIZE, Files
from irlint.user_schemas.xml_hints import XmlHints, xml_place

_MOST = 300  # parts of a schema that are looked at for one place
_JOINED = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("then", "else", "if")


class SchemaPlace(NamedTuple):
    """A place in a value that a schema describes. `is_key`: the key of an object's member; `others`: the keys beside it."""

    path: Path
    span: Span
    is_key: bool
    others: frozenset[str] = frozenset()
    is_json: bool = False  # what is written there is JSON, with quotes

    def written(self, value: Any) -> str:
        """Return a value as the file would hold it."""
        return value if isinstance(value, str) and not self.is_json else dump(value)


class _Part(NamedTuple):
    """A part of a schema and the file that it is in."""

    schema: Any
    path: str


class SchemaHints:
    """What one JSON Schema says of places in a model."""

    def __init__(self, schema: UserSchema) -> None:
        self._files, self._path = Files(schema.base, str(schemas_folder())), schema.path
        self._digest = schema.digest

    def notes(self, place: SchemaPlace) -> list[str]:
        """Return the titles and descriptions of a place."""
        parts = (part.schema for part in self._at(place.path))
        found = [": ".join(filter(None, (_text(part, "title"), _text(part, "description")))) for part in parts]
        return list(dict.fromkeys(filter(None, found)))

    def choices(self, place: SchemaPlace) -> Iterator[Choice]:
        """Yield the keys or values that are allowed at a place."""
        if place.is_key:
            for part in self._at(place.path[:-1]):
                for key, inner in _dict(part.schema.get("properties")).items():
                    if key not in place.others:
                        doc = _text(inner, "description") or _text(inner, "title")
                        yield Choice(place.written(key), "attribute", _kind(inner), doc, key)
            return
        for part in self._at(place.path):
            values = part.schema.get("enum", [part.schema["const"]] if "const" in part.schema else [])
            values = values or ([True, False] if part.schema.get("type") == "boolean" else [])
            for value in values[:_MOST] if isinstance(values, list) else ():
                label = value if isinstance(value, str) else json.dumps(value)
                yield Choice(
                    place.written(value), "value", _text(part.schema, "title"), _text(part.schema, "description"), label
                )

    def _at(self, path: Path) -> list[_Part]:
        """Return the parts of the schema that describe a place."""
        found = self._whole([_Part(_content(self._path, self._digest), self._path)])
        for step in path:
            found = self._whole([_Part(inner, part.path) for part in found for inner in _inner(part.schema, step)])
        return found

    def _whole(self, parts: list[_Part]) -> list[_Part]:
        """Return parts with those that they refer to or are made of."""
        found, work, looked = dict[int, _Part](), deque(parts), 0
        while work and looked < _MOST:
            part, looked = work.popleft(), looked + 1
            if isinstance(part.schema, dict) and id(part.schema) not in found:
                found[id(part.schema)] = part
                joined = [inner for key in _JOINED for inner in _list(part.schema.get(key))[:_MOST]]
                branches = [part.schema[key] for key in _BRANCHES if key in part.schema]
                work += [_Part(inner, part.path) for inner in (*joined, *branches)]
                work += self._referred(part)
        return list(found.values())

    def _referred(self, part: _Part) -> list[_Part]:
        reference = part.schema.get("$ref")
        if not isinstance(reference, str):
            return []
        location, _, pointer = reference.partition("#")
        path = self._files.path_of(location, os.path.dirname(part.path)) if location else part.path
        value = None if path is None else _content(path, self._digest)
        for step in pointer.split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            value = value.get(step) if isinstance(value, dict) else None
        return [] if path is None else [_Part(value, path)]


@lru_cache(maxsize=64)
def _content(path: str, digest: str) -> Any:
    """Return the content of a schema's file, read again when one of the files has changed."""
    try:
        return json.loads(decode(read(path, SIZE))[0].removeprefix("\ufeff"))
    except (Unreadable, ValueError, RecursionError):
        return None


def _inner(schema: dict[str, Any], step: str | int) -> Iterator[Any]:
    if isinstance(step, str):
        named = _dict(schema.get("properties"))
        yield named[step] if step in named else schema.get("additionalProperties")
    else:
        items, firsts = schema.get("items"), _list(schema.get("prefixItems", schema.get("items")))
        yield firsts[step] if step < len(firsts) else items


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(schema: Any, key: str) -> str:
    text = _dict(schema).get(key)
    return text if isinstance(text, str) else ""


def _kind(schema: Any) -> str:
    kind = _dict(schema).get("type", "")
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)


_HALF_KEY = re.compile(r'[{,]\s*("?[^"\s{}\[\],:]*)\Z')
_HALF_VALUE = re.compile(r'"([^"\\]*)"\s*:\s*("?[^"\s{}\[\],:]*)\Z')
_NEAR = 200  # characters before the cursor in which a key or value that is being written is looked for


def hints_at(
    model: Model, schemas: Sequence[UserSchema], navigation: Navigation, offset: int
) -> Iterator[tuple[list[str], Iterator[Choice], Span]]:
    """Yield what each schema says of an offset: its notes, what may be written there, and where that would be."""
    for schema in schemas:
        if not schema.is_json and model.document.syntax == "xml" and (at := xml_place(model.document, offset)):
            yield XmlHints(schema).notes(at), XmlHints(schema).choices(at), at.span
        elif (place := place_of(model, schema, navigation, offset)) is not None:
            yield SchemaHints(schema).notes(place), SchemaHints(schema).choices(place), place.span


def place_of(model: Model, schema: UserSchema, navigation: Navigation, offset: int) -> SchemaPlace | None:
    """Return what a schema may describe at an offset; None if it describes nothing there."""
    if schema.of == "file":
        is_json = schema.is_json and model.document.syntax == "json" and not model.document.is_binary
        return _in_json(model.document, offset) if is_json else None
    token = navigation.token_at(model, offset)
    if token is None:
        return None
    (word, _, key), node = token.part.partition(":"), token.target.node
    where = {"call": "nodes", "const": "constants"}.get(node.kind, "inputs")
    steps: dict[str, Path] = {
        "attr": ("attributes", key),
        "attr_key": ("attributes", key),
        "output": ("outputs", 0, "name"),
    }
    others = frozenset(node.attrs) - {key} if word == "attr_key" else frozenset()
    return SchemaPlace((where, 0, *steps.get(word, (word,))), token.span, word == "attr_key", others)


def _in_json(document: Document, offset: int) -> SchemaPlace | None:
    place = document.place_at(offset)
    if place.part not in ("key", "value") or (
        isinstance(_value(document, place.path), (dict, list)) and place.part == "value"
    ):
        before = document.place_at(max(offset - 1, 0))  # the cursor is after a value
        if before.part == "value" and not isinstance(_value(document, before.path), (dict, list)):
            place = before
    value = _value(document, place.path)
    if place.part == "key" or not isinstance(value, (dict, list)):
        others = _value(document, place.path[:-1]) if place.part == "key" else {}
        keys = frozenset(others) - {place.path[-1]} if isinstance(others, dict) and place.path else frozenset()
        return SchemaPlace(place.path, document.span(place), place.part == "key", keys, True)
    near = document.text[max(offset - _NEAR, 0) : offset]  # not a whole member yet
    if (found := _HALF_VALUE.search(near)) is not None:
        return SchemaPlace((*place.path, found[1]), _half(document, offset, found[2]), False, is_json=True)
    if isinstance(value, dict) and (found := _HALF_KEY.search(near)) is not None:
        return SchemaPlace((*place.path, ""), _half(document, offset, found[1]), True, frozenset(value), True)
    return None


def _half(document: Document, offset: int, written: str) -> Span:
    """Return the span of a word that is being written, with the quote that an editor has put behind the cursor."""
    is_closed = written.startswith('"') and document.text.startswith('"', offset)
    return Span(offset - len(written), offset + is_closed)


def _value(document: Document, path: Path) -> Any:
    try:
        return document.value_at(path)
    except LookupError:
        return None
