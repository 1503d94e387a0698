"""Windows folded into numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import Windows, pad_spatial


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min if dtype.kind in "iu" else False


class _PoolingPlan(Windows):
    """The windows of one pooling: padding on both sides, and as many positions as the rounding gives."""

    def __init__(self, data: Any, kernel: Sequence[int], /, **attrs: Any) -> None:
        super().__init__(kernel, **attrs)
        sizes = data.shape[2:]
        self.begin, self.end = self.pads(sizes)
        self.positions = self.counts(sizes)
        edges = zip(self.reached(self.positions), sizes, self.begin, self.end, strict=True)
        self.room = [max(reach - size - before, after) for reach, size, before, after in edges]

    def folded(self, data: Any, value: Any, fold: Any) -> Any:
        """Return every window folded into one number, axis by axis; padding is `value`."""
        is_long = [length > size for length, size in zip(self.kernel, data.shape[2:], strict=True)]
        before, after = ([0 if long else pad for long, pad in zip(is_long, pads, strict=True)] for pads in self.around)
        result = pad_spatial(data, before, after, value)
        for k, length in enumerate(self.kernel):
            result = self._of_few(result, k, value, fold) if is_long[k] else self._of_taps(result, k, length, fold)
        return result

    def _of_taps(self, padded: Any, k: int, length: int, fold: Any) -> Any:
        lead: Any = (slice(None),) * (k + 2)
        step, count = self.strides[k], self.positions[k]
        result: Any = None
        for tap in range(length):
            at = tap * self.dilations[k]
            view: Any = (*lead, slice(at, at + (count - 1) * step + 1, step))
            part = padded[view]
            result = part.copy() if result is None else fold(result, part, out=result)
        return result

    def _of_few(self, data: Any, k: int, value: Any, fold: Any) -> Any:
        """Fold an axis whose windows are longer than the data: element by element, each into the windows that hold it."""
        lead: Any = (slice(None),) * (k + 2)
        result = np.full((*data.shape[: k + 2], self.positions[k], *data.shape[k + 3 :]), value, data.dtype)
        for at in range(data.shape[k + 2]):
            where: Any = (*lead, self.holding(k, at))
            element: Any = (*lead, slice(at, at + 1))
            result[where] = fold(result[where], data[element])
        return result

    def holding(self, k: int, at: int) -> Any:
        """Return which windows along an axis hold an element of the data."""
        taps = at + self.begin[k] - np.arange(self.positions[k]) * self.strides[k]
        reach = self.kernel[k] * self.dilations[k]
        return np.flatnonzero((taps >= 0) & (taps < reach) & (taps % self.dilations[k] == 0))

    def candidates(self, data: Any, places: Any, value: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Yield windows, an element of each, and its place (-1 for padding): in the order of a window's elements, and no more of them than
        the data have."""
        if prod(self.kernel) > prod(data.shape[2:]):
            for at in np.ndindex(*data.shape[2:]):
                element: Any = (..., *(slice(n, n + 1) for n in at))
                windows = np.ix_(*(self.holding(k, n) for k, n in enumerate(at)))
                yield (slice(None), slice(None), *windows), data[element], places[element]
            return
        padded, numbered = (pad_spatial(a, *self.around, pad) for a, pad in ((data, value), (places, -1)))
        for _, view in self.taps(self.positions):
            yield ..., padded[view], numbered[view]

    @property
    def around(self) -> tuple[Sequence[int], Sequence[int]]:
        """The padding before and after the data, as far as the windows reach."""
        return self.begin, self.room


def pool_max(data: Any, *, kernel: Sequence[int], is_finite: bool = False, **attrs: Any) -> Any:
    plan = _PoolingPlan(data, kernel, **attrs)
    return plan.folded(data, _smallest(data.dtype, is_finite), np.maximum)


def pool_max_indices(
    data: Any, axis: int, dtype: str, *, kernel: Sequence[int], of_padding: int = 0, **attrs: Any
) -> list[Any]:
    """The largest numbers, and where they stood among the elements from `axis` on; `of_padding` from the first of their image where a
    window holds nothing else."""
    plan = _PoolingPlan(data, kernel, **attrs)
    at = axis % data.ndim
    size = prod(data.shape[at:])
    places = np.broadcast_to((np.arange(data.size) % size).reshape(data.shape), data.shape)
    smallest = _smallest(data.dtype)
    best = np.full((*data.shape[:2], *plan.positions), smallest, data.dtype)
    where = np.full(best.shape, -1)
    for windows, part, number in plan.candidates(data, places, smallest):
        better = (part > best[windows]) | (where[windows] < 0)
        best[windows] = np.where(better, part, best[windows])
        where[windows] = np.where(better, number, where[windows])
    # OpenVINO 2026.4.1 begins with the first element, onnxruntime 1.32 with the one before it
    first = np.arange(prod(data.shape[:2])).reshape(*data.shape[:2], *[1] * plan.space) * prod(data.shape[2:]) % size
    return [best, np.where(where < 0, first + of_padding, where).astype(dtype)]


def pool_average(
    data: Any, *, kernel: Sequence[int], exclude_pad: bool = False, counts_all: bool = False, **attrs: Any
) -> Any:
    """Means of windows; padding counts as zeros, or not at all. With `counts_all`, what a window has beyond the padding counts, too, if
    there is padding."""
    plan = _PoolingPlan(data, kernel, **attrs)
    wide = np.float32 if data.dtype == np.float16 else data.dtype
    total = plan.folded(data.astype(wide, copy=False), 0, np.add)
    if counts_all and not exclude_pad and any((*plan.begin, *plan.end)):
        counted = np.asarray(prod(kernel))
    else:
        counted = _counts(data.shape[2:], plan, exclude_pad)
    if data.dtype.kind in "iu":
        return np.floor_divide(total, counted.astype(total.dtype)).astype(data.dtype)
    return (total / counted.astype(wide)).astype(data.dtype, copy=False)


def pool_sum(data: Any, *, kernel: Sequence[int], **attrs: Any) -> Any:
    plan = _PoolingPlan(data, kernel, **attrs)
    return plan.folded(data, 0, np.add)


def _counts(sizes: Sequence[int], plan: _PoolingPlan, exclude: bool) -> Any:
    """How many elements each window counts, as an array that broadcasts."""
    result = np.ones((1,) * len(sizes))
    for k, size in enumerate(sizes):
        starts = np.arange(plan.positions[k]) * plan.strides[k] - plan.begin[k]
        low, high = (0, size) if exclude else (-plan.begin[k], size + plan.end[k])
        first, end = (np.clip(-((starts - edge) // plan.dilations[k]), 0, plan.kernel[k]) for edge in (low, high))
        inside = end - first
        shape = [1] * len(sizes)
        shape[k] = -1
        result = result * np.maximum(inside, 1).reshape(shape)
    return result


def _bounds(size: int, count: int) -> tuple[list[int], list[int]]:
    """Where each of `count` parts of an axis begins and ends."""
    return [k * size // count for k in range(count)], [-(-(k + 1) * size // count) for k in range(count)]


def adaptive_average(data: Any, goal: Sequence[int], **_: Any) -> Any:
    result = data
    for k, count in enumerate(map(int, goal)):
        axis = k + 2
        starts, ends = _bounds(data.shape[axis], count)
        parts = [
            np.take(result, range(a, b), axis).mean(axis, keepdims=True) for a, b in zip(starts, ends, strict=True)
        ]
        result = np.concatenate(parts, axis)
    return result.astype(data.dtype, copy=False)


def adaptive_max(data: Any, goal: Sequence[int], dtype: str) -> list[Any]:
    ranges = [list(zip(*_bounds(data.shape[k + 2], n), strict=True)) for k, n in enumerate(goal)]
    found = np.empty((*data.shape[:2], *goal), data.dtype)
    where = np.empty((*data.shape[:2], *goal), np.int64)
    numbers = np.arange(prod(data.shape[2:])).reshape(data.shape[2:])
    for place in np.ndindex(*goal):
        cut = tuple(slice(*ranges[k][at]) for k, at in enumerate(place))
        view: Any = (slice(None), slice(None), *cut)
        window = data[view].reshape(*data.shape[:2], prod(data[view].shape[2:]))
        best = window.argmax(-1)
        spot: Any = (slice(None), slice(None), *place)
        found[spot] = np.take_along_axis(window, best[..., None], -1)[..., 0]
        where[spot] = numbers[cut].reshape(-1)[best]
    return [found, where.astype(dtype)]


def _smallest(dtype: Any, is_finite: bool = False) -> Any:
    """What OpenVINO 2026.4.1 and onnxruntime 1.32 make of a window of padding only: a number, but for halves minus infinity, unless the
    runtime `is_finite`."""
    return np.finfo(dtype).min if dtype.kind == "f" and (is_finite or dtype != np.float16) else _lowest(dtype)
