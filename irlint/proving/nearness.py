"""How near two arrays are, whatever the order of their axes: relative distances, and the way from one shape to the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import Any

from irlint.dryrun.lazy import np
from irlint.inspection.review.layers.weight_marks import HUGE
from irlint.inspection.rounding import EXACT, Rounding
from irlint.inspection.slices import squares

_HUGE = 1e9  # masks are: what is not there stands for any number
FEW = 8  # elements that say nothing: those of another array are the same by chance
_SAMPLE = 4096  # elements by which it is known how much an array deviates
_SOME = 8  # slices along each axis that are compared first
_FLAT = 0.05  # deviation of arrays, of their mean size
_SURE = 1.01  # times a limit: a sum of 32 bits is beyond it
_MOST_AXES = 6  # that may stand in another order
_MOST_ORDERS = 6  # of axes that are tried


def as_numbers(array: Any, rounding: Rounding | None = None) -> Any:
    """Return an array as floats in which masks, infinities and NaN are ordinary numbers; `rounding`: also masks of a narrow type."""
    found = (
        array
        if array.dtype in (np.float32, np.float64)
        else array.astype(np.float64 if array.dtype.kind in "iu" else np.float32)
    )
    top = np.abs(found).max(initial=0.0)
    huge = HUGE if rounding is not None and rounding.limit > EXACT.limit else _HUGE
    if top < huge:
        return found
    return np.where(np.isnan(found), 2.0, np.where(np.abs(found) < huge, found, np.sign(found)))


def sums(array: Any) -> tuple[float, float, float]:
    """Return three figures of an array of numbers that no order of axes changes: of two arrays, each is at most as far apart as the
    arrays are, by their Euclidean distance."""
    flat = array.reshape(-1)
    root = math.sqrt(max(flat.size, 1))
    return float(np.sqrt(np.dot(flat, flat))), float(flat.sum()) / root, float(np.abs(flat).sum()) / root


def tells(array: Any, rounding: Rounding) -> bool:
    """Return whether an array is not nearly one number all over, as results of dead layers are in any model."""
    flat = array.reshape(-1)
    numbers = as_numbers(flat[:: max(1, flat.size // _SAMPLE)])
    if numbers.size <= FEW:
        return False
    square, mean = (float(one) / numbers.size for one in (np.dot(numbers, numbers), numbers.sum()))
    if square - mean * mean > 2 * max(_FLAT * _FLAT * square, rounding.least**2):  # most do, and this takes less time
        return True
    return float(numbers.std()) > max(_FLAT * float(np.abs(numbers).mean()), rounding.least)


def bare(shape: Sequence[int]) -> tuple[int, ...]:
    """Return a shape without lengths of one."""
    return tuple(length for length in shape if length != 1)


def arranged(array: Any, shape: tuple[int, ...]) -> Iterator[Any]:
    """Yield an array in another shape of the same size: as it is in memory, and with its axes in other orders."""
    lengths, wanted = bare(array.shape), bare(shape)
    if lengths == wanted or sorted(lengths) != sorted(wanted):
        yield array.reshape(shape)
    if sorted(lengths) != sorted(wanted) or len(lengths) > _MOST_AXES:
        return
    plain = array.reshape(lengths)
    orders = (order for order in permutations(range(len(lengths))) if tuple(lengths[k] for k in order) == wanted)
    for order in islice(orders, _MOST_ORDERS):
        if list(order) != sorted(order):
            yield plain.transpose(order).reshape(shape)


def some_apart(numbers: Any, array: Any) -> float:
    """Return the Euclidean distance of some elements of an array from the same ones of an array of numbers of its shape: a lower bound of
    the distance of all."""
    some = tuple([slice(None, None, 1 + max(length - 1, 0) // _SOME) for length in array.shape])
    gap = numbers[some] - as_numbers(array[some])
    return float(np.sqrt(np.square(gap).sum()))


def are_far(a: Any, b: Any, rounding: Rounding) -> bool:
    """Return whether two arrays of numbers of one shape are already as wholes further apart than the limit, as `apart` has it."""
    gap, flat = np.subtract(a, b).reshape(-1), b.reshape(-1)
    most = rounding.limit**2 * (float(np.dot(flat, flat)) + rounding.least**2 * gap.size)
    return bool(np.dot(gap, gap) > _SURE * most)


def apart(a: Any, b: Any, rounding: Rounding) -> float:
    """Return how far two arrays of numbers of one shape are apart: the largest of the relative distances of all slices of `b`.
    Slices of small numbers, which come from larger ones and have their rounding, count as larger. Numbers of few bits are as far apart
    as they are next to the smaller array: several times another one is not a rounding of it."""
    least = rounding.least**2
    gap = np.subtract(a, b)
    lengths = bare(gap.shape)
    far, near = squares(gap.reshape(lengths)).axes, squares(b.reshape(lengths)).axes
    if rounding.is_coarse:
        near = [np.minimum(*both) for both in zip(near, squares(a.reshape(lengths)).axes, strict=True)]
    total, whole = far[0].sum(), near[0].sum()
    if total == 0:
        return 0.0
    if whole == 0 and least * gap.size < total:
        return math.inf
    worst = total / (whole + least * gap.size)
    for axis in range(len(lengths)) if len(lengths) > 1 else ():
        floor = (rounding.limit * whole + least * gap.size) / lengths[axis]
        worst = max(worst, (far[axis] / (near[axis] + floor)).max())
    return math.sqrt(worst)
