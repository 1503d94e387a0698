"""Slices picked by a mask or out of packed weights, and one-hot rows with both values in one operand."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import replaced, show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis
from irlint.dryrun.ops.shared.selection import one_hot
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class Compress(Operator):
    """The slices along an axis, or the elements, where a vector is true; what it does not reach is left out."""

    inputs = "data condition:_/bool"
    reads = (1,)

    def shape(self, data: Tensor, condition: Tensor, *, axis: int | None = None, **_: Any) -> Tensor:
        self.match(data, condition)
        value = values.numbers(condition)
        count: Dim = None if value is None else sum(map(bool, value))
        if axis is None:
            return Tensor(data.dtype, (count,))
        if data.shape is None:
            return data
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        length = dims.interval(0, dims.bounds(data.shape[at])[1]) if count is None else count
        return Tensor(data.dtype, replaced(data.shape, at, length))

    def run(self, data: Any, condition: Any, *, axis: int | None = None, **_: Any) -> Any:
        return np.compress(condition, data, axis)


class PackedRows(Operator):
    """Slices of weights that are quantized in blocks, one per index; two numbers of 4 bits share a byte."""

    inputs = "data indices:_/integers scales zero_points?"

    def shape(
        self, data: Tensor, indices: Tensor, scales: Tensor, *others: Any, axis: int, bits: int, **_: Any
    ) -> Tensor:
        self.match(data, indices, scales)
        if data.shape is None or indices.shape is None:
            return Tensor(scales.dtype)
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        *head, last = *data.shape[:at], *indices.shape, *data.shape[at + 1 :]
        is_packed = data.dtype == "uint8" and bits == 4 and at < len(data.shape) - 1
        return Tensor(scales.dtype, (*head, dims.multiply(last, 2) if is_packed else last))


class OneHotPair(Operator):
    """One-hot encoding on a new axis; `values` are what is off and what is on. Negative indices count from the end."""

    inputs = "indices depth:one values:[_]"
    reads = (1,)
    kernel = "ordering.one_hot_pair"

    def shape(self, indices: Tensor, depth: Tensor, pair: Tensor, *, axis: int = -1, **_: Any) -> Tensor:
        self.match(indices, depth, pair)
        if pair.shape and not dims.can_be(pair.shape[0], 2):
            message = f"expected 2 elements in `values`, got {show(pair.shape)}"
            raise ShapeError(R.element_count_mismatch, message, "input:2", [2])
        return one_hot(indices, depth, pair.dtype, axis, 1)
