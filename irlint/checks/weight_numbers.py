"""NaN and infinite values in the bytes of weights, which are found without NumPy and fast enough for every lint."""

from __future__ import annotations

import math
import struct
import sys
from array import array
from collections.abc import Sequence

from irlint.text.words import count

# Bytes of a float, and which of its highest byte say that it is finite: the exponent is not all ones
_HIGH = {
    dtype: (size, bytes(high for high in range(256) if high & ones != ones))
    for dtype, size, ones in (("float16", 2, 0x7C), ("bfloat16", 2, 0x7F), ("float32", 4, 0x7F), ("float64", 8, 0x7F))
}
_CODES = {"float16": "e", "float32": "f", "float64": "d"}  # of types that Python has
_BLOCK = 1 << 20  # bytes that are looked at together: they stay in a cache


def is_finite(raw: bytes | memoryview, dtype: str) -> bool:
    """Return whether the highest bytes of the numbers show that none is NaN or infinite; False for other types than floats."""
    if dtype not in _HIGH:
        return False
    size, finite = _HIGH[dtype]
    return not any(
        bytes(raw[start : start + _BLOCK])[size - 1 :: size].translate(None, finite)  # slower without a copy
        for start in range(0, len(raw), _BLOCK)
    )


def floats(raw: bytes | memoryview, dtype: str) -> Sequence[float] | None:
    """Return the numbers of a type of floats that Python has; None for others."""
    if dtype not in _CODES:
        return None
    code = _CODES[dtype]
    size = struct.calcsize(f"<{code}")
    whole = raw[: len(raw) // size * size]
    if dtype == "float16" or sys.byteorder == "big":
        return struct.unpack(f"<{len(whole) // size}{code}", whole)
    found = array(code)
    found.frombytes(whole)
    return found


def not_finite(numbers: Sequence[float], dtype: str | None, what: str, only_nan: bool = False) -> str | None:
    """Return the message about numbers that are NaN or infinite; None if all are finite."""
    if math.isfinite(sum(numbers)):
        return None
    nan, infinite = sum(map(math.isnan, numbers)), 0 if only_nan else sum(map(math.isinf, numbers))
    parts = [f"{number:,} {word}" for number, word in ((nan, "NaN"), (infinite, "infinite")) if number]
    overflow = "; numbers past 65504 overflow in float16" if infinite and dtype == "float16" else ""
    return f"{what} has {' and '.join(parts)} of {count(len(numbers), 'value')}{overflow}" if parts else None
