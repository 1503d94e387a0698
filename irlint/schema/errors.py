"""The errors of a value that does not satisfy a schema, keyword by keyword, in the order of the schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from irlint.records import NamedTuple
from irlint.schema.gate import Check, SchemaGate
from irlint.text.base import Path
from irlint.tools.installed import load_json


class SchemaError(NamedTuple):
    keyword: str
    path: Path  # of the value
    value: Any
    schema: dict[str, Any]  # the one that contains the keyword
    branches: list[list[SchemaError]] = []  # of a choice: the errors of each

    @property
    def limit(self) -> Any:
        return self.schema[self.keyword]


def errors(name: str, value: Any) -> Iterator[SchemaError]:
    """Yield the errors of a value by schemas/NAME; raise RecursionError for values that are nested too deeply."""
    return _Walk(SchemaGate(load_json(name))).errors(load_json(name), value, ())


class _Walk:
    """Descends into invalid parts only: the gate tells which ones are."""

    def __init__(self, gate: SchemaGate) -> None:
        self._gate = gate

    def errors(self, schema: Any, value: Any, path: Path) -> Iterator[SchemaError]:
        if not isinstance(schema, dict):
            return
        for keyword in schema:
            if keyword in _INNER:
                yield from _INNER[keyword](self, schema, value, path)
            elif not self._gate.keyword(schema, keyword)(value):
                yield SchemaError(keyword, path, value, schema)

    def _valid(self, schema: Any) -> Check:
        return self._gate.check(schema)

    def _items(self, schema: dict[str, Any], value: Any, path: Path) -> Iterator[SchemaError]:
        if not isinstance(value, list):
            return
        items = schema["items"]
        firsts = items if isinstance(items, list) else [items] * len(value)
        for index, (part, item) in enumerate(zip(firsts, value, strict=False)):
            if not self._valid(part)(item):
                yield from self.errors(part, item, (*path, index))

    def _properties(self, schema: dict[str, Any], value: Any, path: Path) -> Iterator[SchemaError]:
        if isinstance(value, dict):
            for key, part in schema["properties"].items():
                if key in value and not self._valid(part)(value[key]):
                    yield from self.errors(part, value[key], (*path, key))

    def _additional(self, schema: dict[str, Any], value: Any, path: Path) -> Iterator[SchemaError]:
        if not isinstance(value, dict):
            return
        part, named = schema["additionalProperties"], schema.get("properties", {})
        wrong = [key for key in value if key not in named and not self._valid(part)(value[key])]
        if part is False and wrong:
            yield SchemaError("additionalProperties", path, value, schema)
        elif part is not False:
            for key in wrong:
                yield from self.errors(part, value[key], (*path, key))

    def _reference(self, schema: dict[str, Any], value: Any, path: Path) -> Iterator[SchemaError]:
        yield from self.errors(self._gate.target(schema["$ref"]), value, path)

    def _all_of(self, schema: dict[str, Any], value: Any, path: Path) -> Iterator[SchemaError]:
        for part in schema["allOf"]:
            yield from self.errors(part, value, path)

    def _any_of(self, schema: dict[str, Any], value: Any, path: Path) -> Iterator[SchemaError]:
        branches = [list(self.errors(part, value, path)) for part in schema["anyOf"]]
        if all(branches):
            yield SchemaError("anyOf", path, value, schema, branches)

    def _condition(self, schema: dict[str, Any], value: Any, path: Path) -> Iterator[SchemaError]:
        branch = "then" if self._valid(schema["if"])(value) else "else"
        yield from self.errors(schema.get(branch, True), value, path)


_Errors = Callable[[_Walk, "dict[str, Any]", Any, Path], "Iterator[SchemaError]"]

_INNER: dict[str, _Errors] = {  # the keywords that contain schemas; `then` and `else` belong to `if`
    "items": _Walk._items,
    "properties": _Walk._properties,
    "additionalProperties": _Walk._additional,
    "$ref": _Walk._reference,
    "allOf": _Walk._all_of,
    "anyOf": _Walk._any_of,
    "if": _Walk._condition,
}
