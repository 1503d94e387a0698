"""What a JSON Schema lets a value hold, asked step by step: which kinds of value, which keys, what a list has inside.

A shape is a tuple of alternatives, any of which will do. What cannot be told on the way (conditions on other members,
patterns) is let through, so that a shape takes everything that its schema takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

Schema = Any  # a part of a JSON Schema: an object or a boolean
_MOST = 16  # alternatives of one shape; beyond that anything goes


class Alternative:
    """One way in which a value may be made. Compared by identity: each part of a schema is read once."""

    __slots__ = ("additional", "items", "kinds", "limits", "longest", "properties", "required", "shortest", "words")

    def __init__(self) -> None:
        self.kinds: frozenset[str] | None = None  # None: any
        self.properties: dict[str, list[Schema]] = {}
        self.additional: list[Schema] = []
        self.required: frozenset[str] = frozenset()
        self.items: list[Schema] = []
        self.shortest, self.longest = 0, 1 << 62
        self.words: frozenset[str] | None = None
        self.limits: tuple[float, float] = (float("-inf"), float("inf"))

    def copy(self) -> Alternative:
        other = Alternative()
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(other, name, value.copy() if isinstance(value, (dict, list)) else value)
        other.properties = {key: parts.copy() for key, parts in self.properties.items()}
        return other

    def takes(self, kind: str) -> bool:
        return self.kinds is None or kind in self.kinds or (kind == "integer" and "number" in self.kinds)

    @property
    def is_open(self) -> bool:
        """Whether it has keys that the schema does not name."""
        return bool(self.additional) and all(part is not False for part in self.additional)

    def has(self, key: str) -> bool:
        return key in self.properties or all(part is not False for part in self.additional)


Shape = tuple[Alternative, ...]
ANYTHING: Shape = (Alternative(),)


class Shapes:
    """The shapes of the values that some schemas describe; a value has to satisfy one of them."""

    def __init__(self, schemas: Sequence[Schema]) -> None:
        self.top: Shape = ()
        self._roots: dict[int, Schema] = {}
        self._parts: dict[int, Schema] = {}  # keeps alive what is known by its id
        self._known: dict[tuple[Any, ...], Shape] = {}
        for root in schemas:
            self._note(root, root)
            self.top += tuple(self._expanded(root, root))
        self.top = self.top or ANYTHING

    def member(self, shape: Shape, key: str) -> Shape:
        """The shape of a member's value; empty where no alternative has the key."""
        asked = (shape, key)
        if asked not in self._known:
            parts = [
                alternative.properties.get(key, alternative.additional) for alternative in shape if alternative.has(key)
            ]
            self._known[asked] = self._all(parts)
        return self._known[asked]

    def item(self, shape: Shape, index: int) -> Shape:
        """The shape of a list's item; empty where no alternative has so many."""
        most = max((len(part) for one in shape for part in one.items if isinstance(part, list)), default=0)
        fitting = tuple(one for one in shape if index < one.longest)
        asked = (fitting, min(index, most))
        if asked not in self._known:
            self._known[asked] = self._all([_of_index(one.items, index) for one in fitting])
        return self._known[asked]

    def _all(self, choices: Sequence[list[Schema]]) -> Shape:
        found: list[Alternative] = []
        for parts in choices:
            found += [one for one in self._together(parts) if one not in found]
        return tuple(found) if len(found) <= _MOST else ANYTHING

    def _together(self, parts: list[Schema]) -> Shape:
        """What satisfies all of some parts."""
        asked = ("parts", *map(id, parts))
        if asked not in self._known:
            made = [Alternative()] if parts else list(ANYTHING)
            for part in parts:
                made = self._narrowed(made, part, self._roots.get(id(part)))
            self._known[asked] = tuple(made)
        return self._known[asked]

    def _expanded(self, schema: Schema, root: Schema) -> list[Alternative]:
        return self._narrowed([Alternative()], schema, root)

    def _narrowed(self, made: list[Alternative], schema: Schema, root: Schema) -> list[Alternative]:
        """Alternatives that satisfy a schema, too."""
        if isinstance(schema, bool):
            return made if schema else []
        if "$ref" in schema:
            made = self._narrowed(made, _target(root, schema["$ref"]), root)
        for part in schema.get("allOf", ()):
            made = self._narrowed(made, part, root)
        made = [narrowed for one in made if (narrowed := self._own(one, schema, root)) is not None]
        if "anyOf" in schema:
            made = [one for part in schema["anyOf"] for one in self._narrowed([m.copy() for m in made], part, root)]
        condition = schema.get("if")
        if isinstance(condition, dict) and condition.keys() == {"type"}:
            then = self._narrowed(
                self._narrowed([m.copy() for m in made], condition, root), schema.get("then", True), root
            )
            made = [*then, *self._narrowed([m.copy() for m in made], schema.get("else", True), root)]
        return made

    def _own(self, one: Alternative, schema: Mapping[str, Any], root: Schema) -> Alternative | None:
        """The alternative with what a schema says itself."""
        one = one.copy()
        if "type" in schema:
            kinds = frozenset([schema["type"]] if isinstance(schema["type"], str) else schema["type"])
            one.kinds = kinds if one.kinds is None else one.kinds & kinds
        words = [schema["const"]] if "const" in schema else schema.get("enum")
        if words is not None and all(isinstance(word, str) for word in words):
            one.words = frozenset(words) if one.words is None else one.words & frozenset(words)
        for key, part in schema.get("properties", {}).items():
            one.properties.setdefault(key, []).append(self._note(part, root))
        if "additionalProperties" in schema:
            one.additional.append(self._note(schema["additionalProperties"], root))
        if "items" in schema:
            one.items.append(self._note(schema["items"], root))
        one.required |= frozenset(schema.get("required", ()))
        one.shortest = max(one.shortest, schema.get("minItems", 0))
        one.longest = min(one.longest, schema.get("maxItems", one.longest))
        least, most = one.limits
        one.limits = max(least, schema.get("minimum", least)), min(most, schema.get("maximum", most))
        return one if one.kinds is None or one.kinds else None

    def _note(self, part: Schema, root: Schema) -> Schema:
        for inner in part if isinstance(part, list) else [part]:
            self._roots[id(inner)], self._parts[id(inner)] = root, inner
        self._parts[id(part)] = part
        return part


def _of_index(items: list[Schema], index: int) -> list[Schema]:
    return [
        part[index] if isinstance(part, list) else part
        for part in items
        if not isinstance(part, list) or index < len(part)
    ]


def _target(root: Schema, pointer: str) -> Schema:
    for step in pointer.removeprefix("#").split("/")[1:]:
        root = root[step]
    return root


def kind_of(value: Any) -> str:
    """The kind of a parsed value, as JSON Schema calls it."""
    if value is None:
        return "null"
    for kind, name in _KINDS:
        if isinstance(value, kind):
            return name
    return "object"


_KINDS = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"))


class ListLengths:
    """How long the lists are whose length the schema leaves open within narrow limits: all alike, in most files."""

    def __init__(self) -> None:
        self._lengths: dict[Shape, dict[int, int]] = {}

    def note(self, shape: Shape, length: int) -> None:
        lengths = self._lengths.setdefault(shape, {})
        lengths[length] = lengths.get(length, 0) + 1

    def forbid(self, shape: Shape, length: int) -> bool:
        lengths = self._lengths.get(shape)
        return lengths is not None and length not in lengths and sum(lengths.values()) >= _SETTLED

    @staticmethod
    @cache
    def concern(shape: Shape) -> bool:
        return any(one.shortest < one.longest < 1 << 62 for one in shape)


_SETTLED = 3  # lists after which a habit is one


def fitting(shape: Shape, value: Any) -> Shape:
    """The alternatives that a scalar or the mere kind of a container satisfies."""
    kind = kind_of(value)
    found = [one for one in shape if one.takes(kind)]
    if kind == "string":
        found = [one for one in found if one.words is None or value in one.words]
    elif kind in ("integer", "number"):
        found = [one for one in found if one.words is None and one.limits[0] <= value <= one.limits[1]]
    elif kind in ("boolean", "null"):
        found = [one for one in found if one.words is None]
    return tuple(found)


def members(shape: Shape) -> Iterator[str]:
    """The keys that a shape names."""
    for one in shape:
        yield from one.properties
