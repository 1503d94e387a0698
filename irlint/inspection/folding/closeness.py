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


def has_numbers(array: Any) -> bool:
    """Return whether at least half of a result are numbers: what is computed from NaN is NaN, whatever is computed."""
    return array is not None and bool(array.dtype.kind != "f" or 2 * np.isfinite(array).sum() >= array.size)


def close(one: Region, was: Any, now: Any, blurred: Any = None) -> bool:
    if (
        was is None
        or now is None
        or was.shape != now.shape
        or (was.dtype != now.dtype and {was.dtype.kind, now.dtype.kind} != {"f"})
    ):
        return False
    if was.dtype.kind != "f":
        return bool(np.array_equal(was, now))
    if np.array_equal(was, now):  # as most are
        return True
    limit = _limit(one)
    finite = np.isfinite(was)
    if not finite.all():
        if not np.array_equal(was[~finite], now[~finite], equal_nan=True):
            return False
        was, now = was[finite], now[finite]
    if not np.isfinite(now).all():
        return False
    sizes, gaps = np.abs(was), np.abs(np.subtract(was, now, dtype=np.float64))
    if (masks := sizes >= HUGE).any():
        return bool((gaps <= limit * np.where(masks, sizes, sizes[~masks].max(initial=0))).all())
    size = float(sizes.max(initial=0))
    return bool(gaps.max(initial=0) <= max(limit * size, min(_blur(was, blurred), _MOST_BLURRED * size)))


def _blur(was: Any, blurred: Any) -> float:
    """Return how far results may be apart by what the rounding of numbers does to them, as a function like a softmax amplifies it."""
    if blurred is None or blurred.shape != was.shape:
        return 0.0
    gaps = np.abs(np.subtract(was, blurred, dtype=np.float64))
    return _BLURRED * float(np.nan_to_num(gaps, nan=0.0, posinf=0.0).max(initial=0))


def blur(array: Any) -> Any:
    """Return numbers as if each had been rounded once."""
    if array.dtype.kind != "f":
        return array
    shifts = np.random.default_rng(0).uniform(-1, 1, array.shape) * np.finfo(array.dtype).eps
    return (array * (1 + shifts)).astype(array.dtype)


def _limit(one: Region) -> float:
    """Return how far results may be apart: more if both versions round on the way, or one has coarser constants."""
    sides = (one.old, one.new)
    ours, theirs = map(rounding, sides)
    return max(min(map(_rounded, sides)), 0 if ours == theirs else _AMPLIFIED * coarser(ours, theirs).limit)


def rounding(one: PartSide) -> Rounding:
    return coarser(*(one.version.rounding_of(k) for k in one.nodes))


def _rounded(one: PartSide) -> float:
    """Return how far results may be apart by the coarsest type that a part has a value of."""
    types = {one.version.type(Source(k)).dtype for k in one.nodes}
    return max((_CLOSE.get(str(dtype), _COARSE) for dtype in types if dtype in FLOATS), default=_COARSE)
