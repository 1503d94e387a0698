"""The gate for small files: whether a value satisfies a schema, without the library, which validates large files faster but
takes longer to import than a small file to lint. Supports the keywords that the schemas use; any other is a KeyError."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from irlint.resources import load_json

Check = Callable[[Any], bool]

LONG = 300  # items of a list; the library validates longer ones


class TooLong(Exception):
    pass


@cache
def gate(name: str) -> Check:
    """Return schemas/NAME as a function, which raises TooLong or RecursionError for values that are too large for it."""
    root = load_json(name)
    known: dict[str, Check] = {}

    def referred(pointer: str) -> Check:
        if pointer not in known:
            known[pointer] = lambda value: known[pointer](value)  # it may refer to itself
            target = root
            for key in pointer.removeprefix("#").split("/")[1:]:
                target = target[key]
            known[pointer] = _compile(target, referred)
        return known[pointer]

    return _compile(root, referred)


def _compile(schema: Any, referred: Callable[[str], Check]) -> Check:
    if isinstance(schema, bool):
        return lambda value: schema

    def inner(part: Any) -> Check:
        return _compile(part, referred)

    checks = [
        made for key, part in schema.items() if (made := _KEYWORDS[key](part, schema, inner, referred)) is not None
    ]
    if len(checks) == 1:
        return checks[0]

    def check(value: Any) -> bool:
        for one in checks:  # noqa: SIM110 - twice as fast as all() of a generator
            if not one(value):
                return False
        return True

    return check


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TYPES: dict[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}

_Inner = Callable[[Any], Check]
_Referred = Callable[[str], Check]
_Keyword = Callable[[Any, "Mapping[str, Any]", _Inner, _Referred], "Check | None"]


def _type(part: Any, _schema: Any, _inner: _Inner, _referred: _Referred) -> Check:
    if isinstance(part, str):
        return _TYPES[part]
    types = [_TYPES[word] for word in part]
    return lambda value: any(one(value) for one in types)


def _items(part: Any, _schema: Any, inner: _Inner, _referred: _Referred) -> Check:
    if isinstance(part, list):
        firsts = [inner(one) for one in part]
        return lambda value: (
            not isinstance(value, list) or all(one(item) for one, item in zip(firsts, value, strict=False))
        )
    each = inner(part)
    least, most = _bounds(part)

    def check(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        if least is not None and value and {*map(type, value)} == {int}:
            return bool(least <= min(value) and max(value) <= most)
        if len(value) > LONG:
            raise TooLong
        return all(map(each, value))

    return check


def _bounds(schema: Any) -> tuple[int, int] | tuple[None, None]:
    """Return the limits of a schema that only requires an integer within limits; None for other schemas."""
    if schema.keys() - {"description"} == {"type", "minimum", "maximum"} and schema["type"] == "integer":
        return schema["minimum"], schema["maximum"]
    return None, None


def _members(_part: Any, schema: Mapping[str, Any], inner: _Inner, _referred: _Referred) -> Check:
    named = {key: inner(part) for key, part in schema.get("properties", {}).items()}
    others = inner(schema.get("additionalProperties", True))

    def check(value: Any) -> bool:
        return not isinstance(value, dict) or all(named.get(key, others)(member) for key, member in value.items())

    return check


def _additional(part: Any, schema: Mapping[str, Any], inner: _Inner, referred: _Referred) -> Check | None:
    return None if "properties" in schema else _members(part, schema, inner, referred)


def _required(part: Any, _schema: Any, _inner: _Inner, _referred: _Referred) -> Check:
    return lambda value: not isinstance(value, dict) or all(key in value for key in part)


def _condition(part: Any, schema: Mapping[str, Any], inner: _Inner, _referred: _Referred) -> Check:
    holds, then, otherwise = inner(part), inner(schema.get("then", True)), inner(schema.get("else", True))
    return lambda value: then(value) if holds(value) else otherwise(value)


def _all_of(part: Any, _schema: Any, inner: _Inner, _referred: _Referred) -> Check:
    checks = [inner(one) for one in part]
    return lambda value: all(one(value) for one in checks)


def _any_of(part: Any, _schema: Any, inner: _Inner, _referred: _Referred) -> Check:
    checks = [inner(one) for one in part]
    return lambda value: any(one(value) for one in checks)


def _not(part: Any, _schema: Any, inner: _Inner, _referred: _Referred) -> Check:
    check = inner(part)
    return lambda value: not check(value)


def _pattern(part: Any, _schema: Any, _inner: _Inner, _referred: _Referred) -> Check:
    if part.endswith("$"):
        part = f"{part[:-1]}\\Z"  # Python's $ takes a line end after it
    search = re.compile(part, re.ASCII).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _enum(part: Any, _schema: Any, _inner: _Inner, _referred: _Referred) -> Check:
    if not all(isinstance(word, str) for word in part):
        raise KeyError("enum of anything but words")
    words = frozenset(part)
    return lambda value: isinstance(value, str) and value in words


def _reference(part: Any, _schema: Any, _inner: _Inner, referred: _Referred) -> Check:
    return referred(part)


def _limit(kind: type | tuple[type, ...], measure: Callable[[Any], Any], least: bool) -> _Keyword:
    def keyword(part: Any, _schema: Any, _inner: _Inner, _referred: _Referred) -> Check:
        def check(value: Any) -> bool:
            if not isinstance(value, kind) or isinstance(value, bool):
                return True
            return bool(measure(value) >= part if least else measure(value) <= part)

        return check

    return keyword


def _nothing(_part: Any, _schema: Any, _inner: _Inner, _referred: _Referred) -> None:
    return None


_KEYWORDS: dict[str, _Keyword] = {
    "type": _type,
    "items": _items,
    "properties": _members,
    "additionalProperties": _additional,
    "required": _required,
    "if": _condition,
    "allOf": _all_of,
    "anyOf": _any_of,
    "not": _not,
    "pattern": _pattern,
    "enum": _enum,
    "const": lambda part, schema, inner, referred: _enum([part], schema, inner, referred),
    "$ref": _reference,
    "minimum": _limit((int, float), lambda value: value, least=True),
    "maximum": _limit((int, float), lambda value: value, least=False),
    "minItems": _limit(list, len, least=True),
    "maxItems": _limit(list, len, least=False),
    "minLength": _limit(str, len, least=True),
    "minProperties": _limit(dict, len, least=True),
    **dict.fromkeys(("then", "else", "description", "title", "$schema", "$id", "$defs", "definitions"), _nothing),
    **dict.fromkeys(("$comment", "default", "examples"), _nothing),
}
