"""Resizing along any axes as products with matrices of weights, and sampling at the places of a grid in any number of dimensions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np
from irlint.text.numbers import MANY


def resize_axes(
    data: Any,
    axes: Sequence[int],
    sizes: Sequence[int],
    scales: Sequence[float],
    regions: Sequence[tuple[float, float]] | None,
    *,
    mode: str,
    way: str,
    nearest: str,
    coefficient: float,
    exclude_outside: bool,
    extrapolation: float,
    antialias: bool,
) -> Any:
    """Resize along each axis to a size, by a scale that may differ from it by a fraction; `regions` are the parts of the axes that
    `way` tf_crop_and_resize cuts out. The `nearest` element may be "simple": the next one where the axis shrinks, else the last.
    """
    result, outside = data, []
    for k, axis in enumerate(axes):
        length, goal, scale = data.shape[axis], sizes[k], scales[k]
        region = (0.0, 1.0) if regions is None else regions[k]
        if goal == length and scale == 1 and way != "tf_crop_and_resize":
            continue
        at = _origins(goal, length, scale, way, region)
        if way == "pytorch_half_pixel" and goal == 1 and not antialias:
            at = np.zeros(1)  # onnxruntime 1.32
        if way == "tf_crop_and_resize":
            outside.append((axis, (at < 0) | (at > length - 1)))
        if mode == "nearest":
            how = nearest if nearest != "simple" else "ceil" if scale < 1 else "truncate"
            result = np.take(result, _nearest(at, how, length), axis)
            continue
        matrix = _matrix(at, length, scale, mode, coefficient, exclude_outside, antialias)
        wide = result.astype(np.float64 if result.dtype == np.float64 else np.float32, copy=False)
        result = np.moveaxis(np.moveaxis(wide, axis, -1) @ matrix.T.astype(wide.dtype), -1, axis)
        if antialias and data.dtype.kind in "iu":  # onnxruntime 1.32: only then integers are rounded, along each axis
            ends = np.iinfo(data.dtype)
            result = np.clip(np.copysign(np.floor(np.abs(result) + 0.5), result), ends.min, ends.max)
    result = np.ascontiguousarray(result.astype(data.dtype))
    for axis, far in outside:
        where: Any = (slice(None),) * axis + (far,)
        result[where] = extrapolation
    return result


def _origins(goal: int, length: int, scale: float, way: str, region: tuple[float, float]) -> Any:
    """Return where each element of the result lies in the data."""
    x = np.arange(goal, dtype=np.float64)
    whole = scale * length
    if way == "align_corners":
        return np.zeros(goal) if whole == 1 else x * (length - 1) / (whole - 1)
    if way == "asymmetric":
        return x / scale
    if way == "tf_crop_and_resize":
        start, end = region
        step = (end - start) * (length - 1)
        return start * (length - 1) + (step / 2 * np.ones(goal) if whole == 1 else x * step / (whole - 1))
    if way == "tf_half_pixel_for_nn":
        return (x + 0.5) / scale
    shift = length / 2 * (1 - goal / whole) if way == "half_pixel_symmetric" else 0.0
    return shift + (x + 0.5) / scale - 0.5


def _nearest(at: Any, how: str, length: int) -> Any:
    rules = {
        "round_prefer_floor": lambda x: np.ceil(x - 0.5),
        "round_prefer_ceil": lambda x: np.floor(x + 0.5),
        "floor": np.floor,
        "ceil": np.ceil,
        "truncate": np.trunc,
    }
    return np.clip(rules[how](at), 0, length - 1).astype(np.int64)


def _matrix(
    at: Any, length: int, scale: float, mode: str, coefficient: float, exclude_outside: bool, antialias: bool
) -> Any:
    """Return the weight of every element in every element of the result."""
    base = np.ceil(at).astype(np.int64) - 1
    share = at - base  # above 0, at most 1
    reach = 1 if mode == "linear" else 2
    shrink = min(scale, 1.0) if antialias else 1.0
    first = int(np.floor(-reach / shrink) + 1)
    taps = np.arange(first, 2 - first)
    x = np.abs((taps[None] - share[:, None]) * shrink)
    if mode == "linear":
        weights = np.clip(1 - x, 0, 1)
    else:
        a = coefficient
        inner, outer = ((a + 2) * x - (a + 3)) * x * x + 1, (((x - 5) * x + 8) * x - 4) * a
        weights = np.where(x <= 1, inner, np.where(x < 2, outer, 0))
    places = base[:, None] + taps[None]
    if exclude_outside:
        weights = np.where((places >= 0) & (places < length), weights, 0)
    if exclude_outside or antialias:
        weights = weights / weights.sum(1, keepdims=True)
    matrix = np.zeros((len(at), length))
    np.add.at(matrix, (np.arange(len(at))[:, None], np.clip(places, 0, length - 1)), weights)
    return matrix


def sample_grid(data: Any, grid: Any, *, mode: str, padding: str, corners: bool) -> Any:
    """Data (batch, channels, space...) at places (batch, points..., coordinate, the last axis first) of -1..1."""
    sizes = data.shape[2:]
    at = [_placed(grid[..., -1 - k].astype(np.float64), size, mode, padding, corners) for k, size in enumerate(sizes)]
    batch = np.arange(len(data)).reshape((-1,) + (1,) * (grid.ndim - 2))

    def pick(index: Sequence[Any]) -> Any:
        """Return the elements at whole places, by the rule for those outside."""
        inside, found = np.ones(index[0].shape, bool), []
        for place, size in zip(index, sizes, strict=True):
            if padding == "reflection":
                place = _reflected(place, size, corners)
            inside &= (place >= 0) & (place < size)
            found.append(np.clip(place, 0, size - 1).astype(np.int64))
        where: Any = (batch, slice(None), *found)
        values = np.moveaxis(data[where], -1, 1)
        return np.where(inside[:, None], values, 0) if padding == "zeros" else values

    if mode == "nearest":
        return pick(at).astype(data.dtype)
    low = [np.floor(place) for place in at]
    taps = range(2) if mode == "linear" else range(-1, 3)
    if len(taps) ** len(sizes) > MANY:
        raise NoKernel
    weights = [[_weight(place - first - tap, mode) for tap in taps] for place, first in zip(at, low, strict=True)]
    total: Any = 0
    for corner in itertools.product(range(len(taps)), repeat=len(sizes)):
        share: Any = 1
        for k, tap in enumerate(corner):
            share = share * weights[k][tap]
        total = total + pick([first + taps[tap] for first, tap in zip(low, corner, strict=True)]) * share[:, None]
    return total.astype(data.dtype)


_FAR = 2.0**62


def _weight(distance: Any, mode: str, a: float = -0.75) -> Any:
    x = np.abs(distance)
    if mode == "linear":
        return np.clip(1 - x, 0, 1)
    inner, outer = ((a + 2) * x - (a + 3)) * x * x + 1, (((x - 5) * x + 8) * x - 4) * a
    return np.where(x <= 1, inner, outer)


def _placed(place: Any, size: int, mode: str, padding: str, corners: bool) -> Any:
    """Return coordinates in elements, brought inside where the padding says so."""
    at = (place + 1) / 2 * (size - 1) if corners else ((place + 1) * size - 1) / 2
    # onnxruntime 1.32 replaces NaN, infinity and places further away by the first ones
    at = np.where(np.abs(at) <= _FAR, at, 0.0 if corners else -0.5)
    if mode == "nearest":
        at = np.rint(at)
    if padding == "border" and mode != "cubic":  # of cubic ones onnxruntime 1.32 clips only the pixels
        return np.clip(at, 0, size - 1)
    return _reflected(at, size, corners) if padding == "reflection" else at


def _reflected(place: Any, size: int, corners: bool) -> Any:
    """Mirror at the middle, or at the edge, of the outermost elements."""
    low, high = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
    span = high - low
    if span <= 0:
        return np.zeros_like(place)
    turned = np.mod(place - low, 2 * span)
    return np.where(turned > span, 2 * span - turned, turned) + low
