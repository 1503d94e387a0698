"""LightNet's operators on vectors, and on images."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from irlint.dryrun.dtypes import INTEGERS, integer_range
from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np


def held(numbers: Any, dtype: str) -> Any:
    """Numbers as an element type holds them: truncated toward zero, and rounded to the nearest that exists."""
    if dtype in INTEGERS:
        low, high = integer_range(dtype)
        cut = np.trunc(np.nan_to_num(numbers, posinf=math.inf, neginf=-math.inf))
        found = np.clip(cut, low, high)
        return np.where(found >= high, high, found.astype(dtype)) if high > 1 << 53 else found.astype(dtype)
    if dtype == "bool":
        return np.asarray(numbers) != 0
    with np.errstate(over="ignore"):
        return np.asarray(numbers).astype(dtype)


def literal(
    *,
    dims: Sequence[int],
    dtype: str,
    data: Sequence[float] = (0,),
    bounds: Sequence[float] = (0, 0),
    seed: int = 0,
    array: Any = None,
    **_: Any,
) -> Any:
    if array is not None:
        return array
    count = math.prod(dims)
    if any(bounds):
        return held(np.random.default_rng(seed).uniform(bounds[0], bounds[1], count), dtype).reshape(dims)
    found = np.zeros(count, dtype)
    found[: len(data)] = held(np.array(data[:count], np.float64), dtype)
    return found.reshape(dims)


def renumbered(data: Any, *, start: float, step: float, **_: Any) -> Any:
    return held(start + step * np.arange(data.size), str(data.dtype))


def max_with_argmax(data: Any, *, axis: int, **_: Any) -> Any:
    return [data.max(axis, keepdims=True), data.argmax(axis, keepdims=True).astype(np.int32)]


def leaky_relu(data: Any, *, slope: float, **_: Any) -> Any:
    return np.where(data >= 0, data, data * held(np.float64(slope), str(data.dtype))).astype(data.dtype)


def sort_by_key(keys: Any, values: Any, *, ascending: bool, **_: Any) -> Any:
    order = np.argsort(keys, kind="stable")
    order = order if ascending else order[::-1]
    return [keys[order], values[order]]


def pick_blocks(data: Any, index: Any, *, count: int, stride: int, **_: Any) -> Any:
    return data[(index[:count, None] * stride + np.arange(stride)).reshape(-1)]


def inner_product(a: Any, b: Any, **_: Any) -> Any:
    return (a * b).sum(dtype=a.dtype, keepdims=True).reshape(1)


def nearest_resize(data: Any, *, lengths: Sequence[int], linear: bool = False, **_: Any) -> Any:
    if linear:
        raise NoKernel
    for axis, length in enumerate(lengths):
        place = np.float32(data.shape[axis] / length) * (np.arange(length, dtype=np.float32) + np.float32(0.5))
        nearest = np.trunc(place - np.float32(0.5) + np.copysign(np.float32(0.5), place - np.float32(0.5)))
        data = np.take(data, np.clip(nearest, 0, data.shape[axis] - 1).astype(np.int64), axis)
    return data


def subtract_mean(data: Any, *, mean: Sequence[float], dtype: str, **_: Any) -> Any:
    return held(np.moveaxis(data.astype(np.float64) - np.array(mean), -1, 0), dtype)


def pad_rows(data: Any, *, of: int, **_: Any) -> Any:
    return np.pad(data, [(0, 0), (0, -data.shape[1] % of)])


def nothing(data: Any, **_: Any) -> Any:
    return []


def boxes_from_deltas(
    delta: Any,
    anchor: Any,
    *,
    width: int,
    height: int,
    img_width: int,
    img_height: int,
    x_shift: int,
    y_shift: int,
    **_: Any,
) -> Any:
    scale = np.array([img_width / width, img_height / height], np.float32)
    middle = (anchor[..., :2] + delta[..., :2] * anchor[..., 2:]) * scale + np.array([x_shift, y_shift], np.float32)
    stretch = np.where(delta[..., 2:] < 1, np.exp(np.minimum(delta[..., 2:], 1)), delta[..., 2:] * np.float32(math.e))
    half = anchor[..., 2:] * stretch * scale / 2
    limit = np.array([img_width - 1, img_height - 1], np.float32)
    corners = [np.clip(middle - half, 0, limit), np.clip(middle + half, 0, limit)]
    return np.concatenate(corners, -1).astype(delta.dtype)


def yolo_boxes(feature: Any, anchors: Any, *, img_width: int, img_height: int, **_: Any) -> Any:
    from irlint.dryrun.kernels.special import sigmoid

    count, (height, width) = anchors.shape[0], feature.shape[2:]
    parts = feature.reshape(1, count, -1, height, width)
    cells = np.stack(np.meshgrid(np.arange(width), np.arange(height)))
    stride = np.array([img_width / width, img_height / height], np.float32).reshape(2, 1, 1)
    centres = (sigmoid(parts[:, :, :2]) + cells) * stride
    sizes = anchors.reshape(1, count, 2, 1, 1) * np.clip(np.exp(parts[:, :, 2:4]), 1e-9, 50)
    corners = np.concatenate([centres - sizes / 2, centres + sizes / 2], 2)
    found = [centres, sizes, corners, sigmoid(parts[:, :, 4:5]), sigmoid(parts[:, :, 5:])]
    return [part.astype(feature.dtype) for part in found]
