"""Slices picked by a mask, and one-hot rows with both values in one operand."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, number, want_dtype, want_rank, want_scalar
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class Compress(Operator):
    """The slices along an axis, or the elements, where a vector is true; what it does not reach is left out."""

    inputs = "data condition"
    reads = (1,)

    def shape(self, data: Tensor, condition: Tensor, *, axis: int | None = None, **_: Any) -> Tensor:
        want_dtype(condition, "condition", 1, "bool")
        value = values.numbers(condition)
        count: Dim = None if value is None else sum(map(bool, value))
        if axis is None:
            return Tensor(data.dtype, (count,))
        if data.shape is None:
            return data
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        most = dims.bounds(data.shape[at])[1]
        length = dims.interval(0, most) if count is None else count
        return Tensor(data.dtype, (*data.shape[:at], length, *data.shape[at + 1 :]))

    def run(self, data: Any, condition: Any, *, axis: int | None = None, **_: Any) -> Any:
        return np.compress(condition, data, axis)


class OneHotPair(Operator):
    """One-hot encoding on a new axis; `values` are what is off and what is on. Negative indices count from the end."""

    inputs = "indices depth values"
    reads = (1,)

    def shape(self, indices: Tensor, depth: Tensor, pair: Tensor, *, axis: int = -1, **_: Any) -> Tensor:
        want_scalar(depth, "depth", 1)
        want_rank(pair, "values", 2, 1)
        if pair.shape and not dims.can_be(pair.shape[0], 2):
            message = f"expected 2 elements in `values`, got {show(pair.shape)}"
            raise ShapeError(R.element_count_mismatch, message, "input:2", [2])
        count = depth.entry
        if not values.fits(count, 1):
            message = f"expected at least 1 for `depth`, got {show_dim(count)}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1])
        if indices.shape is None:
            return Tensor(pair.dtype)
        at = normalise_axis(axis, len(indices.shape) + 1, "attr:axis")
        return Tensor(pair.dtype, (*indices.shape[:at], values.to_dim(count), *indices.shape[at:]))

    def run(self, indices: Any, depth: Any, pair: Any, *, axis: int = -1, **_: Any) -> Any:
        count = number(depth)
        picks = indices.astype(np.int64)
        picks = np.where(picks < 0, picks + count, picks)
        at = axis % (indices.ndim + 1)
        rows = np.arange(count).reshape((-1,) + (1,) * (indices.ndim - at))
        return np.where(np.expand_dims(picks, at) == rows, pair[1], pair[0])
