"""Elements of small tensors: numbers, symbols, ranges and unknown ones, and operations on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from operator import mul
from typing import Any

from irlint.dryrun.dtypes import keep
from irlint.dryrun.tensor import Entry, Tensor
from irlint.graph import Dim, Shape

Low = float | None


def from_dim(dim: Dim) -> Entry:
    """Return a dimension as an element: an unknown length is at least not negative."""
    return (0, None) if dim is None else dim


def to_dim(entry: Entry) -> Dim:
    """Return an element as a dimension; a negative number is unknown."""
    if entry is None or isinstance(entry, str):
        return entry
    if isinstance(entry, tuple):
        low, high = entry
        low = max(int(low), 0) if low is not None else 0
        return None if high is None and low == 0 else low if low == high else (low, None if high is None else int(high))
    return int(entry) if entry >= 0 else None


def is_number(entry: Entry) -> bool:
    return isinstance(entry, (int, float))


def numbers(tensor: Tensor | None) -> tuple[Any, ...] | None:
    """Return the elements if every one is a number."""
    if tensor is None or (value := tensor.value) is None or not all(map(is_number, value)):
        return None
    return value


def entry_bounds(entry: Entry) -> tuple[Low, Low]:
    if entry is None:
        return None, None
    if isinstance(entry, tuple):
        return entry
    if isinstance(entry, str):
        return 0, None
    return entry, entry


def from_bounds(low: Low, high: Low) -> Entry:
    if low is None and high is None:
        return None
    return low if low == high else (low, high)


def add(a: Entry, b: Entry) -> Entry:
    if is_number(a) and is_number(b):
        return a + b
    if is_number(b) and b == 0:
        return a
    if is_number(a) and a == 0:
        return b
    (low, high), (other_low, other_high) = entry_bounds(a), entry_bounds(b)
    return from_bounds(
        None if low is None or other_low is None else low + other_low,
        None if high is None or other_high is None else high + other_high,
    )


def negate(a: Entry) -> Entry:
    if is_number(a):
        return -a
    low, high = entry_bounds(a)
    return from_bounds(None if high is None else -high, None if low is None else -low)


def subtract(a: Entry, b: Entry) -> Entry:
    if is_number(a) and is_number(b):
        return a - b
    if is_number(b) and b == 0:
        return a
    return add(a, negate(b))


def multiply(a: Entry, b: Entry) -> Entry:
    if is_number(a) and is_number(b):
        return a * b
    if is_number(b) and b == 1:
        return a
    if is_number(a) and a == 1:
        return b
    (low, high), (other_low, other_high) = entry_bounds(a), entry_bounds(b)
    if low is None or other_low is None or low < 0 or other_low < 0:
        return _corners(a, b, mul)
    return from_bounds(low * other_low, None if high is None or other_high is None else high * other_high)


def _corners(a: Entry, b: Entry, function: Callable[[Any, Any], Any]) -> Entry:
    """Return the range of a function that is monotonic in both operands; None if one of them is not bounded."""
    ends, others = entry_bounds(a), entry_bounds(b)
    if None in ends or None in others:
        return None
    found = [function(one, other) for one in ends for other in others]
    return from_bounds(min(found), max(found))


def _has_zero(entry: Entry) -> bool:
    low, high = entry_bounds(entry)
    return low is None or high is None or low <= 0 <= high


def divide(a: Entry, b: Entry, floor: Callable[[Any, Any], Any]) -> Entry:
    """Divide two numbers or ranges with `floor`; None where the divisor can be 0."""
    if is_number(a) and is_number(b):
        return None if b == 0 else floor(a, b)
    if is_number(b) and b == 1:
        return a
    (low, high), (other_low, other_high) = entry_bounds(a), entry_bounds(b)
    if low is None or low < 0 or other_low is None or other_low <= 0:
        return None if _has_zero(b) else _corners(a, b, floor)
    return from_bounds(
        0 if other_high is None else floor(low, other_high), None if high is None else floor(high, other_low)
    )


def smaller(a: Entry, b: Entry) -> Entry:
    if is_number(a) and is_number(b):
        return min(a, b)
    (low, high), (other_low, other_high) = entry_bounds(a), entry_bounds(b)
    highs = [bound for bound in (high, other_high) if bound is not None]
    return from_bounds(None if low is None or other_low is None else min(low, other_low), min(highs) if highs else None)


def larger(a: Entry, b: Entry) -> Entry:
    if is_number(a) and is_number(b):
        return max(a, b)
    (low, high), (other_low, other_high) = entry_bounds(a), entry_bounds(b)
    lows = [bound for bound in (low, other_low) if bound is not None]
    return from_bounds(
        max(lows) if lows else None, None if high is None or other_high is None else max(high, other_high)
    )


def either(a: Entry, b: Entry) -> Entry:
    """Return the range that covers both elements."""
    if a == b:
        return a
    (low, high), (other_low, other_high) = entry_bounds(a), entry_bounds(b)
    return from_bounds(
        None if low is None or other_low is None else min(low, other_low),
        None if high is None or other_high is None else max(high, other_high),
    )


def monotonic(function: Callable[[Any], Any], entry: Entry) -> Entry:
    """Apply a monotonic function to a number or a range; symbols become ranges."""
    if is_number(entry):
        return function(entry)
    low, high = entry_bounds(entry)
    return from_bounds(None if low is None else function(low), None if high is None else function(high))


def convert(entry: Entry, dtype: str | None) -> Entry:
    """Return an element converted to a type; a symbol or range that fits is kept."""
    if is_number(entry):
        return keep(entry, dtype)
    if dtype == "bool":
        return None
    if isinstance(entry, tuple):
        low, high = entry
        return from_bounds(None if low is None else keep(low, dtype), None if high is None else keep(high, dtype))
    return entry


def strides_of(shape: Sequence[int]) -> list[int]:
    """Return how many elements one step along each axis skips."""
    steps, step = [], 1
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return steps[::-1]


def offsets(lengths: Sequence[int], steps: Sequence[int], start: int = 0) -> list[int]:
    """Return the positions of a strided view's elements, in C order."""
    found = [start]
    for length, step in zip(lengths, steps, strict=True):
        found = [at + k * step for at in found for k in range(length)]
    return found


def broadcast_offsets(shape: Sequence[int], target: Sequence[int]) -> list[int]:
    """Return, for each element of `target`, the position of the element of `shape` that is broadcast to it."""
    padded = [1] * (len(target) - len(shape)) + list(shape)
    steps = [0 if length == 1 else step for length, step in zip(padded, strides_of(padded), strict=True)]
    return offsets(target, steps)


def aligned(tensors: Sequence[Tensor], target: Shape) -> Iterator[tuple[Entry, ...]]:
    """Return the elements of several known tensors, broadcast to one shape, as tuples."""
    lengths: Any = target
    columns = []
    for tensor in tensors:
        value, shape = tensor.value, tensor.shape
        if value is None or shape is None:
            columns.append([None] * prod(lengths))
        elif shape == target:
            columns.append(list(value))
        elif len(value) == 1:
            columns.append(list(value) * prod(lengths))
        else:
            columns.append([value[k] for k in broadcast_offsets(shape, lengths)])  # type: ignore[arg-type]
    return zip(*columns, strict=True)


_MOST_DIMS = 1 << 16  # a declared length may be arbitrarily large


def as_dims(tensor: Tensor) -> list[Entry] | None:
    """Return the elements of a vector, or unknown entries if only their number is known; None if not even that."""
    if (value := tensor.value) is not None:
        return list(value)
    if tensor.shape is None:
        return None
    if tensor.shape == ():
        return [None]
    if len(tensor.shape) == 1 and isinstance(tensor.shape[0], int) and tensor.shape[0] <= _MOST_DIMS:
        return [None] * tensor.shape[0]
    return None


def fits(entry: Entry, low: Low = None, high: Low = None) -> bool:
    """Return whether an element can be within bounds."""
    lower, upper = entry_bounds(entry)
    return not (low is not None and upper is not None and upper < low) and not (
        high is not None and lower is not None and lower > high
    )
