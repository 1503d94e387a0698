"""Whether the results of a part in both versions are the same but for rounding."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.dtypes import FLOATS
from irlint.dryrun.lazy import np
from irlint.graph import Source
from irlint.inspection.folding.part import PartSide, Region
from irlint.inspection.review.layers.weight_marks import HUGE
from irlint.inspection.rounding import Rounding, coarser

_CLOSE = {"float64": 1e-5, "float32": 1e-5}  # relative to the largest number of a value
_AMPLIFIED = 3  # times that rounding becomes larger in a part
_COARSE = 4e-3  # of other floating-point types
# Times that results may be further apart than those of numbers that were rounded once, and how far at most
_BLURRED, _MOST_BLURRED = 8, 1e-2
_AT_ONCE = 1 << 16  # numbers that stay in the cache of a core


def has_numbers(array: Any) -> bool:
    """Return whether at least half of a result are numbers: what is computed from NaN is NaN, whatever is computed."""
    return array is not None and bool(array.dtype.kind != "f" or 2 * np.isfinite(array).sum() >= array.size)


def close(one: Region, was: Any, now: Any, blurred: Any = None) -> bool:
    """Return whether two results of a part are the same but for rounding. `blurred`: the first of numbers that were rounded once more."""
    if was is None or now is None or was.shape != now.shape or not _is_one_kind(was.dtype, now.dtype):
        return False
    if was.dtype.kind != "f" or np.array_equal(was, now):  # as most are
        return bool(np.array_equal(was, now))
    limit = _limit(one)
    gap, size = _farthest(was, now)
    if size < HUGE and gap <= limit * size:
        return True
    finite = np.isfinite(was)
    if not np.array_equal(was[~finite], now[~finite], equal_nan=True) or not np.isfinite(now[finite]).all():
        return False
    was, now, again = (
        None if each is None or each.shape != finite.shape else each[finite] for each in (was, now, blurred)
    )
    gap, size = _farthest(was, now)
    if size < HUGE:
        return gap <= max(limit * size, min(_blur(was, again), _MOST_BLURRED * size))
    sizes, gaps = np.abs(was), np.abs(np.subtract(was, now, dtype=np.float64))
    masks = sizes >= HUGE
    return bool((gaps <= limit * np.where(masks, sizes, sizes[~masks].max(initial=0))).all())


def _is_one_kind(was: Any, now: Any) -> bool:
    return was == now or {was.kind, now.kind} == {"f"}


def _farthest(a: Any, b: Any) -> tuple[float, float]:
    """Return how far two arrays of floating-point numbers are apart at most, and the size of the largest number of the first; NaN if one
    of them is not a number."""
    gap = size = np.float64(0)
    first, second = a.reshape(-1), b.reshape(-1)
    for start in range(0, first.size, _AT_ONCE):
        x, y = (one[start : start + _AT_ONCE].astype(np.float64) for one in (first, second))
        size = np.maximum(size, np.abs(x).max())
        gap = np.maximum(gap, np.abs(np.subtract(x, y, out=y), out=y).max())
    return float(gap), float(size)


def _blur(was: Any, blurred: Any) -> float:
    """Return how far results may be apart by what the rounding of numbers does to them, as a function like a softmax amplifies it."""
    if blurred is None:
        return 0.0
    gap = _farthest(was, blurred)[0]
    return _BLURRED * gap if np.isfinite(gap) else 0.0


def blur(array: Any) -> Any:
    """Return numbers as if each had been rounded once."""
    if array.dtype.kind != "f":
        return array
    shifts = np.random.default_rng(0).uniform(-1, 1, array.shape) * np.finfo(array.dtype).eps
    return (array * (1 + shifts)).astype(array.dtype)


def _limit(one: Region) -> float:
    """Return how far results may be apart: more if both versions round on the way, or one does whose weights are coarser in all, or if one
    has coarser constants."""
    sides = (one.old, one.new)
    ours, theirs = map(rounding, sides)
    is_converted = len({each.version.rounding_of_weights for each in sides}) > 1
    rounded = (max if is_converted else min)(map(_rounded, sides))
    return rounded if ours == theirs else max(rounded, _AMPLIFIED * coarser(ours, theirs).limit)


def rounding(one: PartSide) -> Rounding:
    return coarser(*(one.version.rounding_of(k) for k in one.nodes))


def _rounded(one: PartSide) -> float:
    """Return how far results may be apart by the coarsest type that a part has a value of."""
    types = {one.version.type(Source(k)).dtype for k in one.nodes}
    return max((_CLOSE.get(str(dtype), _COARSE) for dtype in types if dtype in FLOATS), default=_COARSE)
