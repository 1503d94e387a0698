"""Whether a value satisfies a schema. Supports the keywords that the schemas use; any other is a KeyError."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]


class TooLong(Exception):
    """A list is longer than the gate is meant for."""


class SchemaGate:
    """The schemas of one file as functions that tell whether a value satisfies them. Those of a gate with a `longest` list
    raise TooLong; any raises RecursionError for a value that is nested too deeply."""

    def __init__(self, root: Any, longest: int | None = None) -> None:
        self.root, self.longest = root, longest
        self._checks: dict[int, Check] = {}
        self._targets: dict[str, Check] = {}

    def check(self, schema: Any) -> Check:
        """Return one of the schemas in the file as a function."""
        if id(schema) not in self._checks:
            self._checks[id(schema)] = self._compile(schema)
        return self._checks[id(schema)]

    def keyword(self, schema: Mapping[str, Any], keyword: str) -> Check:
        """Return what one keyword of a schema requires, as a function."""
        return _KEYWORDS[keyword](schema[keyword], schema, self) or _anything

    def target(self, pointer: str) -> Any:
        """Return the schema that a `$ref` refers to."""
        found = self.root
        for key in pointer.removeprefix("#").split("/")[1:]:
            found = found[key]
        return found

    def referred(self, pointer: str) -> Check:
        if pointer not in self._targets:
            self._targets[pointer] = lambda value: self._targets[pointer](value)  # it may refer to itself
            self._targets[pointer] = self.check(self.target(pointer))
        return self._targets[pointer]

    def _compile(self, schema: Any) -> Check:
        if isinstance(schema, bool):
            return _anything if schema else _nothing
        checks = [made for key, part in schema.items() if (made := _KEYWORDS[key](part, schema, self)) is not None]
        if not checks:
            return _anything
        if len(checks) == 1:
            return checks[0]
        if len(checks) == 2:
            first, second = checks
            return lambda value: first(value) and second(value)

        def check(value: Any) -> bool:
            for one in checks:  # noqa: SIM110 - twice as fast as all() of a generator
                if not one(value):
                    return False
            return True

        return check


def _anything(_value: Any) -> bool:
    return True


def _nothing(_value: Any) -> bool:
    return False


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

_Keyword = Callable[[Any, "Mapping[str, Any]", SchemaGate], "Check | None"]


# the classes whose values are of a type whatever they are; others are asked one by one
_CLASSES: dict[str, set[type]] = {
    "object": {dict}, "array": {list}, "string": {str}, "integer": {int}, "number": {int, float}, "boolean": {bool},
    "null": {type(None)},
}  # fmt: skip


def _type(part: Any, _schema: Any, _gate: SchemaGate) -> Check:
    classes, types = _classes(part), [_TYPES[word] for word in _words(part)]
    return lambda value: type(value) in classes or any(one(value) for one in types)


def _words(part: Any) -> list[str]:
    return [part] if isinstance(part, str) else part


def _classes(part: Any) -> frozenset[type]:
    return frozenset[type]().union(*(_CLASSES[word] for word in _words(part)))


def _only_classes(schema: Any) -> frozenset[type]:
    """Return the classes whose values satisfy a schema that requires a type and nothing else; none for other schemas."""
    return _classes(schema["type"]) if schema.keys() - {"description"} == {"type"} else frozenset()


def _items(part: Any, _schema: Any, gate: SchemaGate) -> Check | None:
    if isinstance(part, list):
        firsts = [gate.check(one) for one in part]
        return lambda value: (
            not isinstance(value, list) or all(one(item) for one, item in zip(firsts, value, strict=False))
        )
    each, longest = gate.check(part), gate.longest
    if each is _anything:
        return None
    least, most = _bounds(part)
    classes = _only_classes(part)

    def check(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        if least is not None and value and {*map(type, value)} == {int}:
            return bool(least <= min(value) and max(value) <= most)
        if classes and classes.issuperset(map(type, value)):
            return True
        if longest is not None and len(value) > longest:
            raise TooLong
        return all(map(each, value))

    return check


def _bounds(schema: Any) -> tuple[int, int] | tuple[None, None]:
    """Return the limits of a schema that only requires an integer within limits; None for other schemas."""
    if schema.keys() - {"description"} == {"type", "minimum", "maximum"} and schema["type"] == "integer":
        return schema["minimum"], schema["maximum"]
    return None, None


def _members(_part: Any, schema: Mapping[str, Any], gate: SchemaGate) -> Check | None:
    named = {key: gate.check(part) for key, part in schema.get("properties", {}).items()}
    if "additionalProperties" not in schema:
        parts = schema["properties"]
        checks = [(key, _only_classes(parts[key]), one) for key, one in named.items() if one is not _anything]

        def check_named(value: Any) -> bool:
            if isinstance(value, dict):
                for key, classes, one in checks:
                    if key in value and type(value[key]) not in classes and not one(value[key]):
                        return False
            return True

        return check_named if checks else None
    others = gate.check(schema["additionalProperties"])

    def check(value: Any) -> bool:
        if isinstance(value, dict):
            for key, member in value.items():
                if not named.get(key, others)(member):
                    return False
        return True

    return check


def _additional(part: Any, schema: Mapping[str, Any], gate: SchemaGate) -> Check | None:
    return None if "properties" in schema else _members(part, schema, gate)


def _required(part: Any, _schema: Any, _gate: SchemaGate) -> Check:
    keys = frozenset(part)
    return lambda value: not isinstance(value, dict) or value.keys() >= keys


def _condition(part: Any, schema: Mapping[str, Any], gate: SchemaGate) -> Check:
    holds, then, otherwise = (
        gate.check(part),
        gate.check(schema.get("then", True)),
        gate.check(schema.get("else", True)),
    )
    return lambda value: then(value) if holds(value) else otherwise(value)


def _all_of(part: Any, _schema: Any, gate: SchemaGate) -> Check:
    checks = [gate.check(one) for one in part]
    return lambda value: all(one(value) for one in checks)


def _any_of(part: Any, _schema: Any, gate: SchemaGate) -> Check:
    checks = [gate.check(one) for one in part]

    def check(value: Any) -> bool:
        for one in checks:  # noqa: SIM110 - as above
            if one(value):
                return True
        return False

    return check


def _not(part: Any, _schema: Any, gate: SchemaGate) -> Check:
    check = gate.check(part)
    return lambda value: not check(value)


def _pattern(part: Any, _schema: Any, _gate: SchemaGate) -> Check:
    if part.endswith("$"):
        part = f"{part[:-1]}\\Z"  # Python's $ takes a line end after it
    search = re.compile(part, re.ASCII).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _enum(part: Any, _schema: Any, _gate: SchemaGate) -> Check:
    words = frozenset(word for word in part if isinstance(word, str))
    others = [word for word in part if not isinstance(word, str)]
    return lambda value: value in words if isinstance(value, str) else any(_same(value, word) for word in others)


def _same(a: Any, b: Any) -> bool:
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def _reference(part: Any, _schema: Any, gate: SchemaGate) -> Check:
    return gate.referred(part)


def _is_odd(value: Any) -> bool:
    """Return whether a number is NaN or infinite, which JSON has not: its reader reports that."""
    return isinstance(value, float) and value - value != 0


def _limit(kind: type | tuple[type, ...], measure: Callable[[Any], Any], least: bool) -> _Keyword:
    def keyword(part: Any, _schema: Any, _gate: SchemaGate) -> Check:
        def check(value: Any) -> bool:
            if not isinstance(value, kind) or isinstance(value, bool) or _is_odd(value):
                return True
            return bool(measure(value) >= part if least else measure(value) <= part)

        return check

    return keyword


def _no_check(_part: Any, _schema: Any, _gate: SchemaGate) -> None:
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
    "const": lambda part, schema, gate: _enum([part], schema, gate),
    "$ref": _reference,
    "minimum": _limit((int, float), lambda value: value, least=True),
    "maximum": _limit((int, float), lambda value: value, least=False),
    "minItems": _limit(list, len, least=True),
    "maxItems": _limit(list, len, least=False),
    "minLength": _limit(str, len, least=True),
    "minProperties": _limit(dict, len, least=True),
    **dict.fromkeys(("then", "else", "description", "title", "$schema", "$id", "$defs", "definitions"), _no_check),
    **dict.fromkeys(("$comment", "default", "examples", "demands", "let"), _no_check),
}
