"""Windows folded into numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import filled, pad_spatial, resolve_pads, view_of_windows


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min if dtype.kind in "iu" else False


class _PoolingPlan:
    """The windows of one pooling: padding on both sides, and as many positions as the rounding gives."""

    def __init__(
        self,
        data: Any,
        kernel: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        pads_begin: Sequence[int],
        pads_end: Sequence[int],
        auto_pad: str,
        rounding_type: str,
    ) -> None:
        space = len(kernel)
        self.kernel, self.strides, self.dilations = kernel, filled(strides, space, 1), filled(dilations, space, 1)
        sizes = data.shape[2:]
        self.begin, self.end = resolve_pads(sizes, kernel, self.strides, self.dilations, pads_begin, pads_end, auto_pad)
        self.counts = []
        self.extra = []
        for k in range(space):
            reach = (kernel[k] - 1) * self.dilations[k] + 1
            total = sizes[k] + self.begin[k] + self.end[k] - reach
            count = total // self.strides[k] + 1 if rounding_type == "floor" else -(-total // self.strides[k]) + 1
            if rounding_type == "ceil_torch" and (count - 1) * self.strides[k] >= sizes[k] + self.begin[k]:
                count -= 1
            self.counts.append(count)
            self.extra.append(max((count - 1) * self.strides[k] + reach - sizes[k] - self.begin[k], 0))

    def taps(self) -> Any:
        """For every place in the window the view of the padded data that it sees."""
        for place in np.ndindex(*self.kernel):
            yield (
                slice(None),
                slice(None),
                *(
                    slice(at * d, at * d + (n - 1) * s + 1, s)
                    for at, d, n, s in zip(place, self.dilations, self.counts, self.strides, strict=True)
                ),
            )

    def folded(self, padded: Any, fold: Any) -> Any:
        """Every window folded into one number, axis by axis."""
        for k, length in enumerate(self.kernel):
            lead: Any = (slice(None),) * (k + 2)
            step, count = self.strides[k], self.counts[k]
            result: Any = None
            for tap in range(length):
                at = tap * self.dilations[k]
                view: Any = (*lead, slice(at, at + (count - 1) * step + 1, step))
                part = padded[view]
                result = part.copy() if result is None else fold(result, part, out=result)
            padded = result
        return padded

    def padded(self, data: Any, value: Any) -> Any:
        return pad_spatial(data, self.begin, [max(a, b) for a, b in zip(self.extra, self.end, strict=True)], value)


def pool_max(
    data: Any,
    *,
    kernel: Sequence[int],
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
    pads_begin: Sequence[int] = (),
    pads_end: Sequence[int] = (),
    auto_pad: str = "explicit",
    rounding_type: str = "floor",
    **_: Any,
) -> Any:
    plan = _PoolingPlan(data, kernel, strides, dilations, pads_begin, pads_end, auto_pad, rounding_type)
    outside = np.finfo(data.dtype).min if data.dtype.kind == "f" else _lowest(data.dtype)  # as runtimes have it
    return plan.folded(plan.padded(data, outside), np.maximum)


def pool_max_indices(data: Any, axis: int, dtype: str, *, kernel: Sequence[int], **attrs: Any) -> list[Any]:
    """The largest numbers, and where they stood among the elements from `axis` on."""
    plan = _PoolingPlan(
        data,
        kernel,
        attrs.get("strides", ()),
        attrs.get("dilations", ()),
        attrs.get("pads_begin", ()),
        attrs.get("pads_end", ()),
        attrs.get("auto_pad", "explicit"),
        attrs.get("rounding_type", "floor"),
    )
    at = axis % data.ndim
    size = prod(data.shape[at:])
    places = np.broadcast_to((np.arange(data.size) % size).reshape(data.shape), data.shape)
    padded, numbered = plan.padded(data, _lowest(data.dtype)), plan.padded(places, -1)
    best: Any = None
    where: Any = None
    for view in plan.taps():
        part, number = padded[view], numbered[view]
        if best is None:
            best, where = part.copy(), number.copy()
            continue
        better = (part > best) | (where < 0)
        best, where = np.where(better, part, best), np.where(better, number, where)
    return [best, where.astype(dtype)]


def pool_average(
    data: Any,
    *,
    kernel: Sequence[int],
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
    pads_begin: Sequence[int] = (),
    pads_end: Sequence[int] = (),
    auto_pad: str = "explicit",
    rounding_type: str = "floor",
    exclude_pad: bool = False,
    counts_all: bool = False,
    **_: Any,
) -> Any:
    """Means of windows; padding counts as zeros, or not at all. With `counts_all`, what a window has beyond the padding counts, too, if
    there is padding."""
    plan = _PoolingPlan(data, kernel, strides, dilations, pads_begin, pads_end, auto_pad, rounding_type)
    wide = np.float32 if data.dtype == np.float16 else data.dtype
    padded = plan.padded(data.astype(wide, copy=False), 0)
    total = plan.folded(padded, np.add)
    if counts_all and not exclude_pad and any((*plan.begin, *plan.end)):
        counted = np.asarray(prod(kernel))
    else:
        counted = _counts(data.shape[2:], plan, exclude_pad)
    if data.dtype.kind in "iu":
        return np.floor_divide(total, counted.astype(total.dtype)).astype(data.dtype)
    return (total / counted.astype(wide)).astype(data.dtype, copy=False)


def pool_sum(
    data: Any,
    *,
    kernel: Sequence[int],
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
    pads_begin: Sequence[int] = (),
    pads_end: Sequence[int] = (),
    auto_pad: str = "explicit",
    rounding_type: str = "floor",
    **_: Any,
) -> Any:
    plan = _PoolingPlan(data, kernel, strides, dilations, pads_begin, pads_end, auto_pad, rounding_type)
    return plan.folded(plan.padded(data, 0), np.add)


def _counts(sizes: Sequence[int], plan: _PoolingPlan, exclude: bool) -> Any:
    """How many elements each window counts, as an array that broadcasts."""
    result = np.ones((1,) * len(sizes))
    for k, size in enumerate(sizes):
        starts = np.arange(plan.counts[k]) * plan.strides[k] - plan.begin[k]
        places = starts[:, None] + np.arange(plan.kernel[k]) * plan.dilations[k]
        low, high = (0, size) if exclude else (-plan.begin[k], size + plan.end[k])
        inside = ((places >= low) & (places < high)).sum(1)
        shape = [1] * len(sizes)
        shape[k] = -1
        result = result * np.maximum(inside, 1).reshape(shape)
    return result


def _bounds(size: int, count: int) -> tuple[list[int], list[int]]:
    """Where each of `count` parts of an axis begins and ends."""
    return [k * size // count for k in range(count)], [-(-(k + 1) * size // count) for k in range(count)]


def adaptive_average(data: Any, goal: Sequence[int]) -> Any:
    result = data
    for k, count in enumerate(goal):
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


def pool_by_convention(
    data: Any,
    goal: Any,
    *,
    kernel: Sequence[int] = (),
    stride: Sequence[int] = (),
    pad: Sequence[int] = (),
    global_pool: bool = False,
    pool_type: str = "max",
    count_include_pad: bool | None = None,
    channels_last: bool = False,
    p_value: int | None = None,
    **_: Any,
) -> Any:
    """Pooling of training frameworks; `goal` is the shape of the result."""
    if channels_last:
        data, goal = np.moveaxis(data, -1, 1), (goal[0], goal[-1], *goal[1:-1])
    space = data.ndim - 2
    if global_pool:
        kernel, stride, pad = data.shape[2:], (1,) * space, (0,) * space
    strides, pads = filled(stride, space, 1), filled(pad, space, 0)
    after = [max((goal[k + 2] - 1) * strides[k] + kernel[k] - data.shape[k + 2] - pads[k], 0) for k in range(space)]
    padded = pad_spatial(data, pads, after, _smallest(data.dtype) if pool_type == "max" else 0)
    windows = view_of_windows(padded, kernel, strides, (1,) * space, goal[2:])
    axes = tuple(range(-space, 0))
    if pool_type == "max":
        result = windows.max(axes)
    elif pool_type == "lp":
        result = _rooted(windows, axes, p_value or 2)
    else:
        result = windows.sum(axes)
        if pool_type == "avg":
            result = result / _window_sizes(
                data.shape[2:], goal[2:], kernel, strides, pads, count_include_pad is not False
            )
    result = result.astype(data.dtype, copy=False)
    return np.moveaxis(result, 1, -1) if channels_last else result


def _smallest(dtype: Any) -> Any:
    """What mxnet 1.9.1 makes of a window that holds nothing but padding: a number, not minus infinity."""
    return np.finfo(dtype).min if dtype.kind == "f" else _lowest(dtype)


def _rooted(windows: Any, axes: tuple[int, ...], power: int) -> Any:
    """Sums of powers, and the root of them; mxnet 1.9.1 keeps the sign of odd powers: four times -1 give -1.5874 for p = 3."""
    total = np.power(windows, power).sum(axes)
    return total if power == 1 else np.sqrt(total) if power == 2 else np.cbrt(total)


def _window_sizes(
    sizes: Sequence[int],
    goal: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    padding: bool,
) -> Any:
    """How many elements each window counts: padding with it or not, but nothing beyond."""
    result = np.ones((1,) * len(sizes))
    for k, size in enumerate(sizes):
        first = np.arange(goal[k]) * strides[k] - pads[k]
        last = np.minimum(first + kernel[k], size + pads[k])
        if not padding:
            first, last = np.maximum(first, 0), np.minimum(last, size)
        shape = [1] * len(sizes)
        shape[k] = -1
        result = result * np.maximum(last - first, 1).reshape(shape)
    return result
