"""A layer's parameters by the names that the operator table gives them, as the runtime reads them, and the table's expressions."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from functools import cache
from types import CodeType
from typing import Any

from irlint.operators import Attribute, Operator

_REFERENCE = re.compile(r"(?<![^(),])([0-9])[whdcn](?![^(),])")
INT32 = range(-(1 << 31), 1 << 31)
_KINDS: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "string": (str,)}


def evaluate(expression: str, values: Mapping[str, Any]) -> Any:
    """Return the value of an expression of the operator table, which is irlint's own; None if it has none."""
    try:
        return eval(
            _compiled(expression), {"__builtins__": {}, "refs": references, "len": len, "max": max, "min": min}, values
        )
    except (ArithmeticError, IndexError, TypeError, ValueError):
        return None


@cache
def _compiled(expression: str) -> CodeType:
    return compile(expression, "<operator table>", "eval")


def references(text: str) -> int:
    """Return how many inputs an expression of sizes needs, like `0w,*(1h,2)`."""
    return max((int(k) + 1 for k in _REFERENCE.findall(text)), default=0)


def is_read(attribute: Attribute, value: Any) -> bool:
    """Return whether the runtime takes a value; instead of another it uses the default, or it refuses the layer."""
    if attribute.kind in ("ints", "floats"):
        return isinstance(value, list) and all(_is_number(item) for item in value)
    return isinstance(value, _KINDS.get(attribute.kind, ())) and (isinstance(value, str) or _is_number(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and value in INT32)


def as_floats(value: list[Any], exact: bool) -> list[Any] | None:
    """Return an array of floats as the runtime reads it: integers among floats, and others that it does not convert, are the bits
    of floats. None if they are not the bits of any float that somebody may have meant."""
    if not any(isinstance(item, int) for item in value) or not (
        exact or any(isinstance(item, float) for item in value)
    ):
        return value
    found = [item if isinstance(item, float) else _bits(item) for item in value]
    return found if all(item == 0 or 1e-9 < abs(item) < 1e12 for item in found) else None


def _bits(number: int) -> float:
    value: float = struct.unpack("<f", (number & 0xFFFFFFFF).to_bytes(4, "little"))[0]
    return value


def arguments(operator: Operator, attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of all parameters by label: what is written, or the default."""
    known, found = operator.attributes, dict[str, Any]()

    def value(attribute: Attribute) -> Any:
        name = attribute.facts["label"]
        if name in found:
            return found[name]
        written = attrs.get(attribute.name)
        if written is not None and is_read(attribute, written):
            exact = attribute.facts.get("exact", False)
            found[name] = (as_floats(written, exact) or written) if attribute.kind == "floats" else written
        elif (origin := attribute.facts.get("default_of")) is None:
            found[name] = attribute.default
        else:
            found[name] = value(known[origin]) if origin in known else evaluate(origin, found)
        return found[name]

    for attribute in known.values():
        if "until" not in attribute.facts:
            value(attribute)
    return found
