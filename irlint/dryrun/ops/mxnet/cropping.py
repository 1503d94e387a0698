"""Slices with ranges from attributes or another tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import replaced, show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, want_least_rank, want_rank
from irlint.dryrun.ops.moving.slicing import sliced
from irlint.dryrun.ops.shaped import FromShape
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


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

    def run(self, data: Any, **ranges: Any) -> Any:
        return data[view_of(**ranges)]


def view_of(*, begin: Sequence[Any], end: Sequence[Any], step: Sequence[Any] = (), **_: Any) -> tuple[slice, ...]:
    """Return ranges of the first axes as NumPy has them."""
    return tuple(map(slice, begin, end, step or [None] * len(begin)))


class SliceAxis(FromShape):
    """A range of one axis."""

    def made(self, shape: Shape, /, *, axis: int, begin: int, end: int | None, **_: Any) -> Shape:
        at = normalise_axis(axis, len(shape), "attr:axis")
        dim = shape[at]
        first, last = begin, end
        if isinstance(dim, int):
            first = begin + dim if begin < 0 else begin
            last = dim if end is None else end + dim if end < 0 else end
            # mxnet 1.9.1: Invalid end for end=9 as axis_size is 3; slice, of several axes, cuts such a range instead
            if not 0 <= first < last <= dim:
                message = f"range {begin}..{end} is out of range for dimension {at} of {show(shape)}"
                raise ShapeError(R.axis_out_of_range, message, "attr:end" if 0 <= first < dim else "attr:begin", [0])
        return replaced(shape, at, sliced(dim, first, 1 << 62 if last is None else last, 1))

    def run(self, data: Any, *, axis: int, begin: int, end: int | None, **_: Any) -> Any:
        view = [slice(None)] * data.ndim
        view[axis] = slice(begin, end)
        return data[tuple(view)]


class SliceLike(FromShape):
    """Cut to the size of another tensor, along all axes or the listed ones."""

    inputs = "data shape_like"

    def made(self, shape: Shape, like: Tensor, /, *, axes: Sequence[int] = (), **_: Any) -> Shape:
        if like.shape is None:
            return (None,) * len(shape)
        # mxnet 1.9.1 compares numbers of dimensions only where no axes are listed
        if not axes and len(shape) != len(like.shape):
            message = f"ranks of `data` {show(shape)} and `shape_like` {show(like.shape)} do not match"
            raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
        result = list(shape)
        for axis in axes or range(len(shape)):
            at = normalise_axis(axis, len(shape), "attr:axes", "axes")
            if at >= len(like.shape):
                message = f"axis {axis} in `axes` is out of range for `shape_like` {show(like.shape)}"
                raise ShapeError(R.axis_out_of_range, message, "attr:axes", [1])
            wanted, most = like.shape[at], dims.bounds(shape[at])[1]
            if most is not None and dims.bounds(wanted)[0] > most:
                message = (
                    f"dimension {at} of `data` {show(shape)} is shorter than that of `shape_like` {show(like.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            result[at] = wanted
        return tuple(result)

    def run(self, data: Any, like: Any, *, axes: Sequence[int] = (), **_: Any) -> Any:
        view = [slice(None)] * data.ndim
        for axis in axes or range(data.ndim):
            view[axis] = slice(like.shape[axis])
        return data[tuple(view)]


class Crop(FromShape):
    """A window of the image: of a given size, or as large as another image."""

    inputs = "arg+"

    def made(
        self,
        shape: Shape,
        like: Tensor | None = None,
        /,
        *,
        offset: Sequence[int] = (0, 0),
        h_w: Sequence[int] = (0, 0),
        center_crop: bool = False,
        **_: Any,
    ) -> Shape:
        want_rank(Tensor(None, shape), "data", 0, 4)
        size: Sequence[Dim] = h_w
        if like is not None:
            want_least_rank(like, "crop_like", 1, 4)
            size = like.shape[2:4] if like.shape is not None else (None, None)
        for k in range(2):
            # mxnet 1.9.1 ignores offset with center_crop
            first = 0 if center_crop else offset[k]
            if dims.bounds(size[k])[0] + first > (dims.bounds(shape[2 + k])[1] or 1 << 62):
                message = f"window of {show(tuple(size))} at {tuple(offset)} is out of range for {show(shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return (*shape[:2], *size[:2])

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
