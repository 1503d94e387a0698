"""Resizing along any axes as products with matrices, and sampling at the places of a grid in any number of dimensions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import pad_spatial
from irlint.text.numbers import MANY

_MODES = {"linear_onnx": "linear", "bilinear_pillow": "linear", "bicubic_pillow": "cubic"}
_SUMS = 256  # that one matrix makes
_BLOCK = 1 << 20  # numbers that are sampled at once
_FAR = 2.0**62


def resize(
    data: Any,
    axes: Sequence[int],
    sizes: Sequence[int] | None,
    scales: Sequence[float] | None,
    *,
    mode: str = "nearest",
    coordinate_transformation_mode: str = "half_pixel",
    nearest_mode: str = "round_prefer_floor",
    antialias: bool = False,
    pads_begin: Sequence[int] = (),
    pads_end: Sequence[int] = (),
    cube_coeff: float = -0.75,
    **_: Any,
) -> Any:
    """Return what `resize_axes` does as OpenVINO 2026.4.1 has it: after padding, with integers rounded."""
    begin, end = ([*pads, *[0] * data.ndim][: data.ndim] for pads in (pads_begin, pads_end))
    kind, wide = data.dtype, pad_spatial(data, begin, end)
    lengths = [wide.shape[axis] for axis in axes]
    if sizes is None:
        assert scales is not None
        sizes = [int(np.floor(length * scale + 1e-6)) for length, scale in zip(lengths, scales, strict=True)]
    else:
        scales = [size / length for size, length in zip(sizes, lengths, strict=True)]
    is_rounded = kind.kind in "iu" and mode != "nearest"
    # no other mode heeds `antialias`, and on a CPU only volumes do; the ones of the imaging library Pillow are always so
    is_filtered = (is_pillow := mode.endswith("pillow")) or (antialias and mode == "linear" and data.ndim > 4)
    found = resize_axes(
        wide.astype(np.float32) if is_rounded else wide,
        axes,
        sizes,
        scales,
        mode=_MODES.get(mode, mode),
        way="half_pixel" if is_pillow else coordinate_transformation_mode,
        nearest=nearest_mode,
        coefficient=cube_coeff,
        exclude_outside=is_filtered,
        antialias=is_filtered,
        whole=True,
    )
    return np.clip(np.round(found), np.iinfo(kind).min, np.iinfo(kind).max).astype(kind) if is_rounded else found


def resize_axes(
    data: Any,
    axes: Sequence[int],
    sizes: Sequence[int],
    scales: Sequence[float],
    *,
    mode: str,
    way: str,
    nearest: str = "floor",
    coefficient: float = -0.75,
    exclude_outside: bool = False,
    extrapolation: float = 0.0,
    antialias: bool = False,
    regions: Sequence[tuple[float, float]] | None = None,
    whole: bool = False,
) -> Any:
    """Resize along each axis to a size, by a scale that may differ from it by a fraction, unless the size counts as the `whole` of it;
    `regions` are the parts of the axes that `way` tf_crop_and_resize cuts out. The `nearest` element may be "simple": the next one where
    the axis shrinks, else the last.
    """
    result, outside = data, []
    for k, axis in enumerate(axes):
        length, goal, scale = data.shape[axis], sizes[k], scales[k]
        if goal == length and scale == 1:  # onnxruntime 1.32 does not even cut out a region then
            continue
        at = _origins(
            goal, length, scale, way, goal if whole else scale * length, (0.0, 1.0) if regions is None else regions[k]
        )
        if way == "tf_crop_and_resize":
            outside.append((axis, (at < 0) | (at > length - 1)))
        if mode == "nearest" or not goal:
            how = nearest if nearest != "simple" else "ceil" if scale < 1 else "truncate"
            result = np.take(result, _nearest(at, how, length), axis)
            continue
        wide = result.astype(np.float64 if result.dtype == np.float64 else np.float32, copy=False)
        result = mixed(wide, axis, *taps(at, length, mode, scale if antialias else 1.0, coefficient, exclude_outside))
        if antialias and data.dtype.kind in "iu":  # onnxruntime 1.32: only then integers are rounded, along each axis
            ends = np.iinfo(data.dtype)
            result = np.clip(np.copysign(np.floor(np.abs(result) + 0.5), result), ends.min, ends.max)
    result = np.ascontiguousarray(result.astype(data.dtype, copy=bool(outside)))
    for axis, far in outside:
        where: Any = (slice(None),) * axis + (far,)
        result[where] = extrapolation
    return result


def _origins(goal: int, length: int, scale: float, way: str, whole: float, region: tuple[float, float]) -> Any:
    """Return where each element of the result lies in the data."""
    x = np.arange(goal, dtype=np.float64)
    if (whole == 1 and way == "align_corners") or (goal == 1 and way == "pytorch_half_pixel"):
        return np.zeros(goal)
    if way == "align_corners":
        return x * (length - 1) / (whole - 1)
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


def taps(
    at: Any, length: int, mode: str, scale: float = 1.0, coefficient: float = -0.75, exclude_outside: bool = False
) -> tuple[Any, Any]:
    """Return which elements each place lies between, and their weights; with a scale below 1 as many as come together there."""
    base = np.ceil(at).astype(np.int64) - 1
    shrink = min(scale, 1.0)
    first = int(np.floor(-(1 if mode == "linear" else 2) / shrink) + 1)
    near = np.arange(first, 2 - first)
    weights = _weight((near[None] - (at - base)[:, None]) * shrink, mode, coefficient)
    places = base[:, None] + near[None]
    if exclude_outside:
        weights = np.where((places >= 0) & (places < length), weights, 0)
    if exclude_outside or scale != 1:
        weights = weights / weights.sum(1, keepdims=True)
    return np.clip(places, 0, length - 1), weights


def mixed(data: Any, axis: int, places: Any, weights: Any) -> Any:
    """Return sums of elements along an axis, each times its weight: products with matrices, for a few sums at a time."""
    lines, parts = np.moveaxis(data, axis, -1), []
    for start in range(0, len(places), _SUMS):
        index, shares = places[start : start + _SUMS], weights[start : start + _SUMS]
        low, high = index.min(), index.max() + 1
        matrix = np.zeros((len(index), high - low))
        np.add.at(matrix, (np.arange(len(index))[:, None], index - low), shares)
        parts.append(lines[..., low:high] @ matrix.T.astype(data.dtype))
    return np.moveaxis(parts[0] if len(parts) == 1 else np.concatenate(parts, -1), -1, axis)


def grid_sample(
    data: Any, grid: Any, *, align_corners: bool = False, mode: str = "bilinear", padding_mode: str = "zeros", **_: Any
) -> Any:
    """Return what `sample_grid` does as OpenVINO 2026.4.1 has it."""
    return sample_grid(data, grid, mode=mode.removeprefix("bi"), padding=padding_mode, corners=align_corners, late=True)


def sample_grid(data: Any, grid: Any, **how: Any) -> Any:
    """Data (batch, channels, space...) at places (batch, points..., coordinate, the last axis first) of -1..1: a block of points at a time,
    as what is made on the way is many times larger than the result."""
    places = grid.reshape(len(grid), -1, grid.shape[-1])
    found = np.empty((*data.shape[:2], places.shape[1]), data.dtype)
    step = max(_BLOCK // max(len(data) * data.shape[1], 1), 1)
    for start in range(0, places.shape[1], step):
        found[..., start : start + step] = _sampled(data, places[:, start : start + step], **how)
    return found.reshape(*data.shape[:2], *grid.shape[1:-1])


def _sampled(data: Any, grid: Any, *, mode: str, padding: str, corners: bool, late: bool = False) -> Any:
    """Return the data at points of a grid. `late`: what is not finite stays, places are reflected before the nearest is looked for, and
    pixels are clipped, not places."""
    sizes = data.shape[2:]
    at = [
        _placed(grid[..., -1 - k].astype(np.float64), size, mode, padding, corners, late)
        for k, size in enumerate(sizes)
    ]
    batch = np.arange(len(data)).reshape((-1,) + (1,) * (grid.ndim - 2))

    def pick(index: Sequence[Any]) -> Any:
        """Return the elements at whole places, by the rule for those outside."""
        inside, found = np.ones(index[0].shape, bool), []
        for place, size in zip(index, sizes, strict=True):
            if padding == "reflection":
                place = _reflected(place, size, corners)
            inside &= (place >= 0) & (place < size)
            # OpenVINO 2026.4.1 reads the last one at NaN, or the first one after a reflection
            lost = 0 if padding == "reflection" else size - 1
            found.append(np.where(np.isnan(place), lost, np.clip(place, 0, size - 1)).astype(np.int64))
        where: Any = (batch, slice(None), *found)
        values = np.moveaxis(data[where], -1, 1)
        return np.where(inside[:, None], values, 0) if padding == "zeros" else values

    if mode == "nearest":
        return pick(list(map(np.rint, at))).astype(data.dtype)
    low = [np.floor(place) for place in at]
    steps = range(2) if mode == "linear" else range(-1, 3)
    if len(steps) ** len(sizes) > MANY:
        raise NoKernel
    weights = [[_weight(place - first - step, mode) for step in steps] for place, first in zip(at, low, strict=True)]
    total: Any = 0
    for corner in itertools.product(range(len(steps)), repeat=len(sizes)):
        share: Any = 1
        for k, step in enumerate(corner):
            share = share * weights[k][step]
        total = total + pick([first + steps[step] for first, step in zip(low, corner, strict=True)]) * share[:, None]
    return total.astype(data.dtype)


def _weight(distance: Any, mode: str, a: float = -0.75) -> Any:
    x = np.abs(distance)
    if mode == "linear":
        return np.clip(1 - x, 0, 1)
    inner, outer = ((a + 2) * x - (a + 3)) * x * x + 1, (((x - 5) * x + 8) * x - 4) * a
    return np.where(x <= 1, inner, np.where(x >= 2, 0, outer))


def _placed(place: Any, size: int, mode: str, padding: str, corners: bool, late: bool) -> Any:
    """Return coordinates in elements, brought inside where the padding says so."""
    at = (place + 1) / 2 * (size - 1) if corners else ((place + 1) * size - 1) / 2
    if not late:  # onnxruntime 1.32 replaces NaN, infinity and places further away by the first ones
        at = np.where(np.abs(at) <= _FAR, at, 0.0 if corners else -0.5)
    if mode == "nearest" and not late:
        at = np.rint(at)
    if mode == "cubic" and (padding == "border" or late):  # of cubic ones onnxruntime 1.32 clips only the pixels
        return at
    if padding == "border" and not late:
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
