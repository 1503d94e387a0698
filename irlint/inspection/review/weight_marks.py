"""Marks of weights: figures of an array that are the same whatever the order of its axes, and that scales of its channels change only
where they say so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from irlint.dryrun.lazy import np
from irlint.records import NamedTuple

_LEAST, _MANY = 4, 16  # slices of an axis whose figures tell one array from another
# Correlation of what tells two arrays, by how many slices there are: of unrelated ones, one pair in a million has it by chance.
_ALIKE, _FEW_ALIKE = 0.9, 0.9995
_HUGE = 1e9
_MOST_AXES = 3  # of one length that are told apart
_LOST = 3  # deviations of a sum of numbers that are lost
_MOST_ALIKE = 16  # layers with the same array that are candidates for one
_MOST = 2048  # arrays of one size that are compared with all others


class Slices(NamedTuple):
    """Figures of the slices along one axis: signed sums, sums of sizes, and Euclidean norms."""

    total: Any
    size: Any
    norm: Any


class Mark(NamedTuple):
    """The figures of an array by the number of slices; several axes may have the same."""

    elements: int
    axes: dict[int, list[Slices]]
    merged: dict[int, list[Slices]]  # of several first axes as one, as groups of channels are


def mark(array: Any) -> Mark:
    numbers = array.astype(np.float32) if array.dtype not in (np.float32, np.float64) else array
    if array.dtype.kind in "iu":  # with a zero point that is not known here
        numbers = numbers - numbers.mean()
    numbers = np.where(np.abs(numbers) < _HUGE, numbers, np.float32(0))  # nor NaN: masks are no numbers to compare
    found: tuple[dict[int, list[Slices]], dict[int, list[Slices]]] = ({}, {})
    for view, axis, is_merged in _views(numbers):
        others = tuple(k for k in range(view.ndim) if k != axis)
        sums = (view.sum(others, np.float64), np.abs(view).sum(others, np.float64))
        norm = np.sqrt(np.square(view).sum(others, np.float64))
        found[is_merged].setdefault(view.shape[axis], []).append(Slices(*sums, norm))
    return Mark(numbers.size, *found)


def _views(array: Any) -> Iterator[tuple[Any, int, bool]]:
    """Yield an array with each of its axes, and with several first axes as one."""
    bare = array.reshape([length for length in array.shape if length != 1] or [1])
    for axis in range(bare.ndim):
        yield bare, axis, False
    for count in range(2, bare.ndim):
        yield bare.reshape(int(np.prod(bare.shape[:count])), -1), 0, True


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


def pairs(old: dict[int, Marked], new: dict[int, Marked]) -> dict[int, int]:
    """Return which layers have the same weights, or have but for scales: the most alike first, then those of the same operator, then
    that name, then those with the nearest place."""
    found: list[tuple[float, bool, bool, int, int, int]] = []
    before, after = _vectors(old), _vectors(new)
    place, place_of = ({key: k for k, key in enumerate(side)} for side in (old, new))
    for key, (left, vectors) in before.items():
        if key in after and max(len(left), len(after[key][0])) <= _MOST:
            right, others = after[key]
            alike = np.array(vectors) @ np.array(others).T
            limit = _ALIKE if key[1] >= _MANY else _FEW_ALIKE
            at = np.array([place_of[j] for j in right])
            for i, row in zip(left, alike, strict=True):
                hits = np.flatnonzero(row >= limit)
                if len(hits) > _MOST_ALIKE:  # the same array in many layers
                    hits = hits[np.argsort(np.abs(at[hits] - place[i]), kind="stable")[:_MOST_ALIKE]]
                for k in hits.tolist():
                    one, other = old[i], new[right[k]]
                    if one.op == other.op or not (one.is_several or other.is_several):
                        others_of = one.op != other.op, one.name != other.name
                        gap = abs(place[i] - place_of[right[k]])
                        found.append((-round(float(row[k]), 3), *others_of, gap, i, right[k]))
    result: dict[int, int] = {}
    taken: set[int] = set()
    for *_, i, j in sorted(found):
        if i not in result and j not in taken:
            result[i] = j
            taken.add(j)
    return result


def _vectors(marked: dict[int, Marked]) -> dict[tuple[int, int], tuple[list[int], list[Any]]]:
    found: dict[tuple[int, int], tuple[list[int], list[Any]]] = {}
    for index, one in marked.items():
        for length, vector in telling(one.mark):
            indices, vectors = found.setdefault((one.mark.elements, length), ([], []))
            indices.append(index)
            vectors.append(vector)
    return found


class Scaled(NamedTuple):
    """An array of weights, and what its channels are multiplied by afterwards."""

    mark: Mark
    scale: Any  # one number, or one for each channel


def distance(a: Scaled, b: Scaled, least: float = 0.0) -> float | None:
    """Return how far two arrays of weights are apart, relative to the size of a slice; None if that cannot be seen. Numbers below `least`
    may have become zero."""
    if a.mark.elements != b.mark.elements:
        return None
    lengths = {np.size(one.scale) for one in (a, b)} - {1}
    if len(lengths) > 1:
        return None
    common = lengths or a.mark.axes.keys() & b.mark.axes.keys()
    found = [gap for length in common if (gap := _axis(a, b, length, least)) is not None]
    return max(found, default=None)


def _axis(a: Scaled, b: Scaled, length: int, least: float) -> float | None:
    """Return how far the slices of axes of one length are apart. Where there are several such axes, each is one of the other array's."""
    lost = _LOST * least * math.sqrt(a.mark.elements / length)
    ours, theirs = a.mark.axes.get(length, []), b.mark.axes.get(length, [])
    if 1 < len(ours) == len(theirs) <= _MOST_AXES and np.size(a.scale) == np.size(b.scale) == 1:
        orders = permutations(theirs)
        return min(max(_apart(x, a.scale, y, b.scale, lost) for x, y in zip(ours, o, strict=True)) for o in orders)
    ours, theirs = [*ours, *a.mark.merged.get(length, ())], [*theirs, *b.mark.merged.get(length, ())]
    return min((_apart(x, a.scale, y, b.scale, lost) for x in ours for y in theirs), default=None)


def _apart(x: Slices, scale: Any, y: Slices, other: Any, lost: float) -> float:
    norms = x.norm * np.abs(scale), y.norm * np.abs(other)
    totals = x.total * scale, y.total * other
    size = np.maximum(norms[0], float(np.sqrt(np.square(norms[0]).mean()))) + 1e-30
    gaps = np.abs(norms[0] - norms[1]), np.abs(totals[0] - totals[1])
    lost = lost * np.maximum(np.abs(scale), np.abs(other))
    return float(max(((gap - lost) / size).max(initial=0.0) for gap in gaps))


def vectors_apart(a: Any, b: Any, least: float = 0.0) -> float | None:
    """Return how far two vectors, or a vector and one number, are apart, relative to the larger, or to `least` if that is larger; None if
    they have other lengths."""
    first, second = np.asarray(a, np.float64).reshape(-1), np.asarray(b, np.float64).reshape(-1)
    if first.size != second.size and 1 not in (first.size, second.size):
        return None
    gap = float(np.abs(first - second).max(initial=0.0))
    return gap / max(float(np.abs(first).max(initial=0.0)), float(np.abs(second).max(initial=0.0)), least, 1e-30)
