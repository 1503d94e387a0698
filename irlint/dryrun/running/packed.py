"""Constants of short element types that are unpacked, converted and scaled only where they are used, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from math import prod
from typing import Any

from irlint.dryrun.dtypes import BITS, FLOATS
from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import from_bytes, from_halves, stored

LEAST = 1 << 14  # elements; smaller constants are unpacked at once
BLOCK = 1 << 18  # elements that are unpacked at a time where rows are used one after the other
_PIECE = 1 << 16  # elements whose numbers stay in the cache of a core between two steps
SHORT = frozenset(
    ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "nf4", "int8", "uint8", "int4", "uint4", "uint2")
)  # fmt: skip
_RESULTS = ("float32", "float16", "bfloat16")
_INTEGERS = frozenset(("int8", "uint8", "int4", "uint4", "uint2"))
_MOST_ZERO = 100  # a code of 4 bits less that is still a byte
_FEW_ROWS = 16  # of data, for which scaling weights would take longer than multiplying them


class Packed:
    """An array of rows, computed in 32 bits from its codes when it is used: as many operators as wanted may have been applied to it.

    A chain of Convert, Subtract, Multiply and Reshape after the constant only adds to `steps`. Their results are not rounded to
    16 bits in between: OpenVINO 2026.4.1 (CPU) does not round them either where it unpacks weights in its kernels.
    """

    __slots__ = ("codes", "dtype", "grid", "kind", "shape", "steps")

    def __init__(
        self, codes: Any, kind: str, dtype: str, grid: tuple[int, ...], shape: tuple[int, ...], steps: tuple[Any, ...]
    ) -> None:
        """`codes` are the bytes, `kind` is their element type; `steps` are functions with an operand that fits the shape `grid`."""
        self.codes, self.kind, self.grid, self.shape, self.steps = codes, kind, grid, shape, steps
        self.dtype = np.dtype(stored(dtype))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * int(self.dtype.itemsize)

    @property
    def is_dense(self) -> bool:
        """Return whether it is so much smaller than the array that unpacking costs little more than reading that from memory."""
        return self.nbytes > 2 * int(self.codes.nbytes)

    def converted(self, dtype: str | None) -> Packed | None:
        if dtype not in _RESULTS:
            return None
        return Packed(self.codes, self.kind, dtype, self.grid, self.shape, self.steps)

    def stepped(self, function: str, operand: Any) -> Packed | None:
        """Return the result of a function of two operands, the second of which is an array; None if it changes the shape."""
        shape = getattr(operand, "shape", None)
        if shape is None or self.dtype.kind != "f" or self.shape != self.grid:
            return None
        wide = (1,) * (self.ndim - len(shape)) + tuple(shape)
        if len(wide) != self.ndim or any(n not in (1, m) for n, m in zip(wide, self.grid, strict=True)):
            return None
        step = function, np.asarray(whole(operand), np.float32).reshape(wide)
        return Packed(self.codes, self.kind, self.dtype.name, self.grid, self.shape, (*self.steps, step))

    def reshaped(self, shape: tuple[int, ...]) -> Packed | None:
        """Return the same elements in another shape, if it has the same rows."""
        if not shape or shape[0] != self.shape[0] or prod(shape) != self.size:
            return None
        grid = self.grid if self.steps else shape
        return Packed(self.codes, self.kind, self.dtype.name, grid, shape, self.steps)

    def in_bytes(self) -> Packed | None:
        """Return the same array with a byte for each code, from which a whole zero point is subtracted already; None if it is not
        an array of shorter integers."""
        if self.kind not in _INTEGERS or BITS[self.kind] == 8:
            return None
        zero = self.steps[0][1] if self.steps and self.steps[0][0] == "subtract" else None
        if zero is not None and ((zero % 1).any() or np.abs(zero).max() > _MOST_ZERO):
            zero = None
        found = np.empty(self.grid, np.int8)
        width, many = self._row_bytes(), max(1, _PIECE // max(1, prod(self.grid[1:])))
        for start in range(0, self.shape[0], many):
            part = found[start : start + many]
            part[:] = from_bytes(memoryview(self.codes[start * width : (start + many) * width]), self.kind, part.shape)
            if zero is not None:
                part -= (zero[start : start + many] if zero.shape[0] > 1 else zero).astype(np.int8)
        steps = self.steps if zero is None else self.steps[1:]
        return Packed(found.reshape(-1).view(np.uint8), "int8", self.dtype.name, self.grid, self.shape, steps)

    def groups(self) -> tuple[int, Any, Any] | None:
        """Return how many numbers in a row have the same zero point and the same scale, and both for each row and group; None if
        the codes or the steps are of another kind."""
        names = tuple(name for name, _ in self.steps)
        if self.kind not in _INTEGERS or names not in (("subtract", "multiply"), ("multiply",)) or self.ndim != 2:
            return None
        if len(self.grid) not in (2, 3) or any(operand.shape[-1] != 1 for _, operand in self.steps):
            return None
        each = (self.shape[0], prod(self.grid[1:-1]))
        zero, scale = (self.steps[0][1] if len(names) == 2 else None), self.steps[-1][1]

        def spread(operand: Any) -> Any:
            return np.broadcast_to(operand[..., 0], self.grid[:-1]).reshape(each)

        return self.grid[-1], zero if zero is None else spread(zero), spread(scale)

    def unpack(self, start: int, stop: int, out: Any) -> None:
        """Fill `out` with the codes of some rows as numbers of 32 bits."""
        width = self._row_bytes()
        _decoder(self.kind)(self.codes[start * width : stop * width], out.reshape(-1))

    def finite(self) -> bool:
        """Return whether no stored number is NaN or infinite."""
        if self.kind == "float16":
            return not any(((part & 0x7C00) == 0x7C00).any() for part in np.array_split(self.codes.view(np.uint16), 64))
        return all(np.isfinite(operand).all() for _, operand in self.steps) and self.kind not in FLOATS

    def rows(self, start: int, stop: int, room: Any = None) -> Any:
        """Return some rows in 32 bits, in `room` if it is given."""
        out = np.empty((stop - start, *self.grid[1:]), np.float32) if room is None else room[: stop - start]
        width = self._row_bytes()
        self._compute(self.codes[start * width : stop * width], out, slice(start, stop))
        return out.reshape(stop - start, *self.shape[1:])

    def take(self, numbers: Any) -> Any:
        """Return the listed rows in the array's type."""
        flat = numbers.reshape(-1)
        out = np.empty((flat.size, *self.grid[1:]), np.float32)
        codes = self.codes.reshape(self.shape[0], -1)[flat]
        self._compute(codes.reshape(-1), out, flat)
        return out.reshape(*numbers.shape, *self.shape[1:]).astype(self.dtype, copy=False)

    def blocks(self) -> Iterator[tuple[int, int, Any]]:
        """Yield all rows, some at a time, in the same memory."""
        many = max(1, min(self.shape[0], BLOCK // max(1, prod(self.shape[1:]))))
        room = np.empty((many, *self.grid[1:]), np.float32)
        for start in range(0, self.shape[0], many):
            stop = min(start + many, self.shape[0])
            yield start, stop, self.rows(start, stop, room)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.array() if dtype is None else self.array().astype(dtype)

    def array(self) -> Any:
        """Return the whole array."""
        if not self.steps and stored(self.kind) == self.dtype.name:
            return from_bytes(memoryview(self.codes), self.kind, self.shape)
        found = np.empty(self.shape, self.dtype)
        if self.dtype == np.float32:
            self._compute(self.codes, found.reshape(self.grid), slice(None))
        else:
            for start, stop, part in self.blocks():
                found[start:stop] = part
        return found

    def _row_bytes(self) -> int:
        return prod(self.grid[1:]) * BITS[self.kind] // 8

    def _compute(self, codes: Any, out: Any, where: Any) -> None:
        """Fill `out` with the rows of some codes; `where` selects them in the operands of the steps."""
        steps = [(getattr(np, name), a[where] if a.shape[0] > 1 else a) for name, a in self.steps]
        decode, width = _decoder(self.kind), self._row_bytes()
        many = max(1, _PIECE // max(1, prod(self.grid[1:])))
        for start in range(0, len(out), many):
            part = out[start : start + many]
            decode(codes[start * width : (start + many) * width], part.reshape(-1))
            for function, operand in steps:
                function(part, operand[start : start + many] if operand.shape[0] > 1 else operand, out=part)


def packed(data: bytes, kind: str, shape: tuple[int, ...]) -> Packed | None:
    """Return a large constant of a short type whose rows begin at whole bytes; None for others."""
    if kind not in SHORT or not shape or prod(shape) < LEAST or prod(shape[1:]) * BITS[kind] % 8:
        return None
    size = prod(shape) * BITS[kind] // 8
    return Packed(np.frombuffer(data, np.uint8, size), kind, kind, shape, shape, ())


def whole(operand: Any) -> Any:
    """Return an operand as an array."""
    return operand.array() if type(operand) is Packed else operand


Decode = Callable[[Any, Any], None]


@cache
def _decoder(kind: str) -> Decode:
    """Return a function that writes the numbers of some bytes to an array of 32-bit numbers."""
    if kind == "float16":
        return from_halves
    if kind == "bfloat16":
        return _from_bfloats
    if kind in ("int8", "uint8"):
        return lambda codes, out: np.copyto(out, codes.view(kind))
    if kind in ("int4", "uint4"):
        return partial(_from_nibbles, kind == "int4")
    many = 8 // BITS[kind]
    table = from_bytes(bytes(range(256)), kind, (256 * many,)).astype(np.float32)
    table = table.view({1: "f4", 2: "f8", 4: "c16"}[many])  # the numbers of a byte are moved as one

    def decode(codes: Any, out: Any) -> None:
        np.take(table, codes, out=out.view(table.dtype), mode="clip")

    return decode


def _from_nibbles(signed: bool, codes: Any, out: Any) -> None:
    """The two halves of a byte are moved to two bytes, the low one first; arithmetic on bytes is quicker than a table."""
    pairs = codes.astype("<u2")
    pairs |= pairs << 4
    pairs &= 0x0F0F
    each = pairs.view(np.uint8)
    if signed:
        each ^= 8
        each -= 8
    np.copyto(out, each.view(np.int8))


def _from_bfloats(codes: Any, out: Any) -> None:
    bits = out.view(np.uint32)
    bits[...] = codes.view(np.uint16)
    bits <<= 16


def multiply(data: Any, weights: Packed, transposed: bool) -> Any:
    """Return data times a matrix of rows, or its transpose, or a stack of such matrices, some rows at a time."""
    if weights.ndim == 3:
        return _multiply_each(data, weights, transposed)
    lead = data.shape[:-1]
    flat = np.ascontiguousarray(data).reshape(-1, data.shape[-1])
    if transposed and len(flat) <= _FEW_ROWS and (groups := weights.groups()) is not None:
        return _by_groups(flat, weights, *groups).reshape(*lead, weights.shape[0])
    result = np.empty((len(flat), weights.shape[0] if transposed else weights.shape[1]), np.float32)
    for start, stop, rows in weights.blocks():
        if transposed:
            np.matmul(flat, rows.T, out=result[:, start:stop])
        elif start:
            result += flat[:, start:stop] @ rows
        else:
            np.matmul(flat[:, start:stop], rows, out=result)
    return result.reshape(*lead, result.shape[1])


def _by_groups(data: Any, weights: Packed, width: int, zero: Any, scale: Any) -> Any:
    """Return a few rows times the transpose of a matrix of codes: codes of a group are multiplied before they are scaled, so that
    there is one step for each group instead of one for each number."""
    count, deep = weights.shape
    groups = deep // width
    columns = data.reshape(len(data), groups, width).transpose(1, 2, 0)
    sums = columns.sum(1)
    found = np.empty((len(data), count), np.float32)
    many = max(1, min(count, _PIECE // deep))
    room = np.empty((many, deep), np.float32)
    for start in range(0, count, many):
        stop = min(start + many, count)
        part = room[: stop - start]
        weights.unpack(start, stop, part)
        products = np.matmul(
            part.reshape(-1, groups, width).transpose(1, 0, 2), columns
        )  # group, row of weights, row of data
        if zero is not None:
            products -= zero[start:stop].T[:, :, None] * sums[:, None]
        products *= scale[start:stop].T[:, :, None]
        np.sum(products, 0, out=found[:, start:stop].T)
    return found


def _multiply_each(data: Any, weights: Packed, transposed: bool) -> Any:
    count, deep, wide = weights.shape
    left = data if data.ndim > 2 else data[None]
    result = np.empty((*left.shape[:-3], count, left.shape[-2], deep if transposed else wide), np.float32)
    for k in range(count):
        matrix = weights.rows(k, k + 1)[0]
        part = left[..., min(k, left.shape[-3] - 1), :, :]
        np.matmul(part, matrix.T if transposed else matrix, out=result[..., k, :, :])
    return result
