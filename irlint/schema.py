"""JSON Schema errors as problems, behind a gate: a valid file pays for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from irlint.findings import Problem
from irlint.resources import load_json
from irlint.text.base import Place

_DEPTH = 200  # containers within containers that an explanation goes into


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(load_json(name))


def is_valid(name: str, value: Any) -> bool:
    """Whether a value satisfies schemas/NAME."""
    from irlint.schema_gate import TooLong, gate

    try:
        return gate(name)(value)
    except (TooLong, RecursionError):
        return _is_valid(name, value)


def _is_valid(name: str, value: Any) -> bool:
    try:
        return bool(_validator(name).is_valid(value))
    except UnicodeEncodeError:
        return bool(_validator(name).is_valid(_encodable(value)))


def problems(name: str, value: Any) -> Iterator[Problem]:
    """What is wrong with a value, each root cause once, at its exact place. Empty for a valid value."""
    try:
        yield from _problems(name, value)
    except UnicodeEncodeError:
        yield from _problems(name, _encodable(value))


def _problems(name: str, value: Any) -> Iterator[Problem]:
    if is_valid(name, value):
        return
    from irlint.schema_explain import explain

    try:
        yield from explain(_validator(name), load_json(name), value)
    except ValueError:  # the validator describes what it found only down to a certain depth
        found = explain(_validator(name), load_json(name), _cut(value))
        yield from (p for p in found if not isinstance(p.at, Place) or len(p.at.path) < _DEPTH - 1)


def _cut(value: Any) -> Any:
    """The value without what lies deeper than anybody describes."""
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


def _encodable(value: Any) -> Any:
    """The value for a validator that works in UTF-8: question marks for lone surrogates, no members with such keys."""

    def plain(text: str) -> str:
        return text.encode("utf-8", "replace").decode()

    top: list[Any] = [value]
    work: list[tuple[Any, Any]] = [(top, 0)]
    while work:
        holder, key = work.pop()
        old = holder[key]
        if isinstance(old, str):
            holder[key] = plain(old)
        elif isinstance(old, list):
            holder[key] = list(old)
            work += [(holder[key], index) for index in range(len(old))]
        elif isinstance(old, dict):
            holder[key] = {name: inner for name, inner in old.items() if plain(name) == name}
            work += [(holder[key], name) for name in holder[key]]
    return top[0]
