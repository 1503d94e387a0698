"""Values as LightNet's C code holds them: its numbers, and how it reads parameters."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, inf
from struct import pack, unpack
from typing import Any

from irlint.operators import Attribute, table

INT_MAX = 2**31 - 1
INT_MIN = -(2**31)
FLT_MAX = 3.4028234663852886e38
FLT_MIN = 1.1754943508222875e-38

# lowest and highest value of each element type; TL_BOOL counts as 0 and 1
RANGES: dict[str, tuple[float, float]] = {
    "TL_DOUBLE": (-1.7976931348623157e308, 1.7976931348623157e308),
    "TL_FLOAT": (-FLT_MAX, FLT_MAX),
    **{f"TL_INT{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"TL_UINT{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    "TL_BOOL": (0, 1),
}
FRACTIONAL = ("TL_FLOAT", "TL_DOUBLE")  # element types that hold fractions


def numpy_dtype(word: str | None) -> str | None:
    """Return an element type as NumPy calls it; None if LightNet has none of this name."""
    element = table("lightnet").raw["dtypes"].get(word)
    return str(element["numpy"]) if element else None


# Arithmetic


def as_double(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def as_int(value: int | float) -> int:
    """Cut toward zero and clamped to 32 bits; NaN is what x86 makes of it."""
    return INT_MIN if value != value else int(min(max(value, INT_MIN), INT_MAX))


def as_float(value: int | float) -> float:
    """Clamped to the positive range of a C float: LightNet takes the least positive one for the lowest."""
    return single(min(max(value, FLT_MIN), FLT_MAX))


def single(value: float) -> float:
    """The nearest single-precision number."""
    try:
        rounded: float = unpack("f", pack("f", value))[0]
    except OverflowError:
        return copysign(inf, value)
    return rounded


def wrapped(value: int) -> int:
    """What a 32-bit int holds after it overflowed."""
    return (value + 2**31) % 2**32 - 2**31


def cut(value: float) -> int:
    """A double cast to int as x86-64 does it: what does not fit becomes INT_MIN."""
    return int(value) if INT_MIN - 1 < value < INT_MAX + 1 else INT_MIN


def quotient(a: int, b: int) -> int:
    """C's integer division, toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# Parameters

CAREFULLY: Any = object()  # a reader's answer: not plainly right, look closer
CONVERSIONS: dict[str, Callable[[Any], Any]] = {"int": as_int, "float": as_float, "double": as_double}

Reader = Callable[[Any], Any]

_KINDS = {bool: "bool", str: "string", int: "number", float: "number", type(None): "null"}


def kind_of(value: Any) -> str:
    """Return the loader's word for a JSON value's type; "" for what it cannot hold at all."""
    if not isinstance(value, list):
        return _KINDS.get(type(value), "")
    kind = _KINDS.get(type(value[0]), "null") if value else "null"
    return "" if kind == "null" else f"{kind}s"


def reader(attribute: Attribute) -> Reader:
    """Return a quick reader of one parameter: its C value if the file's value is clearly right, else CAREFULLY."""
    facts, kind = attribute.facts, attribute.kind
    if kind == "string":
        words = frozenset(attribute.values)
        return lambda value: value if type(value) is str and (not words or value in words) else CAREFULLY
    if kind == "bool":
        return lambda value: value if type(value) is bool else CAREFULLY
    readers = _READERS_OF_NUMBERS if kind == "number" else _READERS_OF_LISTS
    return readers[facts["read_as"]](facts.get("min", INT_MIN), facts.get("length"))


def _int(low: int, length: int | None) -> Reader:
    return lambda value: value if type(value) is int and low <= value <= INT_MAX else CAREFULLY


def _float(low: int, length: int | None) -> Reader:
    return lambda value: as_float(value) if type(value) in (int, float) and value > FLT_MIN else CAREFULLY


def _double(low: int, length: int | None) -> Reader:
    return lambda value: value if type(value) in (int, float) and value == value else CAREFULLY


def _ints(low: int, length: int | None) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not list or length not in (None, len(value)):
            return CAREFULLY
        for item in value:
            if type(item) is not int or not low <= item <= INT_MAX:
                return CAREFULLY
        return value

    return read


def _floats(low: int, length: int | None) -> Reader:
    one = _float(low, length)

    def read(value: Any) -> Any:
        held = [one(item) for item in value] if type(value) is list else [CAREFULLY]
        return CAREFULLY if CAREFULLY in held else held

    return read


def _doubles(low: int, length: int | None) -> Reader:
    """Return a reader that looks at the first one only: data is long, and has been seen to be all numbers."""

    def read(value: Any) -> Any:
        is_plain = type(value) is list and value and type(value[0]) in (int, float)
        return value if is_plain and length in (None, len(value)) else CAREFULLY

    return read


_READERS_OF_NUMBERS = {"int": _int, "float": _float, "double": _double}
_READERS_OF_LISTS = {"int": _ints, "float": _floats, "double": _doubles}


def read(value: Any, attribute: Attribute) -> Any:
    """Return the C value of a parameter without errors."""
    if attribute.kind not in ("number", "numbers"):
        return value
    convert = CONVERSIONS[attribute.facts["read_as"]]
    return convert(value) if attribute.kind == "number" else [convert(item) for item in value]
