"""Marks of weights: figures of an array that are the same whatever the order of its axes, and that scales of its channels change only
where they say so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from irlint.dryrun.lazy import np
from irlint.inspection.slices import squares, sums
from irlint.records import NamedTuple

_LEAST, _MANY = 4, 16  # slices of an axis whose figures tell one array from another
# Correlation of what tells two arrays, by how many slices there are: of unrelated ones, one pair in a million has it by chance.
_ALIKE, _FEW_ALIKE = 0.9, 0.9995
HUGE = 6e4  # masks are, also in float16
_LEAST_SIZE = 0.01  # of a slice next to others, from which on what is wrong is seen relative to itself
_LOST = 3  # deviations of a sum of numbers that are lost
_MOST_ALIKE = 16  # layers with the same array that are candidates for one
_AT_ONCE = 1 << 20  # numbers of a vector
_MOST = 2048  # arrays of one size that are compared with all others

_Vectors = dict[tuple[int, int], tuple[list[int], list[Any]]]  # by elements and slices: layers, and what tells them


class SliceSums(NamedTuple):
    """Figures of the slices along one axis: signed sums, sums of sizes, and Euclidean norms."""

    total: Any
    size: Any
    norm: Any
    axis: int


class Mark(NamedTuple):
    """The figures of an array by the number of slices; several axes may have the same."""

    elements: int
    axes: dict[int, list[SliceSums]]
    merged: dict[int, list[SliceSums]]  # of several first axes as one, as groups of channels are
    factor: float = 1.0  # the largest that its numbers have been multiplied by
    flip: int | None = None  # the first of two axes that are in the other order than is usual

    @property
    def rank(self) -> int:
        return sum(map(len, self.axes.values()))

    @property
    def usual_size(self) -> float:
        """The size of a usual slice."""
        return max(float(each.norm.mean()) for axes in self.axes.values() for each in axes)

    def usual(self, length: int) -> list[SliceSums]:
        """Return the slices of all axes of one length, in the usual order of the axes."""
        swapped = {} if self.flip is None else {self.flip: self.flip + 1, self.flip + 1: self.flip}
        return sorted(self.axes.get(length, []), key=lambda one: swapped.get(one.axis, one.axis))


def mark(array: Any) -> Mark:
    numbers = array.astype(np.float32) if array.dtype not in (np.float32, np.float64) else array
    if array.dtype.kind in "iu":  # with a zero point that is not known here
        numbers = numbers - numbers.mean()
    sizes = np.abs(numbers)
    if not sizes.max(initial=0.0) < HUGE:
        small = sizes < HUGE
        if not small.any():
            numbers, small = numbers.astype(np.float64), np.isfinite(numbers)
        numbers = np.where(small, numbers, numbers.dtype.type(0))  # without NaN and masks
        sizes = np.abs(numbers)
    bare = [length for length in numbers.shape if length != 1] or [1]
    numbers = numbers.reshape(bare)
    total, size, square = sums(numbers), sums(sizes.reshape(bare)), squares(numbers)
    axes: dict[int, list[SliceSums]] = {}
    merged: dict[int, list[SliceSums]] = {}
    for axis, each in enumerate(zip(total.axes, size.axes, map(np.sqrt, square.axes), strict=True)):
        axes.setdefault(len(each[0]), []).append(SliceSums(*each, axis))
    for each in zip(total.merged, size.merged, map(np.sqrt, square.merged), strict=True):
        merged.setdefault(len(each[0]), []).append(SliceSums(*each, 0))
    return Mark(numbers.size, axes, merged)


def scaled(array: Any, scale: Any, axis: int | None = None) -> list[Mark]:
    """Return the marks of an array whose channels are multiplied: one for each axis that may be that of the channels, if `axis` is not."""
    factors = np.asarray(scale, np.float32).reshape(-1)
    factor = float(np.abs(factors).max(initial=0.0))
    if factors.size == 1:
        return [mark(array * factors[0])._replace(factor=factor)]
    if axis is not None and -array.ndim <= axis < array.ndim and array.shape[axis] == factors.size:
        return [mark(np.moveaxis(np.moveaxis(array, axis, -1) * factors, -1, axis))._replace(factor=factor)]
    lengths = [length for length in array.shape if length != 1]
    bare = array.reshape(lengths)
    wide = [
        bare * factors.reshape(-1, *[1] * (len(lengths) - k - 1)) for k, n in enumerate(lengths) if n == factors.size
    ]
    for count in range(2, len(lengths)):
        if math.prod(lengths[:count]) == factors.size:
            wide.append((bare.reshape(factors.size, -1) * factors[:, None]).reshape(lengths))
    return [mark(one)._replace(factor=factor) for one in wide]


def telling(one: Mark) -> Iterator[tuple[int, Any]]:
    """Yield for each axis with enough slices what tells the array from others whatever the scales of these slices, as a vector of
    length one."""
    for length, axes in (*one.axes.items(), *one.merged.items()):
        for slices in axes if length >= _LEAST else ():
            if length == one.elements:
                ratio = slices.total
            else:
                ratio = np.divide(slices.size, slices.norm, out=np.zeros(length), where=slices.norm > 0)
            apart = ratio - ratio.mean()
            size = float(np.sqrt(np.dot(apart, apart)))
            if size > 1e-6 * float(np.sqrt(np.dot(ratio, ratio))):
                yield length, apart / size


class Marked(NamedTuple):
    """The weights of a layer, its operator and name; whether that computes more products than this one."""

    mark: Mark
    op: str = ""
    name: str = ""
    is_several: bool = False


def same_weights(old: dict[int, Marked], new: dict[int, Marked]) -> dict[int, int]:
    """Return which layers have the same weights, or have but for scales: the most alike first, then those of the same operator, then
    that name, then those with the nearest place."""
    before, after = _vectors(old), _vectors(new)
    place, place_of = ({key: k for k, key in enumerate(side)} for side in (old, new))
    found: list[tuple[float, bool, bool, int, int, int]] = []
    for i, j, alike in _alike(before, after, place, place_of):
        one, other = old[i], new[j]
        if one.op == other.op or not (one.is_several or other.is_several):
            gap = abs(place[i] - place_of[j])
            found.append((-round(alike, 3), one.op != other.op, one.name != other.name, gap, i, j))
    result: dict[int, int] = {}
    taken: set[int] = set()
    for *_, i, j in sorted(found):
        if i not in result and j not in taken:
            result[i] = j
            taken.add(j)
    return result


def _alike(
    before: _Vectors, after: _Vectors, place: Mapping[int, int], place_of: Mapping[int, int]
) -> Iterator[tuple[int, int, float]]:
    """Yield layers with arrays that are alike, and how much; of one array in many layers the nearest places."""
    for key, (left, vectors) in before.items():
        if key not in after or max(len(left), len(after[key][0])) > _MOST:
            continue
        right, others = after[key]
        limit = _ALIKE if key[1] >= _MANY else _FEW_ALIKE
        at = np.array([place_of[j] for j in right])
        for i, row in zip(left, np.array(vectors) @ np.array(others).T, strict=True):
            hits = np.flatnonzero(row >= limit)
            if len(hits) > _MOST_ALIKE:
                hits = hits[np.argsort(np.abs(at[hits] - place[i]), kind="stable")[:_MOST_ALIKE]]
            yield from ((i, right[k], float(row[k])) for k in hits.tolist())


def _vectors(marked: dict[int, Marked]) -> _Vectors:
    found: _Vectors = {}
    for index, one in marked.items():
        for length, vector in telling(one.mark):
            indices, vectors = found.setdefault((one.mark.elements, length), ([], []))
            indices.append(index)
            vectors.append(vector)
    return found


def distance(a: Mark, b: Mark, least: float = 0.0, is_coarse: bool = True) -> float | None:
    """Return how far two arrays of weights are apart, relative to the size of a slice; None if that cannot be seen. Numbers below `least`
    may have become zero; `is_coarse`: slices may have been rounded as larger ones are."""
    if a.elements != b.elements:
        return None
    ours, theirs = ({*one.axes, *one.merged} for one in (a, b))
    # groups of axes alone may have been in another order
    lengths = [n for n in ours & theirs if n in a.axes or n in b.axes]
    found = [gap for length in lengths if (gap := _axis(a, b, length, least, is_coarse)) is not None]
    return max(found, default=None)


def _axis(a: Mark, b: Mark, length: int, least: float, is_coarse: bool) -> float | None:
    """Return how far the slices of axes of one length are apart. Several such axes are in one order, or in the other one."""
    lost = _LOST * least * max(a.factor, b.factor) * math.sqrt(a.elements / length)
    ours, theirs = a.usual(length), b.usual(length)
    if 1 < len(ours) == len(theirs):
        return max(_apart(x, y, lost, is_coarse) for x, y in zip(ours, theirs, strict=True))
    ours, theirs = [*ours, *a.merged.get(length, ())], [*theirs, *b.merged.get(length, ())]
    return min((_apart(x, y, lost, is_coarse) for x in ours for y in theirs), default=None)


def _apart(x: SliceSums, y: SliceSums, lost: float, is_coarse: bool) -> float:
    usual = float(np.sqrt(np.square(x.norm).mean())) * (1.0 if is_coarse else _LEAST_SIZE)
    size = np.maximum(x.norm, usual) + 1e-30
    gaps = np.abs(x.norm - y.norm), np.abs(x.total - y.total)
    return float(max(((gap - lost) / size).max(initial=0.0) for gap in gaps))


def _larger(a: float, b: Any) -> float:
    """Return the larger of two numbers, or what is not a number."""
    return a if a >= b or a != a else float(b)


def vectors_apart(a: Any, b: Any, least: float = 0.0) -> float | None:
    """Return how far two vectors, or a vector and one number, are apart, relative to the larger, or to `least` if that is larger; None if
    they have other lengths."""
    first, second = np.asarray(a).reshape(-1), np.asarray(b).reshape(-1)
    if first.size != second.size and 1 not in (first.size, second.size):
        return None
    if first.size == second.size and np.array_equal(first, second):
        return 0.0
    gap, size = 0.0, max(least, 1e-30)
    for start in range(0, max(first.size, second.size), _AT_ONCE):
        parts = (one if one.size == 1 else one[start : start + _AT_ONCE] for one in (first, second))
        x, y = (part.astype(np.float64) for part in parts)
        gap = _larger(gap, np.abs(x - y).max())
        size = _larger(_larger(size, np.abs(x).max()), np.abs(y).max())
    return gap / size
