"""JSON Schema errors in plain words, each root cause once at its exact place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Problem
from irlint.rules.structure.value_not_allowed import ValueNotAllowed
from irlint.text.base import Place


def explain(validator: Any, value: Any) -> Iterator[Problem]:
    """Problems of an invalid value."""
    for error in validator.iter_errors(value):
        yield Problem(ValueNotAllowed, Place(tuple(error.instance_path)), error.message)
