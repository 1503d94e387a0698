"""What a JSON Schema lets a value hold, asked step by step: which kinds of value, which keys, what a list has inside.

A shape is a tuple of alternatives, any of which will do. What cannot be decided during the walk (conditions on other members,
patterns) is let through, so that a shape takes everything that its schema takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from irlint.records import NamedTuple

_MOST = 16  # alternatives of one shape; beyond that anything goes
_INFINITE = float("inf")
_KINDS = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))


class SchemaPart(NamedTuple):
    """A part of a JSON Schema, an object or a boolean, and the schema that its references point into."""

    schema: Any
    root: Any


class Alternative:
    """One way in which a value may be made: all parts hold together. Compared by identity."""

    def __init__(self, parts: Sequence[SchemaPart] = ()) -> None:
        schemas = [part.schema for part in parts]
        self.kinds = _common(frozenset(_listed(schema["type"])) for schema in schemas if "type" in schema)  # None: any
        self.words = _common(words for schema in schemas if (words := _words(schema)) is not None)
        self.properties: dict[str, list[SchemaPart]] = {}
        for schema, root in parts:
            for key, inner in schema.get("properties", {}).items():
                self.properties.setdefault(key, []).append(SchemaPart(inner, root))
        self.additional = _inner(parts, "additionalProperties")
        self.items = _inner(parts, "items")
        self.required = frozenset(key for schema in schemas for key in schema.get("required", ()))
        self.shortest, self.longest = _limits(schemas, "minItems", "maxItems", 0)
        self.least, self.most = _limits(schemas, "minimum", "maximum", -_INFINITE)

    def takes(self, kind: str) -> bool:
        return self.kinds is None or kind in self.kinds or (kind == "integer" and "number" in self.kinds)

    def has(self, key: str) -> bool:
        return key in self.properties or all(part.schema is not False for part in self.additional)

    @property
    def is_open(self) -> bool:
        """Return whether it has keys that the schema does not name."""
        return bool(self.additional) and all(part.schema is not False for part in self.additional)

    def fits(self, value: Any) -> bool:
        """Return whether a scalar fits."""
        kind = kind_of(value)
        is_number = kind in ("integer", "number")
        is_word = self.words is None or (kind == "string" and value in self.words)
        return self.takes(kind) and is_word and not (is_number and not self.least <= value <= self.most)


Shape = tuple[Alternative, ...]


def _inner(parts: Sequence[SchemaPart], keyword: str) -> list[SchemaPart]:
    return [SchemaPart(schema[keyword], root) for schema, root in parts if keyword in schema]


def _common(sets: Iterable[frozenset[str]]) -> frozenset[str] | None:
    """Return what all sets have in common; None if there are none."""
    found = [*sets]
    return frozenset.intersection(*found) if found else None


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def _words(schema: dict[str, Any]) -> frozenset[str] | None:
    """Return the words that a value has to be one of; None if it may be something else."""
    words = [schema["const"]] if "const" in schema else schema.get("enum")
    return frozenset(words) if words is not None and all(isinstance(word, str) for word in words) else None


def _limits(schemas: Sequence[dict[str, Any]], lower: str, upper: str, least: float) -> tuple[float, float]:
    return (
        max([least, *(schema[lower] for schema in schemas if lower in schema)]),
        min([_INFINITE, *(schema[upper] for schema in schemas if upper in schema)]),
    )


ANYTHING: Shape = (Alternative(),)


class Shapes:
    """The shapes of the values that some schemas describe; a value has to satisfy one of them."""

    def __init__(self, schemas: Sequence[Any]) -> None:
        self._known: dict[tuple[Any, ...], Shape] = {}
        self._schemas = schemas  # parts of them are known by their id()
        self.top = tuple(one for schema in schemas for one in self._shape((SchemaPart(schema, schema),))) or ANYTHING

    def member(self, shape: Shape, key: str) -> Shape:
        """Return the shape of a member's value; empty where no alternative has the key."""
        return self._once(
            (shape, key), lambda: [one.properties.get(key, one.additional) for one in shape if one.has(key)]
        )

    def item(self, shape: Shape, index: int) -> Shape:
        """Return the shape of a list's item; empty where no alternative has so many."""
        most = max(
            (len(part.schema) for one in shape for part in one.items if isinstance(part.schema, list)), default=0
        )
        fitting = tuple(one for one in shape if index < one.longest)
        return self._once((fitting, min(index, most)), lambda: [_of_index(one.items, index) for one in fitting])

    def _once(self, asked: tuple[Any, ...], choices: Callable[[], Iterable[Sequence[SchemaPart]]]) -> Shape:
        if asked not in self._known:
            found = dict.fromkeys(one for parts in choices() for one in self._shape(tuple(parts)))
            self._known[asked] = tuple(found) if len(found) <= _MOST else ANYTHING
        return self._known[asked]

    def _shape(self, parts: tuple[SchemaPart, ...]) -> Shape:
        """Return the alternatives that satisfy all parts; always the same ones for the same parts."""
        if not parts:
            return ANYTHING
        asked = tuple(id(part.schema) for part in parts)
        if asked not in self._known:
            ways: list[tuple[SchemaPart, ...]] = [()]
            for part in parts:
                ways = _both(ways, _expanded(part))
            made = map(Alternative, ways)
            self._known[asked] = tuple(one for one in made if one.kinds is None or one.kinds)
        return self._known[asked]


def _expanded(part: SchemaPart) -> list[tuple[SchemaPart, ...]]:
    """Return the ways to satisfy a schema, each as parts without references and choices that hold together."""
    schema, root = part
    if isinstance(schema, bool):
        return [()] if schema else []

    def expanded(inner: Any) -> list[tuple[SchemaPart, ...]]:
        return _expanded(SchemaPart(inner, root))

    ways: list[tuple[SchemaPart, ...]] = [(part,)]
    if "$ref" in schema:
        ways = _both(ways, expanded(_target(root, schema["$ref"])))
    for inner in schema.get("allOf", ()):
        ways = _both(ways, expanded(inner))
    if "anyOf" in schema:
        ways = _both(ways, [way for inner in schema["anyOf"] for way in expanded(inner)])
    condition = schema.get("if")
    if isinstance(condition, dict) and condition.keys() == {"type"}:
        then = _both(expanded(condition), expanded(schema.get("then", True)))
        ways = _both(ways, [*then, *expanded(schema.get("else", True))])
    return ways


def _both(ways: list[tuple[SchemaPart, ...]], others: list[tuple[SchemaPart, ...]]) -> list[tuple[SchemaPart, ...]]:
    """Return the ways to do one thing and another."""
    return [way + other for other in others for way in ways]


def _of_index(items: list[SchemaPart], index: int) -> list[SchemaPart]:
    return [
        SchemaPart(schema[index], root) if isinstance(schema, list) else SchemaPart(schema, root)
        for schema, root in items
        if not isinstance(schema, list) or index < len(schema)
    ]


def _target(root: Any, pointer: str) -> Any:
    for step in pointer.removeprefix("#").split("/")[1:]:
        root = root[step]
    return root


def kind_of(value: Any) -> str:
    """Return the kind of a parsed value, as JSON Schema calls it."""
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "null")
