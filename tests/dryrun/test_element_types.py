"""Element types that NumPy does not have: their bytes read bit by bit, and numbers rounded to the nearest there is."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable

import numpy as np
import pytest

from irlint.dryrun.dtypes import BITS, INTEGERS, integer_range, keep, size
from irlint.dryrun.running.arrays import cast, from_bytes, stored


def small_float(code: int, exponent: int, mantissa: int) -> float:
    """Sign, exponent and mantissa as IEEE 754 has them, for any widths."""
    sign = -1 if code >> (exponent + mantissa) else 1
    power, rest = code >> mantissa & (1 << exponent) - 1, code & (1 << mantissa) - 1
    bias = (1 << exponent - 1) - 1
    if power == 0:
        return sign * rest * 2.0 ** (1 - bias - mantissa)
    return sign * (1 + rest / (1 << mantissa)) * 2.0 ** (power - bias)


def e5m2(code: int) -> float:
    if code & 0x7C == 0x7C:
        return math.nan if code & 3 else math.copysign(math.inf, small_float(code, 5, 2))
    return small_float(code, 5, 2)


CODES: dict[str, Callable[[int], float]] = {
    "float8_e4m3fn": lambda code: math.nan if code & 0x7F == 0x7F else small_float(code, 4, 3),
    "float8_e5m2": e5m2,
    "float8_e8m0fnu": lambda code: math.nan if code == 255 else 2.0 ** (code - 127),
    "float4_e2m1fn": lambda code: small_float(code, 2, 1),
    "bfloat16": lambda code: float(np.array(code << 16, np.uint32).view(np.float32)),
    "int4": lambda code: code - 16 if code > 7 else code,
    "uint4": lambda code: code,
    "uint2": lambda code: code,
    "uint1": lambda code: code,
}


def packed(codes: list[int], bits: int, dtype: str) -> bytes:
    """Elements shorter than a byte one after the other, from the low end of each byte; single bits from the high end."""
    if bits >= 8:
        return b"".join(code.to_bytes(bits // 8, "little") for code in codes)
    each = 8 // bits
    found = []
    for first in range(0, len(codes), each):
        places = range(each)[::-1] if dtype == "uint1" else range(each)
        found.append(
            sum(code << place * bits for place, code in zip(places, codes[first : first + each], strict=False))
        )
    return bytes(found)


@pytest.mark.parametrize("dtype", CODES)
def test_bytes_are_read_as_the_type_means_them(dtype: str) -> None:
    bits = BITS[dtype]
    codes = list(range(1 << bits)) if bits < 16 else list(range(0, 1 << 16, 37))
    count = len(codes)
    read = from_bytes(packed(codes, bits, dtype), dtype, (count,))
    assert read.dtype == stored(dtype)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(read.astype(np.float64), [CODES[dtype](code) for code in codes])
    assert size(dtype, (count,)) == len(packed(codes, bits, dtype))


@pytest.mark.parametrize("dtype", ["uint3", "uint6"])
def test_split_codes_fill_three_bytes(dtype: str) -> None:
    """The low bits of all come first, the high ones in the last byte, from the high end of each."""
    bits = BITS[dtype]
    low, high, each = (2, 1, 8) if bits == 3 else (4, 2, 4)
    codes = [int(code) for code in np.random.default_rng(0).integers(0, 1 << bits, each * 5)]
    data = b""
    for first in range(0, len(codes), each):
        group = codes[first : first + each]
        whole = 0
        for code in group:
            whole = whole << low | code & (1 << low) - 1
        ends = sum(code >> low << (8 // each * k if bits == 6 else k) for k, code in enumerate(reversed(group)))
        data += whole.to_bytes(2, "big") + bytes([ends])
    assert high * each == 8
    assert from_bytes(data, dtype, (len(codes),)).tolist() == codes


ROUNDED = ("float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "bfloat16")


@pytest.mark.parametrize("dtype", ROUNDED)
def test_numbers_become_the_nearest_there_is(dtype: str) -> None:
    """Halfway between two the one whose last bit is 0; what is a number of the type already stays."""
    codes = range(1 << BITS[dtype] - 1)
    levels = [x for x in map(CODES[dtype], codes) if math.isfinite(x)]
    random = np.random.default_rng(0)
    least, most = max(levels[1], 1e-30), min(levels[-1], 1e30)
    numbers = np.exp(random.uniform(math.log(least) - 1, math.log(most), 400)) * random.choice([-1, 1], 400)
    picked = random.integers(0, len(levels) - 1, 100)
    halves = [(levels[k] + levels[k + 1]) / 2 for k in picked if levels[k + 1] < 1e30]
    given = np.array([*numbers, *halves, *levels[:: max(len(levels) // 200, 1)]], np.float32)
    for x, found in zip(given, cast(given, dtype), strict=True):
        place = bisect_left(levels, abs(float(x)))
        near = [k for k in (place - 1, place) if 0 <= k < len(levels)]
        best = min(near, key=lambda k: (abs(levels[k] - abs(float(x))), k % 2))
        assert found == math.copysign(levels[best], x), f"{x!r}"
        if dtype == "bfloat16":
            assert keep(float(x), dtype) == found


@pytest.mark.parametrize("dtype", sorted(INTEGERS))
def test_integers_wrap_around(dtype: str) -> None:
    low, high = integer_range(dtype)
    for x in (-300, -17, -9, -8, -1, 0, 1, 2, 7, 8, 15, 16, 200, 255, 256, 70000):
        found = int(cast(np.array([x], np.int64), dtype)[0])
        assert low <= found <= high
        assert (found - x) % (high - low + 1) == 0
        assert keep(x, dtype) == found


def test_strings_lie_behind_their_bounds() -> None:
    words = ["", "ab", "grün", "c"]
    raw = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, raw)]).astype("<i4")
    data = np.array([len(words)], "<i4").tobytes() + ends.tobytes() + b"".join(raw)
    assert from_bytes(data, "string", (2, 2)).reshape(-1).tolist() == words


def test_nf4_has_sixteen_levels() -> None:
    levels = from_bytes(packed(list(range(16)), 4, "nf4"), "nf4", (16,))
    assert (np.diff(levels) > 0).all()
    assert (levels[0], levels[7], levels[15]) == (-1, 0, 1)
    np.testing.assert_array_equal(cast(levels, "nf4"), levels)


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2"])
def test_numbers_are_rounded_to_the_nearest_of_eight_bits(dtype: str) -> None:
    codes = np.arange(256, dtype=np.uint8)
    levels = from_bytes(codes.tobytes(), dtype, (256,))
    assert np.array_equal(cast(levels, dtype), levels, equal_nan=True)
    finite = np.unique(levels[np.isfinite(levels) & (levels >= 0)])
    x = np.random.default_rng(0).random(200_000).astype(np.float32) ** 8 * finite[-1]
    x = np.concatenate([x, (finite[1:] + finite[:-1]) / 2]).astype(np.float32)
    for sign in (1, -1):
        found = cast(sign * x, dtype)
        assert np.array_equal(np.abs(found - sign * x), np.min(np.abs(x[:, None] - finite), 1))
    assert np.isnan(cast(np.array([np.nan], np.float32), dtype)).all()
