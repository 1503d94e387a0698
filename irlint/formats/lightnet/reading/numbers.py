"""How LightNet turns the numbers of a file into C ones, and how it computes with them."""

from __future__ import annotations

from struct import pack, unpack

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


def as_double(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def as_int(value: int | float) -> int:
    """Cut toward zero and clamped to 32 bits; NaN is what x86 makes of it."""
    if value != value:
        return INT_MIN
    return INT_MAX if value >= INT_MAX else INT_MIN if value <= INT_MIN else int(value)


def as_float(value: int | float) -> float:
    """Clamped to the positive range of a C float: LightNet takes the least positive one for the lowest."""
    return FLT_MAX if value >= FLT_MAX else FLT_MIN if value <= FLT_MIN else single(value)


def single(value: float) -> float:
    """The nearest single-precision number."""
    try:
        rounded: float = unpack("f", pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
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
