"""JSON Schema errors as problems. jsonschema-rs is the gate: a valid file pays for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from irlint.findings import Problem
from irlint.resources import load_json


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(load_json(name))


def is_valid(name: str, value: Any) -> bool:
    """Whether a value satisfies schemas/NAME."""
    return bool(_validator(name).is_valid(value))


def problems(name: str, value: Any) -> Iterator[Problem]:
    """What is wrong with a value, each root cause once, at its exact place. Empty for a valid value."""
    if is_valid(name, value):
        return
    from irlint.schema_explain import explain

    yield from explain(_validator(name), load_json(name), value)
