"""How many inputs and outputs an operator has, given its attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from irlint.formats.nnvm.reading.values import BareNumber
from irlint.operators import Operator, Port
from irlint.records import NamedTuple
from irlint.text.numbers import MANY

Value = Callable[[str], Any]  # the value of an attribute by name, its default where it is not written


class ExpectedInputs(NamedTuple):
    """Names of what is expected, in order; open: any further number may follow."""

    names: tuple[str, ...]
    open: bool = False
    counted_by: str | None = None  # the attribute that says how many


class Outputs(NamedTuple):
    total: int | None  # None: it cannot be told
    visible: int | None


def _holds(condition: Mapping[str, list[Any]], value: Value) -> bool:
    return all(_plain(value(name)) in allowed for name, allowed in condition.items())


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def inputs(operator: Operator, value: Value) -> ExpectedInputs | None:
    """None where the table does not say."""
    if operator.facts.get("open_inputs"):
        return None
    names: list[str] = []
    counted: str | None = None
    for port in operator.inputs:
        if "when" in port.facts and not _holds(port.facts["when"], value):
            continue
        if port.kind in ("variadic", "variadic0"):
            by = port.facts.get("count")
            if by is None:
                return ExpectedInputs((*names, *([port.name] if port.kind == "variadic" else [])), True)
            count = value(by)
            if not isinstance(count, int) or not 0 <= count <= MANY:
                return None
            counted = by
            names += [f"{port.name}{k}" for k in range(count)]
        else:
            names.append(port.name)
    return ExpectedInputs(tuple(names), False, counted)


def outputs(operator: Operator, value: Value) -> Outputs:
    if not operator.outputs:
        return Outputs(None, None)
    total: int | None = 0
    visible = 0
    for port in operator.outputs:
        facts = port.facts
        if "when" in facts and not _holds(facts["when"], value):
            continue
        if port.kind == "optional":
            total = None  # depends on how the runtime was built
            continue
        count = _width(port, value)
        if count is None:
            return Outputs(None, None)
        total = None if total is None else total + count
        if not facts.get("hidden") and ("shown_when" not in facts or _holds(facts["shown_when"], value)):
            visible += count
    return Outputs(total, visible)


def _width(port: Port, value: Value) -> int | None:
    """How many outputs stand behind one line of the table."""
    facts = port.facts
    if port.kind not in ("variadic", "variadic0"):
        return 1
    if (both := facts.get("sections")) is not None:
        parts = value(both)
        if not isinstance(parts, tuple):
            return None
        return parts[0] if isinstance(parts, BareNumber) else len(parts) + 1
    count = value(facts["count"]) if "count" in facts else None
    if facts.get("or_length_of") and not count:
        parts = value(facts["or_length_of"])
        count = len(parts) if isinstance(parts, tuple) else None
    return count if isinstance(count, int) and count >= 0 else None
