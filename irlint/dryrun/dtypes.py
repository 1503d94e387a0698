"""Element types by their NumPy names: kinds, sizes and conversion of numbers."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

BITS: dict[str, int] = {
    "float64": 64,
    "float32": 32,
    "float16": 16,
    "bfloat16": 16,
    "float8_e4m3fn": 8,
    "float8_e4m3fnuz": 8,
    "float8_e5m2": 8,
    "float8_e5m2fnuz": 8,
    "float8_e8m0fnu": 8,
    "float4_e2m1fn": 4,
    "nf4": 4,
    "int64": 64,
    "int32": 32,
    "int16": 16,
    "int8": 8,
    "int4": 4,
    "int2": 2,
    "uint64": 64,
    "uint32": 32,
    "uint16": 16,
    "uint8": 8,
    "uint6": 6,
    "uint4": 4,
    "uint3": 3,
    "uint2": 2,
    "uint1": 1,
    "bool": 8,
    "string": 0,
}

FLOATS = frozenset(name for name in BITS if "float" in name) | {"nf4"}
SIGNED = frozenset(name for name in BITS if name.startswith("int"))
UNSIGNED = frozenset(name for name in BITS if name.startswith("uint"))
INTEGERS = SIGNED | UNSIGNED
NUMBERS = FLOATS | INTEGERS
INDEX = frozenset(("int32", "int64"))

_PACK = {"float32": struct.Struct("<f"), "float16": struct.Struct("<e")}


def size(dtype: str | None, shape: Sequence[object] | None) -> int | None:
    """Return the bytes of a tensor, with elements below a byte packed; None if the type or a dimension is unknown."""
    bits = BITS.get(dtype or "")
    if not bits or shape is None or not all(type(dim) is int and dim >= 0 for dim in shape):
        return None
    return (math.prod(dim for dim in shape if isinstance(dim, int)) * bits + 7) // 8


def is_float(dtype: str | None) -> bool:
    """Return whether a type is a float or unknown."""
    return dtype is None or dtype in FLOATS


def integer_range(dtype: str) -> tuple[int, int]:
    bits = BITS[dtype]
    return (0, (1 << bits) - 1) if dtype in UNSIGNED else (-(1 << bits - 1), (1 << bits - 1) - 1)


def keep(value: float, dtype: str | None) -> float:
    """Return a number as an element of that type stores it: rounded, wrapped around, truncated."""
    if dtype is None or dtype == "float64":
        return value
    if dtype in _PACK:
        pack = _PACK[dtype]
        try:
            return float(pack.unpack(pack.pack(float(value)))[0])
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    if dtype == "bool":
        return bool(value)
    if dtype in INTEGERS:
        if isinstance(value, float):
            if not math.isfinite(value):
                return 0
            value = int(value)
        low, high = integer_range(dtype)
        return value if low <= value <= high else (value - low) % (high - low + 1) + low
    if dtype == "bfloat16":
        return _bfloat16(value)
    return value


def _bfloat16(value: float) -> float:
    try:
        bits = int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return math.copysign(math.inf, value)
    bits += 0x7FFF + (bits >> 16 & 1)
    return float(struct.unpack("<f", (bits >> 16 << 16 & 0xFFFFFFFF).to_bytes(4, "little"))[0])
