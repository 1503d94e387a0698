"""Statistics of weights, computed in pieces that fit into the processor's caches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from irlint.dryrun.errors import UNFORESEEN
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.feeds import BadInput
from irlint.graph import Node
from irlint.records import NamedTuple

# what reading the values of a weight may raise: in a broken model, or without NumPy
UNREADABLE = (BadInput, OSError, ModuleNotFoundError, *UNFORESEEN)
_PIECE = 1 << 20  # elements
_SMALLEST = {"float16": 2.0**-14, "bfloat16": 2.0**-126, "float32": 2.0**-126, "float64": 2.0**-1022}  # normal numbers
BINS = 32


class Statistics(NamedTuple):
    """Numbers of elements, and what the finite ones are; None for strings, and where none is finite."""

    low: float | None
    high: float | None
    mean: float | None
    nan: int
    infinite: int
    zeros: int
    denormal: int


def values(mapping: Mapping | None, node: Node) -> Any:
    """Return the values of a constant or weight; None if they are not there or cannot be read."""
    try:
        return None if mapping is None else mapping.array(node)
    except UNREADABLE:
        return None


def statistics(array: Any, dtype: str | None) -> Statistics:
    """Return the statistics of an array whose element type may be narrower than what stores it."""
    if array.dtype.kind not in "fiub":
        return Statistics(None, None, None, 0, 0, 0, 0)
    if array.dtype.itemsize == 1:
        return _of_bytes(array)
    low, high, total, count = np.inf, -np.inf, 0.0, 0
    nan = infinite = zeros = denormal = 0
    least = _SMALLEST.get(dtype or array.dtype.name, 0.0)
    for piece in _pieces(array):
        if piece.dtype.kind == "f":
            nans = int(np.isnan(piece).sum())
            finite = piece[np.isfinite(piece)] if nans or not np.isfinite(piece).all() else piece
            nan += nans
            infinite += piece.size - nans - finite.size
            if least:
                size = np.abs(finite)
                denormal += int(((size < least) & (size > 0)).sum())
        else:
            finite = piece
        if finite.size:
            low, high = min(low, finite.min()), max(high, finite.max())
            with np.errstate(over="ignore", invalid="ignore"):
                total += float(finite.sum(dtype=np.float64))
            count += finite.size
            zeros += finite.size - int(np.count_nonzero(finite))
    if not count:
        return Statistics(None, None, None, nan, infinite, zeros, denormal)
    mean = total / count if math.isfinite(total) else _mean_of_large(array, count)
    return Statistics(_number(low), _number(high), mean, nan, infinite, zeros, denormal)


def _mean_of_large(array: Any, count: int) -> float:
    """Return the mean of the finite numbers of an array whose sum is larger than a float64 can be."""
    return sum(float((piece[np.isfinite(piece)] / count).sum()) for piece in _pieces(array))


def _of_bytes(array: Any) -> Statistics:
    """Return the statistics of small integers from how often each of 256 occurs: one pass."""
    often = np.zeros(256, np.int64)
    for piece in _pieces(array):
        often += np.bincount(piece.view(np.uint8), minlength=256)
    numbers = np.arange(256, dtype=np.uint8).view(array.dtype if array.dtype.kind != "b" else np.uint8)
    present = numbers[often > 0].astype(np.int64)
    if not present.size:
        return Statistics(None, None, None, 0, 0, 0, 0)
    mean = float((numbers.astype(np.float64) * often).sum() / often.sum())
    return Statistics(int(present.min()), int(present.max()), mean, 0, 0, int(often[0]), 0)


def histogram(array: Any, found: Statistics) -> list[int]:
    """Return how many finite elements are in each of equal parts of their range."""
    if found.low is None or found.high is None or found.low == found.high:
        return []
    counts = np.zeros(BINS, np.int64)
    for piece in _pieces(array):
        places = _places(piece[np.isfinite(piece)], found.low, found.high) * BINS
        counts += np.bincount(np.minimum(places.astype(np.intp), BINS - 1), minlength=BINS)
    return [int(count) for count in counts]


def _places(numbers: Any, low: float, high: float) -> Any:
    """Return where numbers are between two bounds, from 0 to 1. `np.histogram` fails for bounds that are nearly equal, and
    where their difference is too large for their type: hashes are integers of 64 bits."""
    if numbers.dtype.kind != "f":
        return (numbers.astype(np.uint64) - np.uint64(int(low) % (1 << 64))) / float(int(high) - int(low))
    exponent = 1 + math.frexp(max(abs(low), abs(high)))[1]
    low, high = math.ldexp(low, -exponent), math.ldexp(high, -exponent)
    return (np.ldexp(numbers.astype(np.float64), -exponent) - low) / (high - low)


def _pieces(array: Any) -> Iterator[Any]:
    flat = array.reshape(-1)
    for start in range(0, flat.size, _PIECE):
        piece = flat[start : start + _PIECE]
        if piece.dtype.kind == "b":
            piece = piece.view(np.uint8)
        yield piece.astype(np.float32) if piece.dtype == np.float16 else piece


def _number(value: Any) -> float:
    """Return an integer as such: a mean of large ones is exact no more, but their bounds are."""
    found: float = value.item() if hasattr(value, "item") else value
    return found
