"""Floats of 32 bits in their fewest digits: 1e-05 for 9.999999747378752e-06."""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import inf
from typing import Any

DIGITS = (".6g", ".7g", ".8g", ".9g")  # the last of which tell all floats of 32 bits apart
_FLOAT = struct.Struct("<f")
_SPELLED = 300  # items of a list
_LONG = 12  # characters of a text that may be a float of 32 bits, written with the digits of 64


def rounded(value: float) -> float:
    """Return a number as 32 bits hold it."""
    try:
        return float(_FLOAT.unpack(_FLOAT.pack(value))[0])
    except OverflowError:
        return inf if value > 0 else -inf


def _bits(value: float) -> bytes:
    """Return a number as 32 bits hold it, which takes half as long as to read them again."""
    try:
        return _FLOAT.pack(value)
    except OverflowError:
        return _FLOAT.pack(inf if value > 0 else -inf)


def fewest(value: float, hold: Callable[[float], bytes | int] = _bits, most: tuple[str, ...] = DIGITS) -> str:
    """Return the shortest text of a float that is held like this number."""
    held = hold(value)
    for digits in most:
        text = format(value, digits)
        if hold(float(text)) == held:
            break
    return text


def shortest(value: float) -> float:
    """Return the number of the fewest digits that 32 bits hold like this one, if it is one of 32 bits: 1e-05 for 9.999999747378752e-06."""
    return float(fewest(value)) if len(repr(value)) > _LONG and rounded(value) == value else value


def spelled(value: Any) -> str:
    """Return the value of an attribute as people write it, floats of 32 bits in their fewest digits."""
    if isinstance(value, float):
        return str(shortest(value))
    if isinstance(value, (list, tuple)) and any(isinstance(part, float) for part in value[:1]):
        parts = [*map(spelled, value[:_SPELLED]), *(["..."] if len(value) > _SPELLED else [])]
        return f"[{', '.join(parts)}]"
    if isinstance(value, str) and _LONG < len(value) < 32 and value[-1].isdigit():
        try:
            number = float(value)
        except ValueError:
            return value
        return spelled(number) if rounded(number) == number and "." in value else value
    return str(value)
