"""Values of protobuf's text format: what a token means in a field, as protobuf 7.36 reads it in Python.

protobuf in C++ (35.1) differs in what nobody writes: it refuses unknown escapes, `0b1` and `1_000`, and takes `- 1` and strings that are
not UTF-8.
"""

from __future__ import annotations

import re
from struct import pack, unpack
from typing import Any

from irlint.records import NamedTuple
from irlint.text.floats import rounded
from irlint.text.prototext.messages import BYTES, DOUBLE, INTEGERS, STRING, UINT, Field
from irlint.tools import later

_OCTAL = later(r"(-?)0([0-9]+)")
_FLOAT_OCTAL = later(r"-?0[0-9]")
_SPECIAL = later(r"(-?)(?:(inf(?:inity)?)|nan)f?", re.IGNORECASE)
_PLAIN = b"0123nrtabfv'\""  # after a backslash: what one decoder reads as all parsers do
_KINDS = bytes(0x5C if code == 0x5C else 0x2E if code in _PLAIN else 0x20 for code in range(256))
_ESCAPE = rb"(?s)\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))"
_LETTERS = {bytes((a,)): bytes((b,)) for a, b in zip(b"abfnrtv\\'\"", b"\a\b\f\n\r\t\v\\'\"", strict=True)}


class Unfit(Exception):
    """The token cannot be the value of the field."""


class BadEscape(NamedTuple):
    """An escape sequence of a string: `is_refused` by protobuf in Python, too, which keeps the backslash of an unknown one."""

    start: int
    text: str
    is_refused: bool


def expected(field: Field) -> str:
    """Return what the value of a field has to be."""
    if field.kind in INTEGERS:
        if field.names is not None:
            return f"a value such as {' or '.join(list(field.names)[:2])}"
        sign = "unsigned " if field.kind == UINT else ""
        return f"an {sign}integer of {32 if field.is_short else 64} bits"
    return {STRING: "a string", BYTES: "a string"}.get(field.kind, "a message" if field.message else "a number")


def number(field: Field, word: str) -> Any:
    """Return the number that a word is; raise Unfit if it is none of the field's kind."""
    if field.kind in INTEGERS:
        return _integer(field, word)
    try:
        value = float(word)
    except ValueError:
        value = _odd_real(word)
    if word[0] in "-0" and _FLOAT_OCTAL.match(word):
        raise Unfit
    return value if field.kind == DOUBLE else rounded(value)


def numbers(field: Field, words: list[str]) -> list[Any] | None:
    """Return the numbers that words are; None if one of them does not fit."""
    try:
        return [number(field, word) for word in words]
    except (Unfit, IndexError):
        return None


def decimals(field: Field, words: list[str]) -> list[Any] | None:
    """Return what `numbers` does of decimal numbers without leading zeros, faster."""
    if field.kind in INTEGERS:
        try:
            found = list(map(int, words))
        except ValueError:
            return None
        least, most = _range(field)
        return found if least <= min(found) and max(found) <= most else None
    reals = list(map(float, words))
    if field.kind == DOUBLE:
        return reals
    try:
        return list(unpack(f"<{len(reals)}f", pack(f"<{len(reals)}f", *reals)))
    except OverflowError:
        return list(map(rounded, reals))


def _range(field: Field) -> tuple[int, int]:
    if field.kind == UINT:
        return 0, (1 << 64) - 1
    most = 1 << (31 if field.is_short else 63)
    return -most, most - 1


def _odd_real(word: str) -> float:
    if special := _SPECIAL.fullmatch(word):
        return float(f"{special[1]}inf") if special[2] else float("nan")
    try:
        return float(word.rstrip("fF"))
    except ValueError:
        raise Unfit from None


def _integer(field: Field, word: str) -> int:
    names = field.names
    if names is not None and word in names:
        return names[word]
    octal = _OCTAL.fullmatch(word) if word[0] in "-0" and names is None else None
    try:
        value = int(f"{octal[1]}0o{octal[2]}" if octal else word, 0)
    except ValueError:
        raise Unfit from None
    least, most = _range(field)
    if not least <= value <= most or (names is not None and value not in names.values()):
        raise Unfit
    return value


def unescaped(text: str, odd: list[BadEscape]) -> bytes:
    """Return the bytes of a string without its quotes, and add escape sequences that some parser refuses to `odd`."""
    data = text.encode("utf-8", "surrogateescape")
    if 0x5C not in data:
        return data
    # Pairs of backslashes aside, each backslash begins an escape, and the byte after it tells its kind
    if b"\\ " not in data.replace(b"\\\\", b"").translate(_KINDS):
        return data.decode("unicode_escape").encode("latin-1")

    def meant(escape: re.Match[bytes]) -> bytes:
        if (found := _escaped(escape)) is not None:
            return found
        start = len(data[: escape.start()].decode("utf-8", "surrogateescape"))
        is_refused = escape[5] is None or escape[5] in b"xuUN"
        odd.append(BadEscape(start, text[start : start + max(len(escape[0]), 2)], is_refused))
        return escape[0]

    return re.sub(_ESCAPE, meant, data)


def _escaped(escape: re.Match[bytes]) -> bytes | None:
    """Return the bytes that an escape sequence stands for; None if some parser refuses it."""
    short, long, hexadecimal, octal, letter = escape.groups()
    if letter:
        return _LETTERS.get(letter)
    try:
        if short or long:
            return chr(int(short or long, 16)).encode()
        return bytes((int(hexadecimal, 16) if hexadecimal else int(octal, 8),))
    except (ValueError, OverflowError):  # half of a surrogate pair, past the last code point, more than a byte
        return None
