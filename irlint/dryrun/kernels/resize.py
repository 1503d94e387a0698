"""Interpolation axis by axis, each as weighted sums of a few rows; and sampling at the places of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import pad_spatial


def resize_by(data: Any, sizes: Any, scales: Any, axes: Any, **attrs: Any) -> Any:
    """Sizes or scales of the listed axes, or of all."""
    listed = [int(a) % data.ndim for a in axes] if axes is not None else list(range(data.ndim))
    given = sizes if sizes is not None else scales
    chosen = dict(zip(listed, given, strict=False))
    if sizes is not None:
        return resize(data, {a: int(n) for a, n in chosen.items()}, None, **attrs)
    return resize(data, None, {a: float(s) for a, s in chosen.items()}, **attrs)


def resize(
    data: Any,
    sizes: dict[int, int] | None,
    scales: dict[int, float] | None,
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
    dtype = data.dtype
    begin = [*pads_begin, *[0] * (data.ndim - len(pads_begin))][: data.ndim]
    end = [*pads_end, *[0] * (data.ndim - len(pads_end))][: data.ndim]
    result = pad_spatial(data, begin, end)
    if dtype.kind in "iu" or dtype == np.float16:
        result = result.astype(np.float32) if mode != "nearest" else result
    for axis in sizes or scales or {}:
        length = result.shape[axis]
        if sizes is not None:
            goal, scale = sizes[axis], sizes[axis] / length
        else:
            assert scales is not None
            scale = scales[axis]
            goal = int(np.floor(length * scale + 1e-6))
        if goal == length and scale == 1:
            continue
        if mode.endswith("pillow"):
            result = np.moveaxis(
                np.moveaxis(result, axis, -1) @ _pillow(goal, length, scale, mode, cube_coeff).T, -1, axis
            )
            result = result.astype(dtype if dtype.kind == "f" else np.float32, copy=False)
            continue
        places = _places(goal, length, scale, coordinate_transformation_mode)
        if mode == "nearest":
            result = np.take(result, _nearest(places, scale, nearest_mode, length), axis)
        elif mode == "cubic":
            result = _cubic(result, axis, places, cube_coeff)
        elif antialias and scale < 1 and mode == "linear" and data.ndim > 4:  # OpenVINO 2026.4.1 (CPU)
            result = _filtered(result, axis, places, scale)
        else:
            result = _linear(result, axis, places)
    if dtype.kind in "iu" and mode != "nearest":
        info = np.iinfo(dtype)
        result = np.clip(np.round(result), info.min, info.max)
    return result.astype(dtype, copy=False)


def _pillow(goal: int, length: int, scale: float, mode: str, coefficient: float) -> Any:
    """The share of every element in every element of the result, as the imaging library of that name has it: of all that lie
    under a triangle, or a cubic hump, which grows as the image shrinks."""
    wide = max(1 / scale, 1.0)
    middles = (np.arange(goal)[:, None] + 0.5) / scale
    reach = wide * (1 if mode.startswith("bilinear") else 2)
    at = np.arange(length)[None]
    near = (at >= np.floor(middles - reach + 0.5)) & (at < np.floor(middles + reach + 0.5))
    x = np.abs(at + 0.5 - middles) / wide
    if mode.startswith("bilinear"):
        shares = np.maximum(1 - x, 0)
    else:
        a = coefficient
        inner, outer = ((a + 2) * x - (a + 3)) * x * x + 1, (((x - 5) * x + 8) * x - 4) * a
        shares = np.where(x < 1, inner, np.where(x < 2, outer, 0))
    shares = shares * near
    return shares / shares.sum(1, keepdims=True)


def _places(goal: int, length: int, scale: float, way: str) -> Any:
    """Where each element of the result lies in the data."""
    at = np.arange(goal, dtype=np.float64)
    if way == "asymmetric":
        return at / scale
    if way == "align_corners":
        return np.zeros(goal) if goal == 1 else at * (length - 1) / (goal - 1)
    if way == "tf_half_pixel_for_nn":
        return (at + 0.5) / scale
    if way == "pytorch_half_pixel" and goal <= 1:
        return np.zeros(goal)
    return (at + 0.5) / scale - 0.5


def _nearest(places: Any, scale: float, how: str, length: int) -> Any:
    if how == "round_prefer_ceil":
        found = np.floor(places + 0.5)
    elif how == "floor":
        found = np.floor(places)
    elif how == "ceil":
        found = np.ceil(places)
    elif how == "simple":
        found = np.ceil(places) if scale < 1 else np.trunc(places)
    else:
        found = np.ceil(places - 0.5)
    return np.clip(found, 0, length - 1).astype(np.int64)


def _weighted(data: Any, axis: int, rows: Sequence[Any], weights: Sequence[Any]) -> Any:
    """Sums of rows along an axis, each times its weight; places beyond the ends take the end's row."""
    shape = [1] * data.ndim
    shape[axis] = -1
    last = data.shape[axis] - 1
    total: Any = 0
    for row, weight in zip(rows, weights, strict=True):
        part = np.take(data, np.clip(row, 0, last), axis)
        total = total + part * weight.reshape(shape).astype(data.dtype)
    return total


def _linear(data: Any, axis: int, places: Any) -> Any:
    places = np.clip(places, 0, data.shape[axis] - 1)
    low = np.floor(places).astype(np.int64)
    share = places - low
    return _weighted(data, axis, (low, low + 1), (1 - share, share))


def _filtered(data: Any, axis: int, places: Any, scale: float) -> Any:
    """Linear with a triangle as wide as the step, its weights brought to a sum of one."""
    reach = int(np.ceil(1 / scale)) + 1
    base = np.round(places).astype(np.int64)
    rows = [base + k for k in range(-reach, reach + 1)]
    weights = []
    for row in rows:
        weight = np.maximum(1 - np.abs((row - places) * scale), 0)
        weights.append(np.where((row >= 0) & (row < data.shape[axis]), weight, 0))
    total = sum(weights)
    return _weighted(data, axis, rows, [weight / total for weight in weights])


def _cubic(data: Any, axis: int, places: Any, a: float) -> Any:
    low = np.floor(places).astype(np.int64)
    s = places - low
    weights = (
        ((a * (s + 1) - 5 * a) * (s + 1) + 8 * a) * (s + 1) - 4 * a,
        ((a + 2) * s - (a + 3)) * s * s + 1,
        ((a + 2) * (1 - s) - (a + 3)) * (1 - s) * (1 - s) + 1,
        ((a * (2 - s) - 5 * a) * (2 - s) + 8 * a) * (2 - s) - 4 * a,
    )
    return _weighted(data, axis, (low - 1, low, low + 1, low + 2), weights)


def grid_sample(
    data: Any, grid: Any, *, align_corners: bool = False, mode: str = "bilinear", padding_mode: str = "zeros", **_: Any
) -> Any:
    """Data (batch, channels, height, width) at places (batch, height, width, 2) of -1..1."""
    height, width = data.shape[2:]
    x = _unscaled(grid[..., 0].astype(np.float64), width, align_corners)
    y = _unscaled(grid[..., 1].astype(np.float64), height, align_corners)
    if padding_mode == "reflection" and mode != "bicubic":
        x, y = _reflected(x, width, align_corners), _reflected(y, height, align_corners)

    def pick(row: Any, column: Any) -> Any:
        """The elements at whole places, by the rule for those outside."""
        if padding_mode == "reflection":
            row, column = _reflected(row, height, align_corners), _reflected(column, width, align_corners)
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        r, c = (_index(place, size, padding_mode) for place, size in ((row, height), (column, width)))
        batch = np.arange(data.shape[0]).reshape(-1, 1, 1)
        found = np.moveaxis(data[batch, :, r, c], -1, 1)
        return found * inside[:, None] if padding_mode == "zeros" else found

    if mode == "nearest":
        return pick(np.round(y), np.round(x)).astype(data.dtype)
    top, left = np.floor(y), np.floor(x)
    dy, dx = (y - top)[:, None], (x - left)[:, None]
    if mode == "bilinear":
        upper = pick(top, left) * (1 - dx) + pick(top, left + 1) * dx
        lower = pick(top + 1, left) * (1 - dx) + pick(top + 1, left + 1) * dx
        return (upper * (1 - dy) + lower * dy).astype(data.dtype)
    total: Any = 0
    across, down = _cubic_weights(dx), _cubic_weights(dy)
    for i in range(4):
        row: Any = 0
        for j in range(4):
            row = row + pick(top + i - 1, left + j - 1) * across[j]
        total = total + row * down[i]
    return total.astype(data.dtype)


def _index(place: Any, size: int, padding_mode: str) -> Any:
    """Return the elements at whole places; OpenVINO 2026.4.1 reads the last one at NaN, or the first one after a reflection."""
    found = np.clip(place, 0, size - 1)
    return np.where(np.isnan(found), 0 if padding_mode == "reflection" else size - 1, found).astype(np.int64)


def _cubic_weights(s: Any, a: float = -0.75) -> tuple[Any, ...]:
    return (
        ((a * (s + 1) - 5 * a) * (s + 1) + 8 * a) * (s + 1) - 4 * a,
        ((a + 2) * s - (a + 3)) * s * s + 1,
        ((a + 2) * (1 - s) - (a + 3)) * (1 - s) * (1 - s) + 1,
        ((a * (2 - s) - 5 * a) * (2 - s) + 8 * a) * (2 - s) - 4 * a,
    )


def _unscaled(place: Any, size: int, corners: bool) -> Any:
    return (place + 1) / 2 * (size - 1) if corners else ((place + 1) * size - 1) / 2


def _reflected(place: Any, size: int, corners: bool) -> Any:
    """Mirrored at the middle, or at the edge, of the outermost elements."""
    low, high = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
    span = high - low
    if span <= 0:
        return np.zeros_like(place)
    turned = np.mod(place - low, 2 * span)
    found = np.where(turned > span, 2 * span - turned, turned) + low
    return np.clip(found, 0, size - 1)
