"""Splits as MXNet has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, want_count
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class Split(Operator):
    """So many parts along an axis, the first ones longer by one where the axis cannot be divided; or parts that begin at
    listed places. `columns`: a vector is split along its only axis. What is empty runs all the same."""

    def shape(
        self,
        data: Tensor,
        *,
        sections: int = 0,
        indices: Sequence[int] = (),
        axis: int = 0,
        squeeze_axis: bool = False,
        columns: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        count = sections if sections > 0 else len(indices)
        if not count:
            raise ShapeError(
                R.value_out_of_range, "there is neither a number of sections nor an index", "attr:sections"
            )
        want_count(count, "sections")
        part = "attr:sections" if sections > 0 else "attr:indices"
        if data.shape is None:
            return [Tensor(data.dtype, None)] * count
        at = 0 if columns and len(data.shape) == 1 else normalise_axis(axis, len(data.shape), "attr:axis")
        dim = data.shape[at]
        if squeeze_axis and not dims.can_be(dim, count):
            raise ShapeError(
                R.shape_mismatch,
                f"with squeeze_axis dimension {at} of {show(data.shape)} must be {count}, so that every part is 1 long",
                part,
                [0],
            )
        lengths = _equal(dim, sections) if sections > 0 else _between(data, at, indices)
        before, after = data.shape[:at], data.shape[at + 1 :]
        found = [Tensor(data.dtype, (*before, *(() if squeeze_axis else (n or None,)), *after)) for n in lengths]
        if 0 in lengths and dim != 0:
            raise ShapeError(
                R.empty_output,
                f"part {lengths.index(0)} of {count} of dimension {at} of {show(data.shape)} is empty",
                part,
                [0],
                outputs=found,
            )
        return found

    def run(
        self,
        data: Any,
        *,
        sections: int = 0,
        indices: Sequence[int] = (),
        axis: int = 0,
        squeeze_axis: bool = False,
        columns: bool = False,
        **_: Any,
    ) -> Any:
        at = 0 if columns and data.ndim == 1 else axis
        parts = np.array_split(data, sections if sections > 0 else list(indices)[1:], at)
        return [np.squeeze(part, at) if squeeze_axis else part for part in parts]


def _equal(dim: Dim, count: int) -> list[Dim]:
    if not isinstance(dim, int):
        return [None] * count
    return [dim // count + (k < dim % count) for k in range(count)]


def _between(data: Tensor, at: int, starts: Sequence[int]) -> list[Dim]:
    assert data.shape is not None
    if starts[0] != 0:
        raise ShapeError(
            R.value_out_of_range, f"indices begins with {starts[0]}; the first part must begin at 0", "attr:indices"
        )
    lengths: list[Dim] = []
    ends: list[Dim] = [*starts[1:], data.shape[at]]
    for first, last in zip(starts, ends, strict=True):
        if isinstance(last, int) and last < first:
            raise ShapeError(
                R.axis_out_of_range,
                f"the part from {first} to {show_dim(last)} of dimension {at} of {show(data.shape)} ends before it begins",
                "attr:indices",
                [0],
            )
        lengths.append(dims.subtract(last, first))
    return lengths
