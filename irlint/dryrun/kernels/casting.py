"""Conversions between element types, with strings and short floating-point numbers."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast, nearest

_LARGEST = {
    "float8_e4m3fn": 448.0,
    "float8_e4m3fnuz": 240.0,
    "float8_e5m2": 57344.0,
    "float8_e5m2fnuz": 57344.0,
}
_FOURS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def cast_to(data: Any, dtype: str, saturate: bool = True, round_mode: str = "up") -> Any:
    """Return the array in another element type, in the type that stores it."""
    if dtype == "string":
        return np.array([_written(x) for x in data.ravel().tolist()], object).reshape(data.shape)
    if data.dtype.kind in "OUS":
        return _read(data, dtype)
    if dtype in _LARGEST:
        wide = data.astype(np.float32)
        if saturate:
            most = np.float32(_LARGEST[dtype])
            wide = np.clip(wide, -most, most)
        return cast(wide, dtype)
    if dtype == "float4_e2m1fn":
        wide = data.astype(np.float32)
        size = nearest(np.abs(wide), np.array(_FOURS, np.float32), even=True)
        return np.copysign(np.where(np.isnan(wide), 0, size), np.where(np.isnan(wide), -1, wide)).astype(np.float32)
    if dtype == "float8_e8m0fnu":
        return _powers(np.abs(data.astype(np.float32)), saturate, round_mode)
    if data.dtype.kind == "f" and dtype == "bool":
        return data != 0
    return cast(data, dtype)


def _written(value: Any) -> str:
    """Return a number as the C++ library writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            return "INF" if value > 0 else "-INF"
        return f"{value:.8g}"
    return str(value)


def _read(data: Any, dtype: str) -> Any:
    """Return the numbers that strings hold."""
    texts = data.ravel().tolist()
    whole = dtype.startswith(("int", "uint"))
    numbers = [int(t) if whole and not any(c in t for c in ".eE") else float(t) for t in texts]
    if dtype == "bool":
        return np.array([n != 0 for n in numbers], bool).reshape(data.shape)
    return cast(np.array(numbers, np.int64 if whole else np.float64).reshape(data.shape), dtype)


def _powers(size: Any, saturate: bool, round_mode: str) -> Any:
    """Return powers of two: the next one, the one before or the nearest."""
    rule = {"up": np.ceil, "down": np.floor, "nearest": lambda x: np.where(x % 1 >= _HALF, np.ceil(x), np.floor(x))}
    with np.errstate(divide="ignore"):
        exponents = rule[round_mode](np.log2(size.astype(np.float64)))
    exponents = np.where(size == 0, -127, exponents)
    if not saturate:
        exponents = np.where(exponents > 127, np.nan, exponents)
    found = np.ldexp(1.0, np.nan_to_num(np.clip(exponents, -127, 127)).astype(np.int32))
    return np.where(np.isnan(size) | np.isnan(exponents), np.nan, found).astype(np.float32)


_HALF = 0.5849625007211562  # the logarithm of 1.5
