"""Attribute values as operator tables describe them: kinds, enums, bounds and lengths."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from irlint.codes import R
from irlint.operators import Attribute, nearest
from irlint.rules.attributes._check import NO_VALUE, ValueMismatch
from irlint.text.words import count

_INT = re.compile(r"[+-]?[0-9]{1,4000}")  # Python refuses to read longer ones
_FLOAT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf|nan")
_SEPARATOR = re.compile(r"[ \t]*,[ \t]*|[ \t]+")
_BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def read_int(value: Any) -> int:
    if isinstance(value, str) and _INT.fullmatch(value):
        return int(value)
    if type(value) is int:
        return value
    raise ValueError(value)


def read_float(value: Any) -> float:
    if isinstance(value, str) and _FLOAT.fullmatch(value):
        return float(value)
    if type(value) in (int, float):
        return float(value)
    raise ValueError(value)


def read_bool(value: Any) -> bool:
    if value in ("true", "false"):
        return bool(value == "true")
    if isinstance(value, bool):
        return value
    raise ValueError(value)


def read_string(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(value)


def list_of(read: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    """Return a reader of lists: `1,2`, `(1, 2)`, `[1, 2]`, or what a typed syntax calls a list."""

    def read_list(value: Any) -> list[Any]:
        if isinstance(value, str):
            inside = value.strip()
            if (inside[:1], inside[-1:]) in (("(", ")"), ("[", "]")):
                inside = inside[1:-1].strip(" ,")
            value = _SEPARATOR.split(inside) if inside else []
        if not isinstance(value, list):
            raise ValueError(value)
        return [read(item) for item in value]

    return read_list


KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "int": ("an integer", read_int),
    "float": ("a number", read_float),
    "bool": ("`true` or `false`", read_bool),
    "string": ("a string", read_string),
    "ints": ("a list of integers", list_of(read_int)),
    "floats": ("a list of numbers", list_of(read_float)),
    "strings": ("a list of strings", list_of(read_string)),
}


def flaws(value: Any, read: Callable[[Any], Any], words: str, attribute: Attribute) -> Iterator[ValueMismatch]:
    """Yield what is wrong with a value, judged by itself: the first thing only, as the others may follow from it."""
    try:
        held = read(value)
    except ValueError:
        yield ValueMismatch(
            R.wrong_attribute_type, f"expected {words}", _converted(value, attribute), rest=f", got {shown(value)}"
        )
        return
    items = held if isinstance(held, list) else [held]
    if attribute.values and (wrong := next((item for item in items if item not in attribute.values), None)) is not None:
        yield _not_in_enum(wrong, attribute, held is wrong)
        return
    length = attribute.facts.get("length")
    if length is not None and isinstance(held, list) and len(held) != length:
        yield ValueMismatch(R.wrong_value_length, f"expected {count(length, 'value')}", rest=f", got {len(held)}")
        return
    low, high, above = attribute.facts.get("min"), attribute.facts.get("max"), attribute.facts.get("above")
    for item in items:
        if attribute.facts.get("finite") and not math.isfinite(item):
            yield ValueMismatch(R.value_out_of_range, "expected a finite number", rest=f", got {shown(item)}")
            return
        if above is not None and not item > above:
            yield ValueMismatch(R.value_out_of_range, f"expected more than {above}", rest=f", got {shown(item)}")
            return
        if low is not None and not item >= low:
            yield ValueMismatch(R.value_out_of_range, f"expected at least {low}", rest=f", got {shown(item)}")
            return
        if high is not None and not item <= high:
            yield ValueMismatch(R.value_out_of_range, f"expected at most {high}", rest=f", got {shown(item)}")
            return


def _not_in_enum(value: Any, attribute: Attribute, is_whole: bool) -> ValueMismatch:
    meant = nearest(value, attribute.values) if isinstance(value, str) else None
    message = f"unknown value {shown(value)}"
    if meant is None:
        allowed = ", ".join(f"`{word}`" for word in attribute.values)
        return ValueMismatch(R.value_not_in_enum, message, rest=f"; expected one of {allowed}")
    return ValueMismatch(
        R.value_not_in_enum, message, meant if is_whole else NO_VALUE, rest=f"; did you mean `{meant}`?"
    )


def _converted(value: Any, attribute: Attribute) -> Any:
    """Return the one value of the right kind that is spelled like this one in other languages; NO_VALUE if there is none."""
    word = str(value).strip("'\" ").casefold()
    if attribute.kind == "bool":
        return _BOOLS.get(word, NO_VALUE)
    if attribute.kind == "int" and _FLOAT.fullmatch(word) and len(word) < 16 and float(word).is_integer():
        return int(float(word))
    if attribute.kind == "float" and _FLOAT.fullmatch(word):
        return float(word)
    return NO_VALUE


def shown(value: Any) -> str:
    """Return a value as messages quote it."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text if len(text) <= 40 else text[:37] + '...'}`"
