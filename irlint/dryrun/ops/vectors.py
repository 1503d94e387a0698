"""Vectors sorted, picked from, counted anew; numbers written out; tensors rounded to places between pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import show
from irlint.dryrun.dtypes import INTEGERS, integer_range
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_shapes, normalise_axis, same_dtype, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


def held(numbers: Any, dtype: str) -> Any:
    """Numbers as an element type holds them: cut towards zero, and the nearest that there is."""
    if dtype in INTEGERS:
        low, high = integer_range(dtype)
        cut = np.trunc(np.nan_to_num(numbers, posinf=math.inf, neginf=-math.inf))
        found = np.clip(cut, low, high)
        return np.where(found >= high, high, found.astype(dtype)) if high > 1 << 53 else found.astype(dtype)
    if dtype == "bool":
        return np.asarray(numbers) != 0
    with np.errstate(over="ignore"):
        return np.asarray(numbers).astype(dtype)


class Literal(Operator):
    """Numbers written in the file: one 0 fills the tensor, fewer than it holds leave the rest 0; between two bounds they
    are drawn."""

    inputs = ""

    def shape(self, *, dims: Sequence[int], dtype: str | None, **_: Any) -> Tensor:
        return Tensor(dtype, tuple(dims))

    def run(
        self,
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


class Renumbered(Operator):
    """As many numbers as there were, from a start by a step."""

    def shape(self, data: Tensor, *, start: float, stop: float, step: float, **_: Any) -> Tensor:
        want_rank(data, "src", 0, 1)
        return data

    def run(self, data: Any, *, start: float, step: float, **_: Any) -> Any:
        return held(start + step * np.arange(data.size), str(data.dtype))


class MaxWithArgmax(Operator):
    """The largest number along an axis and where it stands first; the axis stays."""

    def shape(self, data: Tensor, *, axis: int, **_: Any) -> list[Tensor]:
        if data.shape is None:
            return [data, Tensor("int32", None)]
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        shape = (*data.shape[:at], 1, *data.shape[at + 1 :])
        return [Tensor(data.dtype, shape), Tensor("int32", shape)]

    def run(self, data: Any, *, axis: int, **_: Any) -> Any:
        return [data.max(axis, keepdims=True), data.argmax(axis, keepdims=True).astype(np.int32)]


class LeakyRelu(Operator):
    """Below zero times a slope, which is of the data's own type."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return data

    def run(self, data: Any, *, slope: float, **_: Any) -> Any:
        return np.where(data >= 0, data, data * held(np.float64(slope), str(data.dtype))).astype(data.dtype)


class SortByKey(Operator):
    """Keys in order, and with every key its value."""

    inputs = "src_key src_val"

    def shape(self, keys: Tensor, values: Tensor, **_: Any) -> list[Tensor]:
        want_rank(keys, "src_key", 0, 1)
        want_rank(values, "src_val", 1, 1)
        merge_shapes(keys, values, ("src_key", "src_val"))
        return [keys, values]

    def run(self, keys: Any, values: Any, *, ascending: bool, **_: Any) -> Any:
        order = np.argsort(keys, kind="stable")
        order = order if ascending else order[::-1]
        return [keys[order], values[order]]


class PickBlocks(Operator):
    """Blocks of `stride` numbers, as many as asked for, by their indices."""

    inputs = "src src_index"

    def shape(self, data: Tensor, index: Tensor, *, count: int, stride: int, **_: Any) -> Tensor:
        want_rank(data, "src", 0, 1)
        want_rank(index, "src_index", 1, 1)
        return Tensor(data.dtype, (count * stride,))

    def run(self, data: Any, index: Any, *, count: int, stride: int, **_: Any) -> Any:
        return data[(index[:count, None] * stride + np.arange(stride)).reshape(-1)]


class InnerProduct(Operator):
    """The sum of all products, as a vector of one."""

    inputs = "src1 src2"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        merge_shapes(a, b, ("src1", "src2"))
        return Tensor(same_dtype((a, b), self.names), (1,))

    def run(self, a: Any, b: Any, **_: Any) -> Any:
        return (a * b).sum(dtype=a.dtype, keepdims=True).reshape(1)


class NearestResize(Operator):
    """Every axis made as long as asked for, or longer by a factor: the nearest element, halves away from zero."""

    def shape(
        self, data: Tensor, *, lengths: Sequence[int] | None = None, scales: Sequence[float] = (), **_: Any
    ) -> Tensor:
        given = lengths if lengths is not None else scales
        if data.shape is None:
            return Tensor(data.dtype, tuple(lengths) if lengths is not None else None)
        if len(given) != len(data.shape):
            part = "dims" if lengths is not None else "scales"
            message = f"expected one number per dimension of {show(data.shape)} in `{part}`, got {len(given)}"
            raise ShapeError(R.wrong_value_length, message, f"attr:{part}", [0])
        if lengths is not None:
            return Tensor(data.dtype, tuple(lengths))
        found: list[Dim] = [
            math.floor(scale * dim) if isinstance(dim, int) else None
            for scale, dim in zip(scales, data.shape, strict=True)
        ]
        return Tensor(data.dtype, tuple(found))

    def run(self, data: Any, *, linear: bool = False, **given: Any) -> Any:
        if linear:
            raise NoKernel
        goal: Any = self.shape(Tensor(None, data.shape), **given).shape
        for axis, length in enumerate(goal):
            place = np.float32(data.shape[axis] / length) * (np.arange(length, dtype=np.float32) + np.float32(0.5))
            nearest = np.trunc(place - np.float32(0.5) + np.copysign(np.float32(0.5), place - np.float32(0.5)))
            data = np.take(data, np.clip(nearest, 0, data.shape[axis] - 1).astype(np.int64), axis)
        return data


class SubtractMean(Operator):
    """A picture less a number for each channel, channels first."""

    def shape(self, data: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        want_rank(data, "src", 0, 3)
        if data.shape is None:
            return Tensor(dtype, (None, None, None))
        height, width, depth = data.shape
        return Tensor(dtype, (depth, height, width))

    def run(self, data: Any, *, mean: Sequence[float], dtype: str, **_: Any) -> Any:
        return held(np.moveaxis(data.astype(np.float64) - np.array(mean), -1, 0), dtype)


class PadRows(Operator):
    """Rows made longer, with zeros, to a multiple of a number."""

    def shape(self, data: Tensor, *, of: int, **_: Any) -> Tensor:
        want_rank(data, "src", 0, 2)
        if data.shape is None:
            return data
        rows, length = data.shape
        return Tensor(data.dtype, (rows, -(-length // of) * of if isinstance(length, int) else None))

    def run(self, data: Any, *, of: int, **_: Any) -> Any:
        return np.pad(data, [(0, 0), (0, -data.shape[1] % of)])


class Print(Operator):
    """Nothing is computed: the tensor is looked at."""

    inputs = "src"

    def shape(self, data: Tensor, **_: Any) -> list[Tensor]:
        return []

    def run(self, data: Any, **_: Any) -> Any:
        return []


class BoxesFromDeltas(Operator):
    """Corners of boxes on an image, out of anchors (x, y, width, height) and how they are moved and stretched."""

    inputs = "src_delta src_anchor"

    def shape(self, delta: Tensor, anchor: Tensor, **_: Any) -> Tensor:
        want_rank(delta, "src_delta", 0, 5)
        merge_shapes(delta, anchor, ("src_delta", "src_anchor"))
        return delta

    def run(
        self,
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
        stretch = np.where(
            delta[..., 2:] < 1, np.exp(np.minimum(delta[..., 2:], 1)), delta[..., 2:] * np.float32(math.e)
        )
        half = anchor[..., 2:] * stretch * scale / 2
        limit = np.array([img_width - 1, img_height - 1], np.float32)
        corners = [np.clip(middle - half, 0, limit), np.clip(middle + half, 0, limit)]
        return np.concatenate(corners, -1).astype(delta.dtype)


class YoloBoxes(Operator):
    """Centres, sizes, corners, confidence and classes of boxes in every cell, for every anchor."""

    inputs = "feature anchors"

    def shape(self, feature: Tensor, anchors: Tensor, **_: Any) -> list[Tensor]:
        want_rank(feature, "feature", 0, 4)
        want_rank(anchors, "anchors", 1, 2)
        _batch, depth, height, width = feature.shape or (1, None, None, None)
        count = anchors.shape[0] if anchors.shape is not None else None
        classes = depth // count - 5 if isinstance(depth, int) and isinstance(count, int) and count else None
        return [Tensor(feature.dtype, (1, count, n, height, width)) for n in (2, 2, 4, 1, classes)]

    def run(self, feature: Any, anchors: Any, *, img_width: int, img_height: int, **_: Any) -> Any:
        from irlint.dryrun.special import sigmoid

        count, (height, width) = anchors.shape[0], feature.shape[2:]
        parts = feature.reshape(1, count, -1, height, width)
        cells = np.stack(np.meshgrid(np.arange(width), np.arange(height)))
        stride = np.array([img_width / width, img_height / height], np.float32).reshape(2, 1, 1)
        centres = (sigmoid(parts[:, :, :2]) + cells) * stride
        sizes = anchors.reshape(1, count, 2, 1, 1) * np.clip(np.exp(parts[:, :, 2:4]), 1e-9, 50)
        corners = np.concatenate([centres - sizes / 2, centres + sizes / 2], 2)
        found = [centres, sizes, corners, sigmoid(parts[:, :, 4:5]), sigmoid(parts[:, :, 5:])]
        return [part.astype(feature.dtype) for part in found]
