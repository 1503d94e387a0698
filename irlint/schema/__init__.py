"""JSON Schema errors as problems, behind a fast gate for valid files.

Errors are always our own (`errors`), so that they do not depend on what is installed. jsonschema-rs only answers yes or
no, for large values, and is not needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from irlint.findings import Problem
from irlint.text.base import Place
from irlint.tools.installed import load_json

_DEPTH = 200  # nested containers that are validated where a value has too many for Python's stack
_LONG = 300  # items of a list; importing jsonschema-rs takes longer than validating shorter ones without it


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
    from irlint.schema.gate import SchemaGate

    schema = load_json(name)
    return SchemaGate(schema, longest).check(schema)


def is_valid(name: str, value: Any) -> bool:
    """Return whether a value satisfies schemas/NAME."""
    from irlint.schema.gate import TooLong

    try:
        return _gate(name, _LONG)(value)
    except (TooLong, RecursionError):
        return _is_valid(name, value)


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
    from irlint.schema.explain import explain

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
