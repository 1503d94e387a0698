"""Arrays of element types that NumPy does not have, stored in a wider type and rounded to theirs."""

from __future__ import annotations

import itertools
from typing import Any

from irlint.dryrun.dtypes import BITS
from irlint.dryrun.lazy import np

_STORED = {
    "bfloat16": "float32", "float8_e4m3fn": "float32", "float8_e4m3fnuz": "float32", "float8_e5m2": "float32",
    "float8_e5m2fnuz": "float32", "float8_e8m0fnu": "float32", "float4_e2m1fn": "float32", "nf4": "float32",
    "int4": "int8", "int2": "int8", "uint6": "uint8", "uint4": "uint8", "uint3": "uint8",
    "uint2": "uint8", "uint1": "uint8", "string": "object",
}  # fmt: skip
STORED_SIZES = {
    name: {"float32": 4, "int8": 1, "uint8": 1, "object": 8}.get(_STORED.get(name, ""), bits // 8)
    for name, bits in BITS.items()
}  # bytes of an element in memory
_NF4 = (
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
)  # fmt: skip
_F4 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
_FLOATS = {
    "bfloat16": (8, 7, 0),
    "float8_e5m2": (5, 2, 57344),
    "float8_e4m3fn": (4, 3, 448),
    "float8_e5m2fnuz": (5, 2, 57344),  # one more small exponent, neither infinities nor a negative zero
    "float8_e4m3fnuz": (4, 3, 240),
}  # exponent, mantissa, largest


def stored(dtype: str) -> str:
    """Return the NumPy type that stores the values of an element type."""
    return _STORED.get(dtype, dtype)


def cast(array: Any, dtype: str | None) -> Any:
    """Return the array converted to another element type, in the type that stores it."""
    if dtype is None:
        return array
    if dtype in _FLOATS:
        return round_to(array.astype(np.float32), dtype)
    if dtype == "nf4":
        return nearest(array.astype(np.float32), np.array(_NF4, np.float32))
    if dtype == "float4_e2m1fn":
        size = nearest(np.abs(array.astype(np.float32)), np.array(_F4, np.float32), even=True)
        return np.copysign(size, array)
    if dtype == "float8_e8m0fnu":
        with np.errstate(divide="ignore"):
            powers = np.clip(np.round(np.log2(array.astype(np.float32))), -127, 127)
            return np.where(np.isnan(powers), np.nan, _power(np.nan_to_num(powers).astype(np.int32))).astype(np.float32)
    if dtype in ("bool",):
        return array != 0
    kept = stored(dtype)
    if array.dtype.kind == "f" and np.dtype(kept).kind in "iu":
        array = truncated(array, kept)
    if array.dtype == np.float16 and kept == "float32" and array.flags.c_contiguous:
        return widened(array)
    if dtype == "float16" and array.dtype == np.float32:
        return narrowed(array)
    # OpenVINO 2026.4.1 (CPU): 300 as u8 is 44, -1.7 is 255
    result = array.astype(kept)
    if kept != dtype and dtype != "string":
        bits = BITS[dtype]
        result = result & ((1 << bits) - 1)
        if dtype.startswith("int"):
            result = ((result ^ (1 << bits - 1)) - (1 << bits - 1)).astype(kept)
    return result


def truncated(array: Any, dtype: str) -> Any:
    """Return fractions cut to integers that `dtype` may wrap around, as a CPU of x86 does it: by way of 32 bits, or of 64 where 32 have
    no room; what these have no room for, NaN included, is the smallest of them.

    onnxruntime 1.32 and mxnet 1.9.1 do so (by vectors, onnxruntime cuts some fractions below 0 to other uint32).
    """
    half = 2.0 ** (63 if dtype in ("int64", "uint64", "uint32") else 31)
    if -half <= float(array.min(initial=0)) and float(array.max(initial=0)) < half:  # neither is NaN
        return array.astype(np.int64)
    wide = array.astype(np.float64, copy=False)
    high = (wide >= half) & (dtype == "uint64")
    wide = np.where(high, wide - half, wide)
    fits = (wide >= -half) & (wide < half)
    found = np.where(fits, wide, -half).astype(np.int64)
    return np.where(high, found ^ np.int64(-(1 << 63)), found)


def saturated(array: Any, dtype: Any) -> Any:
    """Return fractions cut to integers; the ends of the type for those beyond it, and the smallest integer for NaN."""
    ends = np.iinfo(dtype)
    inside = (array > ends.min) & (array < ends.max)
    found = np.where(inside, array, 0).astype(dtype)
    return np.where(inside, found, np.where(array >= ends.max, ends.max, ends.min).astype(dtype))


_BLOCK = 1 << 16  # elements whose bits stay in the cache of a core


def widened(array: Any) -> Any:
    """Return 16-bit numbers as 32-bit ones, and others as they are."""
    if array.dtype != np.float16:
        return array
    found = np.empty(array.shape, np.float32)
    codes, out = array.reshape(-1), found.reshape(-1)
    for start in range(0, codes.size, _BLOCK):
        from_halves(codes[start : start + _BLOCK], out[start : start + _BLOCK])
    return found


def from_halves(codes: Any, out: Any) -> None:
    """Write 16-bit numbers as 32-bit ones, with the bits of `astype`: exponent and fraction are moved, the rest is a product."""
    halves = codes.view(np.int16)
    if ((halves & 0x7C00) == 0x7C00).any():  # infinite or NaN
        out[...] = codes.view(np.float16)
        return
    bits = out.view(np.int32)
    bits[...] = halves
    bits <<= 13
    bits &= -0x70002000  # the sign, and what is below the highest three bits of the exponent
    out *= 2.0**112


def narrowed(array: Any) -> Any:
    """Return 32-bit numbers as 16-bit ones, with the bits of `astype`, and others as they are. `astype` takes 20 times as long for
    numbers that are small in 16 bits."""
    if array.dtype != np.float32:
        return array
    found = np.empty(array.shape, np.float16)
    source, goal = array.reshape(-1), found.reshape(-1)
    rooms = np.empty((3, min(_NARROWED, source.size)), np.float32)
    for start in range(0, source.size, _NARROWED):
        to_halves(source[start : start + _NARROWED], goal[start : start + _NARROWED], rooms)
    return found


_NARROWED = 1 << 15  # elements that are rounded at a time
LEAST_HALF = 2.0**-14  # the smallest number of 16 bits with an exponent of its own


def to_halves(numbers: Any, out: Any, rooms: Any) -> None:
    """Write 32-bit numbers as 16-bit ones. Smaller numbers than the least one with an exponent are rounded by a sum whose last bit is
    theirs, larger ones by a sum of bits; of each number both parts are taken, one of which adds nothing."""
    size, low, room = (each[: numbers.size] for each in rooms)
    np.abs(numbers, out=size)
    few_small = np.count_nonzero(size < LEAST_HALF) < numbers.size >> 8
    if few_small or not size.max(initial=0) < 65520:  # infinite or NaN in 16 bits
        out[...] = numbers
        return
    np.minimum(size, np.float32(LEAST_HALF), out=low)
    low += np.float32(0.5)
    np.maximum(size, np.float32(LEAST_HALF), out=size)
    codes, bits = room.view(np.uint32), size.view(np.uint32)
    np.right_shift(bits, 13, out=codes)
    codes &= 1
    codes += bits
    codes += np.uint32(0xFFF - (112 << 23) + (1 << 32))
    codes >>= 13
    codes += low.view(np.uint32)
    codes -= np.uint32(0x3F000400)  # the bits of 0.5, and those of the least number, which both parts have
    np.right_shift(numbers.view(np.uint32), 16, out=bits)
    bits &= 0x8000
    codes |= bits
    out.view(np.uint16)[...] = codes


def _power(exponent: Any) -> Any:
    """Return exact powers of two: those of `np.exp2` are not."""
    return np.ldexp(1.0, exponent)


def nearest(array: Any, levels: Any, even: bool = False) -> Any:
    """Return the closest of some sorted levels; for a tie the lower, or the one with an even index."""
    middles = (levels[1:] + levels[:-1]) / 2
    place = np.searchsorted(middles, array)
    if even:
        tied = array == middles[np.minimum(place, len(middles) - 1)]
        place = place + (tied & (place % 2 == 1))
    return levels[place]


def round_to(array: Any, dtype: str) -> Any:
    """Return 32-bit numbers rounded to a shorter type."""
    found = np.empty(array.shape, np.float32)
    source, goal = np.ascontiguousarray(array).reshape(-1), found.reshape(-1)
    for start in range(0, source.size, _BLOCK):
        goal[start : start + _BLOCK] = _rounded(source[start : start + _BLOCK], dtype)
    return found


def _rounded(array: Any, dtype: str) -> Any:
    exponent, mantissa, largest = _FLOATS[dtype]
    if dtype == "bfloat16":
        bits = array.view(np.uint32)
        rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
        return np.where(np.isnan(array), array, rounded.astype(np.uint32).view(np.float32))
    least = 2 - (1 << exponent - 1) - dtype.endswith("uz")
    gone = 23 - mantissa  # bits of the fraction that are rounded away
    bits = array.view(np.int32)
    result = (((bits >> gone) & 1) + bits + ((1 << gone - 1) - 1) & -(1 << gone)).view(np.float32)
    small = np.abs(array) < 2.0**least
    if small.any():  # all of one exponent: a large number added takes the bits away
        large = np.float32(1.5 * 2.0 ** (least + gone))
        np.copyto(result, np.copysign((array + large) - large, array), where=small)
    if not (np.abs(result) <= largest).all():
        result = np.where(np.isnan(array), array, result)
        infinite = np.float32(np.nan) if dtype != "float8_e5m2" else np.copysign(np.float32(np.inf), result)
        result = np.where(np.abs(result) > largest, infinite, result)
    return result + np.float32(0) if dtype.endswith("uz") else result


def from_bytes(data: bytes | memoryview, dtype: str, shape: tuple[int, ...]) -> Any:
    """Return the array in some bytes: little-endian, elements shorter than a byte packed from its low end."""
    count = 1
    for length in shape:
        count *= length
    bits = BITS[dtype]
    if dtype == "string":
        return _strings(bytes(data), shape)
    if dtype not in _STORED:
        return np.frombuffer(data, np.dtype(dtype).newbyteorder("<"), count).reshape(shape)
    if dtype == "bfloat16":
        return (np.frombuffer(data, "<u2", count).astype(np.uint32) << 16).view(np.float32).reshape(shape)
    if bits == 8:
        return _eight_bits(np.arange(256), dtype)[np.frombuffer(data, np.uint8, count)].reshape(shape)
    codes = _unpacked(np.frombuffer(data, np.uint8), bits, count)
    if dtype == "nf4":
        return np.array(_NF4, np.float32)[codes].reshape(shape)
    if dtype == "float4_e2m1fn":
        return (np.array(_F4, np.float32)[codes & 7] * np.where(codes & 8, -1, 1)).astype(np.float32).reshape(shape)
    if dtype in ("int4", "int2"):
        sign = 1 << bits - 1
        return ((codes.astype(np.int8) ^ sign) - sign).reshape(shape)
    return codes.reshape(shape)


def _unpacked(data: Any, bits: int, count: int) -> Any:
    """Return codes shorter than a byte. Single bits start at the high end of a byte, all others at its low end; 3 and 6 bits are
    in two parts: the low ones of a group first, then the high ones."""
    if bits == 1:
        return np.unpackbits(data)[:count]
    if bits in (2, 4):
        shifts = np.arange(0, 8, bits, dtype=np.uint8)
        table = (np.arange(256, dtype=np.uint8)[:, None] >> shifts) & ((1 << bits) - 1)  # the codes of each byte
        return table.view(f"<u{8 // bits}")[:, 0][data].view(np.uint8)[:count]
    return _split_codes(data, bits, count)


def _split_codes(data: Any, bits: int, count: int) -> Any:
    """Three bytes hold eight 3-bit or four 6-bit codes: the low parts packed first, the high parts in the last byte."""
    groups = data.reshape(-1, 3)
    if bits == 3:
        low = np.stack([(groups[:, k // 4] >> (6 - 2 * (k % 4))) & 3 for k in range(8)], 1)
        high = np.stack([(groups[:, 2] >> (7 - k)) & 1 for k in range(8)], 1)
        return (low | high << 2).reshape(-1)[:count].astype(np.uint8)
    low = np.stack([(groups[:, k // 2] >> (4 - 4 * (k % 2))) & 15 for k in range(4)], 1)
    high = np.stack([(groups[:, 2] >> (6 - 2 * k)) & 3 for k in range(4)], 1)
    return (low | high << 4).reshape(-1)[:count].astype(np.uint8)


def _eight_bits(codes: Any, dtype: str) -> Any:
    """Return floating-point numbers of one byte."""
    wide = codes.astype(np.int32)
    if dtype == "float8_e8m0fnu":
        return np.where(wide == 255, np.nan, _power(wide - 127)).astype(np.float32)
    exponent_bits, mantissa_bits, _ = _FLOATS[dtype]
    sign = np.where(wide & 0x80, -1.0, 1.0)
    exponent = (wide >> mantissa_bits) & ((1 << exponent_bits) - 1)
    mantissa = wide & ((1 << mantissa_bits) - 1)
    unsigned_zero = dtype.endswith("uz")
    bias = (1 << exponent_bits - 1) - 1 + unsigned_zero
    size = np.where(
        exponent > 0,
        (1 + mantissa / (1 << mantissa_bits)) * _power(exponent - bias),
        mantissa / (1 << mantissa_bits) * _power(1 - bias),
    )
    if unsigned_zero:
        size = np.where(wide == 0x80, np.nan, size)
    elif dtype == "float8_e4m3fn":
        size = np.where((exponent == 15) & (mantissa == 7), np.nan, size)
    else:
        size = np.where(exponent == 31, np.where(mantissa == 0, np.inf, np.nan), size)
    return (sign * size).astype(np.float32)


def _strings(data: bytes, shape: tuple[int, ...]) -> Any:
    """Return strings that follow a table of their offsets."""
    count = int(np.frombuffer(data, "<i4", 1)[0])
    bounds = np.frombuffer(data, "<i4", count + 1, 4)
    start = 4 * (count + 2)
    found = [data[start + a : start + b].decode("utf-8", "surrogateescape") for a, b in itertools.pairwise(bounds)]
    return np.array(found, object).reshape(shape)
