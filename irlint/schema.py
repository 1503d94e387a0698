"""JSON Schema errors as problems, behind a fast gate for valid files.

Errors are always our own (schema_errors), so that they do not depend on what is installed. jsonschema-rs only answers yes or
no, for large values, and is not needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from irlint.findings import Problem
from irlint.text.base import Place
from irlint.tools.installed import load_json

_REMARKS = ("$schema", "$id", "$comment", "title", "description", "default", "examples", "definitions", "$defs")
_OF_MEMBERS = ("type", "properties", "required", "additionalProperties")
_DEPTH = 200  # nested containers that are validated where a value has too many for Python's stack
_LONG = 300  # items of a list; importing jsonschema-rs takes longer than validating shorter ones without it

Changed = Callable[[Sequence[Any], Sequence[Any]], "list[int] | None"]


@cache
def _validator(name: str) -> Any:
    """Return jsonschema-rs' validator of schemas/NAME, which is faster than the gate on large values; None if it is missing."""
    try:
        import jsonschema_rs
    except ImportError:
        return None
    return jsonschema_rs.validator_for(load_json(name))


@cache
def _gate(name: str, longest: int | None) -> Callable[[Any], bool]:
    from irlint.schema_gate import Gate

    schema = load_json(name)
    return Gate(schema, longest).check(schema)


def is_valid(name: str, value: Any) -> bool:
    """Return whether a value satisfies schemas/NAME."""
    from irlint.schema_gate import TooLong

    try:
        return _gate(name, _LONG)(value)
    except (TooLong, RecursionError):
        return _is_valid(name, value)


def is_valid_after(name: str, value: Any, before: Any, changed: Changed) -> bool:
    """Return whether a value that shares parts with a valid one satisfies schemas/NAME; `changed` lists where lists differ."""
    if isinstance(value, dict) and isinstance(before, dict):
        value = {
            key: _shortened(item, before.get(key), changed) if key in _plain_lists(name) else item
            for key, item in value.items()
        }
    return is_valid(name, value)


def _shortened(items: Any, before: Any, changed: Changed) -> Any:
    """Return a list without most of the items that are also in a valid one."""
    if not isinstance(items, list) or not isinstance(before, list):
        return items
    indices: list[int] | None = [] if items is before else changed(before, items)
    return items if indices is None else [*items[:1], *[items[k] for k in indices]]


@cache
def _plain_lists(name: str) -> frozenset[str]:
    """Return the members of the root that are lists whose items are validated independently."""
    from irlint.schema_gate import Gate

    schema = load_json(name)
    gate = Gate(schema)
    while schema.keys().isdisjoint(("type", "properties")):
        words = [word for word in schema if word not in _REMARKS]
        if words == ["allOf"] and len(schema["allOf"]) == 1:
            schema = schema["allOf"][0]
        elif words == ["$ref"]:
            schema = gate.target(schema["$ref"])
        else:
            return frozenset()
    conditions = [schema[word] for word in ("if", "then", "else") if word in schema]
    if not schema.keys() <= {*_REMARKS, *_OF_MEMBERS, "if", "then", "else"} or any(
        not condition.keys() <= {"required", "properties"} for condition in conditions
    ):
        return frozenset()
    return frozenset(
        key
        for key, part in schema.get("properties", {}).items()
        if part.keys() <= {*_REMARKS, "type", "items"}
        and isinstance(part.get("items"), dict)
        and not any(key in condition.get("properties", ()) for condition in conditions)
    )


def _is_valid(name: str, value: Any) -> bool:
    if (validator := _validator(name)) is not None:
        try:
            return bool(validator.is_valid(value))
        except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot encode
            pass
    try:
        return _gate(name, None)(value)
    except RecursionError:
        return _gate(name, None)(_cut(value))


def problems(name: str, value: Any) -> Iterator[Problem]:
    """Return the problems of a value, each root cause once, at its exact place. Empty for a valid value."""
    if is_valid(name, value):
        return
    from irlint.schema_explain import explain

    try:
        yield from list(explain(name, value))
    except RecursionError:
        found = explain(name, _cut(value))
        yield from (p for p in found if not isinstance(p.at, Place) or len(p.at.path) < _DEPTH - 1)


def _cut(value: Any) -> Any:
    """Return the value without parts that are nested too deeply to describe."""
    top: list[Any] = [value]
    work: list[tuple[Any, Any, int]] = [(top, 0, 0)]
    while work:
        holder, key, depth = work.pop()
        old = holder[key]
        if isinstance(old, (list, dict)):
            holder[key] = type(old)() if depth >= _DEPTH else old.copy()
            work += [
                (holder[key], k, depth + 1) for k in (range(len(holder[key])) if isinstance(old, list) else holder[key])
            ]
    return top[0]
