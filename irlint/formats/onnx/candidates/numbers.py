"""Whether bytes look like numbers of an element type: weights are neither huge nor tiny, and indices are small."""

from __future__ import annotations

from math import isfinite
from struct import calcsize, unpack_from

_FORMATS = {"float32": "f", "float64": "d", "int32": "i", "int64": "q", "uint32": "I", "uint64": "Q"}
_MOST = 256  # numbers that are looked at
_LARGEST, _SMALLEST = 1e6, 1e-9  # of weights, but for 0
_INDICES = 1 << 20
_SHARE = 0.95  # of the numbers


def is_rather(data: bytes, dtype: str, written: str | None) -> bool:
    """Return whether bytes look like numbers of an element type, and not like those of the written one."""
    return written is not None and _reads_as(data, dtype) and not _reads_as(data, written)


def _reads_as(data: bytes, dtype: str) -> bool:
    """Return whether nearly all of the first numbers are what a model has of an element type."""
    code = _FORMATS.get(dtype)
    count = 0 if code is None else min(len(data) // calcsize(code), _MOST)
    if not count:
        return False
    numbers = unpack_from(f"<{count}{code}", data)
    if code in ("f", "d"):
        usual = sum(isfinite(number) and (not number or _SMALLEST < abs(number) < _LARGEST) for number in numbers)
        return bool(usual >= _SHARE * count and any(numbers))
    return bool(sum(abs(number) < _INDICES for number in numbers) >= _SHARE * count)
