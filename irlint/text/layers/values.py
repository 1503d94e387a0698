"""Parameters as ParamDict of the runtime reads them: `0=64 1=0.5 -23303=2,1,1 4=1,1 5=word`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from irlint.text.numbers import integer
from irlint.tools import later

ARRAYS = -23300  # minus the id: the first element of such a value is its length
LONGEST = 15  # characters of an id
WORDS = later(r'(?<!\S)[^\s="]+=(?:"[^"]*"|\S*)', re.ASCII)
_INT = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:([0-9]+)|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")


def number(text: str) -> int | float | None:
    """Return a number as the runtime reads it; None if it is none. What has a point or an exponent is a float."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    return integer(text) if match[1] else float(text)


_VALUE = r'[^\s="]+=(?:"[^"\r\n]*"|[^\s="]+)'
_PARAMETERS = re.compile(rf"(?:{_VALUE}(?:\s+{_VALUE})*\s*)?", re.ASCII)


def are_parameters(text: str) -> bool:
    """Return whether a text is nothing but `ID=VALUE`, as far as a quick check shows."""
    return _PARAMETERS.fullmatch(text) is not None


@lru_cache(maxsize=1 << 16)
def parameters(text: str) -> dict[str, Any]:
    """Return the parameters of a layer by id; a value that is neither a number nor an array is text. The last of equals counts.

    The result is shared by layers that are written alike: it must not be changed.
    """
    found: dict[str, Any] = {}
    for word in _split(text):
        key, _, value = word.partition("=")
        name, is_array = identifier(key)
        if not is_array and "," not in value:
            found[name] = element(value)
        elif is_array:
            found[name] = list(map(element, value.split(",")[1:]))
        elif value[0] not in '"@#(' and not value[0].isalpha():
            found[name] = list(map(element, value.rstrip(",").split(",")))
        else:
            found[name] = element(value)
    return found


def words(text: str) -> Iterator[tuple[str, bool, str]]:
    """Yield the parameters of a layer: the id, whether the value is an array that begins with its length, the value."""
    for word in _split(text):
        key, _, value = word.partition("=")
        yield *identifier(key), value


def _split(text: str) -> list[str]:
    return text.split() if '"' not in text and text.isprintable() else WORDS.findall(text)


@lru_cache
def identifier(key: str) -> tuple[str, bool]:
    """Return a parameter's id, and whether its value is an array that begins with its length."""
    if not _INT.fullmatch(key) or len(key) > LONGEST:
        return key, False
    found = integer(key)
    return (str(ARRAYS - found), True) if found <= ARRAYS else (str(found), False)


@lru_cache(maxsize=1 << 16)
def element(text: str) -> int | float | str:
    """Return a number, or what is none as text."""
    if text.isdecimal() and text.isascii():
        return integer(text)
    found = number(text)
    return text.strip('"') if found is None else found
