"""Slices with ranges from attributes or another tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, want_least_rank, want_rank
from irlint.dryrun.ops.moving.slicing import sliced
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class SliceRanges(Operator):
    """A range of every one of the first axes; None leaves an end open. `empty_runs`: one that holds nothing, too."""

    def shape(
        self,
        data: Tensor,
        *,
        begin: Sequence[Any],
        end: Sequence[Any],
        step: Sequence[Any] = (),
        empty_runs: bool = False,
        **_: Any,
    ) -> Tensor:
        if data.shape is None:
            return data
        if len(begin) != len(end) or len(begin) > len(data.shape):
            message = (
                f"expected as many numbers in `begin` ({len(begin)}) as in `end` ({len(end)}), and at most "
                f"{len(data.shape)}"
            )
            raise ShapeError(R.wrong_value_length, message, "attr:begin", [0])
        if step and len(step) != len(begin):
            raise ShapeError(
                R.wrong_value_length,
                f"expected as many numbers in `step` ({len(step)}) as in `begin` ({len(begin)})",
                "attr:step",
            )
        result = list(data.shape)
        empty = ""
        for axis, (first, last, by) in enumerate(zip(begin, end, step or [None] * len(begin), strict=True)):
            found = self._range(data.shape[axis], first, last, 1 if by is None else by)
            if found == 0 and data.shape[axis] != 0:
                empty = f"range {first}..{last} (step {by or 1}) of dimension {axis} of {show(data.shape)} is empty"
                found = None
            result[axis] = found
        cut = Tensor(data.dtype, tuple(result))
        if empty:
            raise ShapeError(R.empty_output, empty, "attr:begin", [0], outputs=[cut] if empty_runs else None)
        return cut

    @staticmethod
    def _range(dim: Dim, first: Any, last: Any, by: int) -> Dim:
        if by == 0:
            raise ShapeError(R.value_out_of_range, "expected no 0 in `step`", "attr:step")
        far = 1 << 62
        start = (0 if by > 0 else far) if first is None else first
        stop = (far if by > 0 else -far) if last is None else last
        return sliced(dim, start, stop, by)

    def run(self, data: Any, *, begin: Sequence[Any], end: Sequence[Any], step: Sequence[Any] = (), **_: Any) -> Any:
        by = step or [None] * len(begin)
        return data[tuple(slice(a, b, c) for a, b, c in zip(begin, end, by, strict=True))]


class SliceAxis(Operator):
    """A range of one axis."""

    def shape(self, data: Tensor, *, axis: int, begin: int, end: int | None, **_: Any) -> Tensor:
        if data.shape is None:
            return data
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        dim = data.shape[at]
        first, last = begin, end
        if isinstance(dim, int):
            first = begin + dim if begin < 0 else begin
            last = dim if end is None else end + dim if end < 0 else end
            # mxnet 1.9.1: Invalid end for end=9 as axis_size is 3; slice, of several axes, cuts such a range instead
            if not 0 <= first < last <= dim:
                message = f"range {begin}..{end} is out of range for dimension {at} of {show(data.shape)}"
                raise ShapeError(R.axis_out_of_range, message, "attr:end" if 0 <= first < dim else "attr:begin", [0])
        length = sliced(dim, first, 1 << 62 if last is None else last, 1)
        return Tensor(data.dtype, (*data.shape[:at], length, *data.shape[at + 1 :]))

    def run(self, data: Any, *, axis: int, begin: int, end: int | None, **_: Any) -> Any:
        view = [slice(None)] * data.ndim
        view[axis] = slice(begin, end)
        return data[tuple(view)]


class SliceLike(Operator):
    """Cut to the size of another tensor, along all axes or the listed ones."""

    inputs = "data shape_like"

    def shape(self, data: Tensor, like: Tensor, *, axes: Sequence[int] = (), **_: Any) -> Tensor:
        if data.shape is None or like.shape is None:
            return Tensor(data.dtype, None if data.shape is None else (None,) * len(data.shape))
        # mxnet 1.9.1 compares numbers of dimensions only where no axes are listed
        if not axes and len(data.shape) != len(like.shape):
            message = f"ranks of `data` {show(data.shape)} and `shape_like` {show(like.shape)} do not match"
            raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
        result = list(data.shape)
        for axis in axes or range(len(data.shape)):
            at = normalise_axis(axis, len(data.shape), "attr:axes", "axes")
            if at >= len(like.shape):
                message = f"axis {axis} in `axes` is out of range for `shape_like` {show(like.shape)}"
                raise ShapeError(R.axis_out_of_range, message, "attr:axes", [1])
            wanted, most = like.shape[at], dims.bounds(data.shape[at])[1]
            if most is not None and dims.bounds(wanted)[0] > most:
                message = f"dimension {at} of `data` {show(data.shape)} is shorter than that of `shape_like` {show(like.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            result[at] = wanted
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, like: Any, *, axes: Sequence[int] = (), **_: Any) -> Any:
        view = [slice(None)] * data.ndim
        for axis in axes or range(data.ndim):
            view[axis] = slice(like.shape[axis])
        return data[tuple(view)]


class Crop(Operator):
    """A window of the image: of a given size, or as large as another image."""

    inputs = "arg+"

    def shape(
        self,
        data: Tensor,
        like: Tensor | None = None,
        *,
        offset: Sequence[int] = (0, 0),
        h_w: Sequence[int] = (0, 0),
        center_crop: bool = False,
        **_: Any,
    ) -> Tensor:
        want_rank(data, "data", 0, 4)
        if data.shape is None:
            return data
        size: Sequence[Dim] = h_w
        if like is not None:
            want_least_rank(like, "crop_like", 1, 4)
            size = like.shape[2:4] if like.shape is not None else (None, None)
        for k in range(2):
            # mxnet 1.9.1 ignores offset with center_crop
            first = 0 if center_crop else offset[k]
            if dims.bounds(size[k])[0] + first > (dims.bounds(data.shape[2 + k])[1] or 1 << 62):
                message = f"window of {show(tuple(size))} at {tuple(offset)} is out of range for {show(data.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return Tensor(data.dtype, (*data.shape[:2], *size[:2]))

    def run(
        self,
        data: Any,
        like: Any = None,
        *,
        offset: Sequence[int] = (0, 0),
        h_w: Sequence[int] = (0, 0),
        center_crop: bool = False,
        **_: Any,
    ) -> Any:
        height, width = like.shape[2:4] if like is not None else h_w
        top, left = ((data.shape[2] - height) // 2, (data.shape[3] - width) // 2) if center_crop else offset
        return data[:, :, top : top + height, left : left + width]
