"""Matrix products of types for which NumPy has no fast ones: of 16 bits through 32, of integers through floats that are exact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import narrowed, widened

_BLOCK = 1 << 16  # elements that stay in the cache of a core
EXACT = 1 << 24  # integers up to which sums of 32-bit floats are exact


def product(a: Any, b: Any) -> Any:
    """Return what `np.matmul` does; numbers of 16 bits are multiplied in 32 and rounded once."""
    if np.float16 not in (a.dtype, b.dtype):
        return np.matmul(a, b)
    return narrowed(np.matmul(widened(a), widened(b)))


def whole_matrix(numbers: Any, zero: Any) -> dict[str, Any]:
    """Return a matrix of 8-bit integers as `whole_product` takes it: less its zero point, with the largest sum of sizes in a column."""
    found = less(numbers, zero, -1)
    return {"matrix": found, "most": np.asarray(np.abs(found).sum(-2).max(initial=0) if found.ndim > 1 else np.inf)}


def whole_product(data: Any, matrix: Any, most: Any) -> Any:
    """Return the exact product of integers that are stored as 32-bit floats, as such or in 64 bits."""
    depth, large = data.shape[-1], largest(data)
    if large * float(most) <= EXACT:
        return np.matmul(data, matrix)
    step = int(EXACT // max(large * largest(matrix), 1))
    if step < 1 or data.ndim < 2 or matrix.ndim < 2:
        return np.matmul(data.astype(np.float64), matrix.astype(np.float64))
    total = np.matmul(data[..., :step], matrix[..., :step, :]).astype(np.float64)
    for start in range(step, depth, step):
        total += np.matmul(data[..., start : start + step], matrix[..., start : start + step, :])
    return total


def largest(array: Any) -> float:
    """Return the largest absolute value; 0 if there is none."""
    return max(-float(array.min()), float(array.max())) if array.size else 0.0


def less(data: Any, zero: Any, axis: int) -> Any:
    """Return 8-bit integers less one zero point for all, or one per row or column, as 32-bit floats."""
    found = data.astype(np.float32)
    if zero is None or not zero.any():
        return found
    if zero.ndim == 1 and zero.size > 1 and axis == -2:
        zero = zero[:, None]
    return np.subtract(found, zero.astype(np.float32), out=found if zero.ndim <= found.ndim else None)


def requantized(total: Any, factor: Any, zero: Any, kind: str, bias: Any = None) -> Any:
    """Return exact integers, plus a bias, times a factor, rounded, plus a zero point, as 8-bit integers. onnxruntime 1.32 (CPU)
    multiplies in 32 bits, too. `total` is overwritten."""
    factor, limits, offset = np.asarray(factor, np.float32), np.iinfo(kind), np.float32(np.reshape(zero, -1)[0])
    if bias is not None and largest(bias) > EXACT:
        total = total.astype(np.float64)
    bias = np.zeros((), total.dtype) if bias is None else bias.astype(total.dtype)
    found = np.empty(total.shape, kind)
    for part, out, by, more in blocks(total, found, factor, bias):
        if more.any():
            part += more
        numbers = part.astype(np.float32, copy=False)
        numbers *= by
        np.rint(numbers, out=numbers)
        if offset:
            numbers += offset
        np.clip(numbers, limits.min, limits.max, out=numbers)
        np.copyto(out, numbers, casting="unsafe")
    return found


def blocks(data: Any, found: Any, *operands: Any) -> Iterator[list[Any]]:
    """Yield views of parts of two arrays of one shape that stay in a cache, with the parts of operands that they meet, which broadcast
    to these arrays."""
    if not data.ndim:
        yield [data[None], found[None], *operands]
        return
    axis = 1 if data.ndim > 2 and data.shape[0] == 1 else 0
    many = max(1, _BLOCK * data.shape[axis] // max(1, data.size))
    for start in range(0, data.shape[axis], many):
        parts = []
        for array in (data, found, *operands):
            before = array.ndim - data.ndim + axis
            block: Any = (*(slice(None),) * before, slice(start, start + many))
            parts.append(array[block] if before >= 0 and array.shape[before] > 1 else array)
        yield parts


def quantized(data: Any, scale: Any, zero: Any, kind: str) -> Any:
    """Return 32-bit floats over a scale, rounded, plus a zero point, as integers of 8 or 16 bits."""
    limits, found = np.iinfo(kind), np.empty(data.shape, kind)
    offsets = np.zeros((), np.float32) if zero is None else zero.astype(np.float32)
    for part, out, by, offset in blocks(data, found, scale, offsets):
        numbers = np.divide(part, by)
        np.rint(numbers, out=numbers)
        if offset.any():
            numbers += offset
        np.clip(numbers, limits.min, limits.max, out=numbers)
        np.copyto(out, numbers, casting="unsafe")
    return found


def dequantized(data: Any, scale: Any, zero: Any) -> Any:
    """Return integers less a zero point, times a scale."""
    found = np.empty(data.shape, np.float32)
    offsets = np.zeros((), np.float32) if zero is None else zero.astype(np.float32)
    for part, out, by, offset in blocks(data, found, scale, offsets):
        np.copyto(out, part, casting="unsafe")
        if offset.any():
            out -= offset
        out *= by
    return found
