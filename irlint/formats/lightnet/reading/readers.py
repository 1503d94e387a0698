"""What LightNet reads of a parameter that is clearly right: its C value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.formats.lightnet.reading.numbers import FLT_MIN, INT_MAX, INT_MIN, as_double, as_float, as_int
from irlint.operators import Attribute

CAREFULLY: Any = object()  # a reader's answer: not plainly right, look closer
CONVERSIONS: dict[str, Callable[[Any], Any]] = {"int": as_int, "float": as_float, "double": as_double}


def reader(attribute: Attribute) -> Callable[[Any], Any]:
    """Return a quick reader of one parameter: its C value if the file's value is clearly right, else CAREFULLY."""
    facts = attribute.facts
    kind = attribute.kind
    if kind == "string":
        words = frozenset(attribute.values)
        if words:
            return lambda value: value if type(value) is str and value in words else CAREFULLY
        return lambda value: value if type(value) is str else CAREFULLY
    if kind == "bool":
        return lambda value: value if value is True or value is False else CAREFULLY
    low = facts.get("min", INT_MIN)
    if kind == "number":
        if facts["read_as"] == "int":
            return lambda value: value if type(value) is int and low <= value <= INT_MAX else CAREFULLY
        if facts["read_as"] == "float":
            return lambda value: as_float(value) if type(value) in (int, float) and value > FLT_MIN else CAREFULLY
        return lambda value: value if type(value) in (int, float) and value == value else CAREFULLY
    length = facts.get("length")
    if facts["read_as"] == "int":

        def ints(value: Any) -> Any:
            if type(value) is not list or (length is not None and len(value) != length):
                return CAREFULLY
            for item in value:
                if type(item) is not int or not low <= item <= INT_MAX:
                    return CAREFULLY
            return value

        return ints
    if facts["read_as"] == "float":

        def floats(value: Any) -> Any:
            if type(value) is not list:
                return CAREFULLY
            for item in value:
                if type(item) not in (int, float) or item <= FLT_MIN:
                    return CAREFULLY
            return [as_float(item) for item in value]

        return floats

    def doubles(value: Any) -> Any:
        plain = type(value) is list and value and type(value[0]) in (int, float)
        return value if plain and (length is None or len(value) == length) else CAREFULLY

    return doubles


def read(value: Any, attribute: Attribute) -> Any:
    """Return the C value of a parameter without errors."""
    if attribute.kind not in ("number", "numbers"):
        return value
    convert = CONVERSIONS[attribute.facts["read_as"]]
    return convert(value) if attribute.kind == "number" else [convert(item) for item in value]


def kind_of(value: Any) -> str:
    """The loader's word for a JSON value's type; "" for what it cannot hold at all."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "number"
    if value is None:
        return "null"
    if isinstance(value, list) and value and not isinstance(value[0], list):
        return {"bool": "bools", "string": "strings", "number": "numbers"}.get(kind_of(value[0]), "")
    return ""
