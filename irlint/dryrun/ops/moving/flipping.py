"""Elements in another order along axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import replaced, show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, merge_dims, normalise_axis, want_axes, want_dtype
from irlint.dryrun.ops.shaped import Alike, FromShape
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class _AlongAxes(Alike):
    """An attribute lists the axes."""

    def check(self, data: Tensor, *_: Any, axis: Sequence[int] | None = None, negative: bool = True, **__: Any) -> None:
        want_axes(data, axis or (), negative=negative)


class Flip(_AlongAxes):
    """Reverse along axes."""

    def run(self, data: Any, *, axis: Sequence[int] | None = None, **_: Any) -> Any:
        if axis is None:
            return np.flip(data)
        listed = [a % data.ndim for a in axis]
        # mxnet 1.9.1: an axis that is listed twice is reversed twice
        return np.flip(data, tuple(a for a in sorted(set(listed)) if listed.count(a) % 2))


class Roll(Operator):
    """Roll along axes: elements that leave at one end enter at the other."""

    inputs = "data shift:[]|[_]/index axes:[]|[_]/index"
    reads = (1, 2)

    def shape(self, data: Tensor, shift: Tensor, axes: Tensor, **_: Any) -> Tensor:
        self.match(data, shift, axes)
        axes_of(axes, data.rank, 2, unique=False)
        if shift.shape is None or axes.shape is None:
            return data
        by, along = dims.product(shift.shape), dims.product(axes.shape)
        # a vector beside a scalar is refused on reading, one shift for more axes by the CPU plug-in (OpenVINO 2026.4.1)
        what = f"lengths of `shift` ({show_dim(by)}) and `axes` ({show_dim(along)}) do not match"
        if shift.shape and not axes.shape:
            what = "`shift` is a vector, but `axes` a scalar"
        elif dims.compatible(by, along):
            return data
        raise ShapeError(R.shape_mismatch, what, "input:1", [1, 2])

    def run(self, data: Any, shift: Any, axes: Any, **_: Any) -> Any:
        by, along = np.atleast_1d(shift), np.atleast_1d(axes)
        by = np.broadcast_to(by, along.shape)
        return np.roll(data, tuple(int(n) for n in by), tuple(int(a) for a in along))


class Reverse(Operator):
    """Reverse along axes: listed, or marked with flags."""

    inputs = "data axes:[_]"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, *, mode: str = "index", **_: Any) -> Tensor:
        self.match(data, axes)
        want_dtype(axes, "axes", 1, "bool" if mode == "mask" else "an integer type")
        if data.shape is None:
            return data
        rank = len(data.shape)
        if mode != "mask":
            for axis in values.numbers(axes) or ():
                normalise_axis(int(axis), rank, "input:1", "axes")
        elif axes.shape and not dims.can_be(axes.shape[0], rank):
            wanted, got = f"one flag per dimension of {show(data.shape)}", show_dim(axes.shape[0])
            message = f"expected {wanted} in `axes` for mode `mask`, got {got}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        return data

    def run(self, data: Any, axes: Any, *, mode: str = "index", **_: Any) -> Any:
        listed = np.flatnonzero(axes) if mode == "mask" else axes
        return np.flip(data, tuple(int(a) for a in listed))


class ReverseSequence(FromShape):
    """Reverse the first `seq_lengths` elements of each row."""

    inputs = "data seq_lengths:[_]/numbers"
    reads = (1,)
    kernel = "gathering.reverse_sequence"

    def made(
        self,
        shape: Shape,
        lengths: Tensor,
        /,
        *,
        batch_axis: int = 0,
        seq_axis: int = 1,
        strict: bool = False,
        **_: Any,
    ) -> Shape:
        batch = normalise_axis(batch_axis, len(shape), "attr:batch_axis", "batch_axis")
        along = normalise_axis(seq_axis, len(shape), "attr:seq_axis", "seq_axis")
        if strict and along == batch:
            message = f"`seq_axis` and `batch_axis` are both {along}"
            raise ShapeError(R.axis_out_of_range, message, "attr:seq_axis")
        if lengths.shape is None:
            return shape
        message = (
            f"expected one number per row along `batch_axis` {batch} of `data` {show(shape)} in `seq_lengths`, got "
            f"{show(lengths.shape)}"
        )
        rows = merge_dims(shape[batch], lengths.shape[0], message, 1, [0, 1])
        most = dims.bounds(shape[along])[1]
        for length in (lengths.value or ()) if strict and most is not None else ():
            if not values.fits(length, 0, most):
                message = f"expected 0 to {most} in `seq_lengths` for `data` {show(shape)}, got {show_dim(length)}"
                raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])
        return replaced(shape, batch, rows)


class RollBy(_AlongAxes):
    """Roll with attributes: along axes, or of the flattened tensor."""

    def run(self, data: Any, *, shift: Sequence[int], axis: Sequence[int] | None = None, **_: Any) -> Any:
        if axis is None:
            return np.roll(data, sum(shift))
        return np.roll(data, shift if len(shift) == len(axis) else shift[0], tuple(axis))
