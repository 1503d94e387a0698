"""The value grammar of attribute strings, as NNVM's C++ code reads them (dmlc Parameter, mxnet Tuple, iostreams)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from irlint.formats.nnvm.passes.wording import code, codes
from irlint.operators import Attribute
from irlint.records import NamedTuple
from irlint.tools import later

_INT32 = (-(1 << 31), (1 << 31) - 1)
_INT64 = (-(1 << 63), (1 << 63) - 1)
_BLANK = " \t\n\v\f\r"  # C's isspace()

_INTEGER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)", re.ASCII)
_REAL = later(r"[ \t\n\v\f\r]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)", re.ASCII)
_STOF = later(
    r"[ \t\n\v\f\r]*(?P<sign>[+-]?)(?:(?P<word>inf(?:inity)?|nan(?:\([a-z0-9_]*\))?)|"
    r"(?P<mantissa>[0-9]*\.?[0-9]*)(?:e(?P<exponent>[+-]?[0-9]*))?f?)",
    re.IGNORECASE | re.ASCII,
)
_WORD = later(r"[ \t\n\v\f\r]*(?:([A-Za-z0-9]+)[ \t\n\v\f\r]*)?", re.ASCII)


NO_INTEGER, NO_NUMBER, NO_TUPLE, EMPTY = "not an integer", "not a number", "not a tuple", "it is empty"
_BOOLS = {"true": True, "1": True, "false": False, "0": False}
_OUT_OF_RANGE = "it is out of range of its floating-point type"
_UNCLOSED = "missing closing bracket"
_CLOSING = (")", "]")


class BadValue(Exception):
    """A string that is not a value of the expected kind."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FloatLimits(NamedTuple):
    """The largest exponent of a floating-point type, and the limits of the mantissa at that exponent."""

    exponent: int
    largest: float
    smallest: float


_FLOAT = FloatLimits(38, 3.402823466, 1.175494351)
_DOUBLE = FloatLimits(308, 1.79769313486231570, 2.22507385850720139)


def _integer_in(text: str, low: int, high: int) -> tuple[int, int]:
    """Return the integer at the start of a text, and where it ends."""
    match = _INTEGER.match(text)
    if match is None:
        raise BadValue(NO_INTEGER)
    if len(match[1]) > 25 or not low <= (value := int(match[1])) <= high:
        raise BadValue(f"it does not fit into {'32' if high < 1 << 33 else '64'} bits")
    return value, match.end()


def _behind(value: str, rest: str) -> str:
    return f"unexpected {'whitespace' if rest.isspace() else code(rest[:20])} after {code(value.strip(_BLANK))}"


def _only_blank(text: str, at: int) -> None:
    if rest := text[at:].strip(_BLANK):
        raise BadValue(_behind(text[:at], rest))


def _signed(text: str, low: int, high: int) -> int:
    value, end = _integer_in(text, low, high)
    _only_blank(text, end)
    return value


def _unsigned(text: str, bits: int) -> int:
    """Return an unsigned integer; C++ streams read a negative one modulo the size of the type."""
    # mxnet 1.9.1 loads num_filter='-4' and workspace='-1'
    value = _signed(text, 1 - (1 << bits), (1 << bits) - 1)
    return value % (1 << bits)


def _stof(text: str, limits: FloatLimits) -> float:
    match = _STOF.match(text)
    assert match is not None  # an empty string, if nothing else
    # mxnet 1.9.1: a trailing f, inf and nan are read; '0,5', '0x1p0' and a trailing blank are refused
    if not text or match.end() != len(text):
        digits = match["word"] or (match["mantissa"] or "").strip(".")
        raise BadValue(_behind(match[0], text[match.end() :]) if digits else NO_NUMBER)
    sign = -1.0 if match["sign"] == "-" else 1.0
    if match["word"]:
        return sign * float(match["word"].partition("(")[0])
    mantissa = match["mantissa"]
    return _scaled(sign * float(mantissa if mantissa.strip(".") else 0), match["exponent"] or "", limits)


def _scaled(value: float, power: str, limits: FloatLimits) -> float:
    """Return a value times a power of ten; an exponent without digits is none."""
    digits = power.lstrip("+-")
    if not digits:
        return value
    is_small = power[0] == "-"
    size = int(digits) if len(power) < 12 else limits.exponent + 1
    is_past_edge = abs(value) < limits.smallest if is_small else abs(value) > limits.largest
    if size > limits.exponent or (size == limits.exponent and is_past_edge):
        raise BadValue(_OUT_OF_RANGE)
    return value * 10.0 ** (-size if is_small else size)


def _real_in(text: str, at: int = 0) -> tuple[float, int]:
    """Return the number at a position as C++ streams read it, without inf, nan and suffixes, and where it ends."""
    match = _REAL.match(text, at)
    if match is None:
        raise BadValue(NO_NUMBER)
    value = float(match[1])
    if value in (float("inf"), float("-inf")):
        raise BadValue(_OUT_OF_RANGE)
    if text[match.end() : match.end() + 1] in ("e", "E"):
        raise BadValue(NO_NUMBER)
    return value, match.end()


def _real(text: str) -> float:
    value, end = _real_in(text)
    _only_blank(text, end)
    return value


def _bool(text: str) -> bool:
    # mxnet 1.9.1: 'tRuE' is true; 'yes', '2', '00' and 'false ' are refused
    if (found := _BOOLS.get(text.lower())) is None:
        raise BadValue("expected `True` or `False`")
    return found


def _optional_bool(text: str) -> bool | None:
    match = _WORD.fullmatch(text)
    if match is None:
        raise BadValue("expected `True`, `False` or `None`")
    word = match[1] or ""
    return None if word.lower() == "none" else _bool(word)


def _optional(text: str, read: Callable[[str], Any], integral: bool = False) -> Any:
    if text.startswith("None"):
        _only_blank(text, 4)
        return None
    # mxnet 1.9.1: an integer that may be None may end in L, as Python 2 wrote it
    if integral and (match := _INTEGER.match(text)) and text[match.end() : match.end() + 1] == "L":
        text = text[: match.end()] + text[match.end() + 1 :]
    return read(text)


Element = Callable[[str, int], tuple[Any, int]]


class BareNumber(tuple[Any, ...]):
    """A tuple of one that is written as a number; NNVM's split counts parts with it, and cuts at `(2,)`."""

    __slots__ = ()


def _int_element(low: int, high: int) -> Element:
    def read(text: str, at: int) -> tuple[Any, int]:
        value, length = _integer_in(text[at : at + 40], low, high)
        return value, at + length

    return read


def _optional_int_element(text: str, at: int) -> tuple[Any, int]:
    if text.startswith("None", at):
        return None, at + 4
    value, length = _integer_in(text[at : at + 40], *_INT32)
    return value, at + length + (text[at + length : at + length + 1] == "L")


def _tuple_in(text: str, at: int, element: Element, integral: bool) -> tuple[Any, int]:
    """Return the tuple at a position (a bare number is a tuple of one; None: of unknown length), and where it ends."""
    at = _past_blanks(text, at)
    head = text[at : at + 1]
    # mxnet 1.9.1: '3' is a tuple of one; '3,3' and '3 3' are refused
    if head and head in "-0123456789":
        value, end = element(text, at)
        return BareNumber((value,)), end
    if text.startswith("None", at):
        end = at + 4
        if end < len(text) and text[end] not in _BLANK:
            raise BadValue(NO_TUPLE)
        return None, end
    if head not in ("(", "["):
        raise BadValue(NO_TUPLE if head else EMPTY)
    return _items_in(text, at + 1, element, integral)


def _items_in(text: str, at: int, element: Element, integral: bool) -> tuple[tuple[Any, ...], int]:
    """Return the items behind the opening bracket of a tuple, and where it ends."""
    items: list[Any] = []
    # mxnet 1.9.1: either bracket closes, '(3, 3]', and a comma may come before it, '(3,)'; '(3,, 3)' is refused
    while not text.startswith(_CLOSING, at := _past_blanks(text, at)):
        begin = at
        try:
            value, at = element(text, at)
        except BadValue as bad:
            raise _bad_item(text, at, bad.reason) from None
        items.append(value)
        at = _past_blanks(text, at)
        at += integral and text.startswith("L", at)
        if text.startswith(",", at):
            at += 1
        elif not text.startswith(_CLOSING, at):
            raise _no_comma(text, begin, at, integral)
    return tuple(items), at + 1


def _past_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _bad_item(text: str, at: int, why: str) -> BadValue:
    """Return what is wrong with an item of a tuple, or with a tuple that ends before it."""
    item = re.split(r"[,)\]]", text[at:], maxsplit=1)[0].strip() or text[at : at + 1]
    reason = f"{code(item)} is {why}" if why in (NO_INTEGER, NO_NUMBER, NO_TUPLE) else f"{code(item)}: {why}"
    return BadValue(reason if item else _UNCLOSED)


def _no_comma(text: str, begin: int, at: int, integral: bool) -> BadValue:
    """Return what is wrong where neither a comma nor a bracket follows an item."""
    mark = text[at : at + 1]
    if integral and mark and (mark.isalnum() or mark in "._") and text[at - 1] not in _BLANK:
        item = re.split(r"[,)\]\s]", text[begin:], maxsplit=1)[0]
        return BadValue(f"{code(item[:20])} is {NO_INTEGER}")
    return BadValue(f"expected `,`, got {code(mark)}" if mark else _UNCLOSED)


def _tuple(text: str, element: Element, integral: bool) -> Any:
    value, end = _tuple_in(text, 0, element, integral)
    _only_blank(text, end)
    return value


def _integers(text: str, limits: tuple[int, int]) -> Any:
    return (_short if len(text) < _SHORT else _integers_in)(text, limits)


def _integers_in(text: str, limits: tuple[int, int]) -> Any:
    return _tuple(text, _int_element(*limits), True)


_SHORT = 64  # characters of a tuple of integers that networks repeat, as "(3, 3)"
_short = lru_cache(maxsize=1024)(_integers_in)


def _shape_element(text: str, at: int) -> tuple[Any, int]:
    return _tuple_in(text, at, _int_element(*_INT32), True)


def _char(text: str) -> str:
    letter = text.strip(_BLANK)
    if len(letter) != 1:
        raise BadValue("it is not a single character")
    return letter


def _pointer(text: str) -> str:
    raise BadValue("an address is only valid in the process that wrote it")


_READERS: dict[str, Callable[[str], Any]] = {
    # mxnet 1.9.1: integers are decimal, also with leading zeros; '4.0', '0x4' and '4L' are refused
    "bool": _bool,
    "int": lambda text: _signed(text, *_INT32),
    "long": lambda text: _signed(text, *_INT64),
    "uint": lambda text: _unsigned(text, 32),
    "ulong": lambda text: _unsigned(text, 64),
    "float": lambda text: _stof(text, _FLOAT),
    "double": lambda text: _stof(text, _DOUBLE),
    "shape": lambda text: _integers(text, _INT64),
    "ints": lambda text: _integers(text, _INT32),
    "slice": lambda text: _tuple(text, _optional_int_element, False),
    "floats": lambda text: _tuple(text, lambda t, at: _real_in(t, at), False),
    "shapes": lambda text: _tuple(text, _shape_element, False),
    "char": _char,
    "string": lambda text: text,
    "pointer": _pointer,
}
_STREAMED = {"float": _real, "double": _real}  # if the value may be None

INTEGERS = frozenset(("int", "long", "uint", "ulong"))


def read(attribute: Attribute, text: str) -> Any:
    """Return the value that the loader reads from a text; raise BadValue if the loader refuses it."""
    kind, nullable = attribute.kind, attribute.facts.get("nullable", False)
    if kind == "enum":
        # mxnet 1.9.1: the exact text; other letter case, blanks and the value's number are refused
        if text in attribute.values:
            return text
        if nullable and text == "None":
            return None
        raise BadValue("expected " + "one of " * (len(attribute.values) > 1) + codes(attribute.values, 12))
    if not nullable:
        return _READERS[kind](text)
    if kind == "bool":
        return _optional_bool(text)
    return _optional(text, _STREAMED.get(kind, _READERS[kind]), kind in INTEGERS)


def is_value(attribute: Attribute, text: str) -> bool:
    """Return whether the loader reads a text as a value of an attribute."""
    try:
        read(attribute, text)
    except BadValue:
        return False
    return True


def leading_int(text: str) -> int:
    """Return the integer that a text begins with, as streams read it whose remaining text is ignored."""
    return _integer_in(text, *_INT32)[0]


def leading_shape(text: str) -> tuple[int, ...] | None:
    """Return the tuple that a text begins with; None for one of unknown length."""
    found: tuple[int, ...] | None = _tuple_in(text, 0, _int_element(*_INT64), True)[0]
    return found
