"""Numbers in texts: integers of any length, floats in their fewest digits."""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import inf
from typing import Any

MANY = (
    1 << 16
)  # items that a number of a file can ask for: no runtime lists more outputs, dimensions or layers of one node
LARGEST = 10**4299  # Python neither parses nor prints longer integers
DIGITS = (6, 7, 8, 9)  # the last of which tell all floats of 32 bits apart
_FLOAT = struct.Struct("<f")
_SPELLED = 300  # items of a list
_LONG = 12  # characters of a text that may be a float of 32 bits, written with the digits of 64


def integer(text: str) -> int:
    """Return the integer that a text of digits spells, limited to what Python can print."""
    try:
        return int(text)
    except ValueError:
        return -LARGEST if text[0] == "-" else LARGEST


def decimal(text: str, most: int = 19) -> int | None:
    """Return the number that a text of at most so many ASCII digits spells; None for others: Python takes the digits of all scripts."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= most else None


def told(number: int) -> str:
    """Return a number for a message; of a huge one, its magnitude."""
    return str(number) if number.bit_length() <= 256 else f"{'-' * (number < 0)}2^{number.bit_length() - 1} or more"


def rounded(value: float) -> float:
    """Return a number as 32 bits hold it."""
    try:
        return float(_FLOAT.unpack(_FLOAT.pack(value))[0])
    except OverflowError:
        return inf if value > 0 else -inf


def fewest(value: float, hold: Callable[[float], float] = rounded, most: tuple[int, ...] = DIGITS) -> str:
    """Return the shortest text of a float that is held like this number."""
    for digits in most:
        text = f"{value:.{digits}g}"
        if hold(float(text)) == hold(value):
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
