"""Elements in another order along axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, want_dtype, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class _AlongAxes(Operator):
    """The shape is unchanged; an attribute lists the axes."""

    def shape(self, data: Tensor, *, axis: Sequence[int] | None = None, **_: Any) -> Tensor:
        if data.shape is not None:
            for a in axis or ():
                normalise_axis(a, len(data.shape), "attr:axis")
        return data


class Flip(_AlongAxes):
    """Reverse along axes."""

    def run(self, data: Any, *, axis: Sequence[int] | None = None, **_: Any) -> Any:
        if axis is None:
            return np.flip(data)
        listed = [a % data.ndim for a in axis]
        # mxnet 1.9.1: an axis that is listed twice is reversed twice
        return np.flip(data, tuple(a for a in sorted(set(listed)) if listed.count(a) % 2))


def _count(shape: Shape) -> Dim:
    """Return the number of elements of a scalar or vector."""
    return shape[0] if shape else 1


class Roll(Operator):
    """Roll along axes: elements that leave at one end enter at the other."""

    inputs = "data shift axes"
    reads = (1, 2)

    def shape(self, data: Tensor, shift: Tensor, axes: Tensor, **_: Any) -> Tensor:
        for k, tensor in ((1, shift), (2, axes)):
            want_dtype(tensor, self.names[k], k, "int32 or int64")
            want_rank(tensor, self.names[k], k, 0, 1)
        axes_of(axes, data.rank, 2, unique=False)
        if shift.shape is None or axes.shape is None:
            return data
        by, along = _count(shift.shape), _count(axes.shape)
        # a vector beside a scalar is refused on reading, one shift for more axes by the CPU plug-in (OpenVINO 2026.4.1)
        if (shift.shape and axes.shape == ()) or not dims.compatible(by, along):
            what = (
                "`shift` is a vector, but `axes` a scalar"
                if shift.shape and axes.shape == ()
                else f"lengths of `shift` ({show_dim(by)}) and `axes` ({show_dim(along)}) do not match"
            )
            raise ShapeError(R.shape_mismatch, what, "input:1", [1, 2])
        return data

    def run(self, data: Any, shift: Any, axes: Any, **_: Any) -> Any:
        by, along = np.atleast_1d(shift), np.atleast_1d(axes)
        by = np.broadcast_to(by, along.shape)
        return np.roll(data, tuple(int(n) for n in by), tuple(int(a) for a in along))


class Reverse(Operator):
    """Reverse along axes: listed, or marked with flags."""

    inputs = "data axes"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, *, mode: str = "index", **_: Any) -> Tensor:
        want_rank(axes, "axes", 1, 1)
        if mode == "mask":
            want_dtype(axes, "axes", 1, "bool")
            if data.shape is not None and axes.shape and not dims.can_be(axes.shape[0], len(data.shape)):
                message = (
                    f"expected one flag per dimension of {show(data.shape)} in `axes` for mode `mask`, got "
                    f"{show_dim(axes.shape[0])}"
                )
                raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
            return data
        want_dtype(axes, "axes", 1, "an integer type")
        listed = values.numbers(axes)
        if listed is not None and data.shape is not None:
            for axis in listed:
                normalise_axis(int(axis), len(data.shape), "input:1", "axes")
        return data

    def run(self, data: Any, axes: Any, *, mode: str = "index", **_: Any) -> Any:
        listed = np.flatnonzero(axes) if mode == "mask" else axes
        return np.flip(data, tuple(int(a) for a in listed))


class ReverseSequence(Operator):
    """Reverse the first `seq_lengths` elements of each row."""

    inputs = "data seq_lengths"
    reads = (1,)

    def shape(
        self,
        data: Tensor,
        lengths: Tensor,
        *,
        batch_axis: int = 0,
        seq_axis: int = 1,
        strict: bool = False,
        **_: Any,
    ) -> Tensor:
        want_rank(lengths, "seq_lengths", 1, 1)
        want_dtype(lengths, "seq_lengths", 1, "a numeric type")
        if data.shape is None:
            return data
        batch = normalise_axis(batch_axis, len(data.shape), "attr:batch_axis", "batch_axis")
        along = normalise_axis(seq_axis, len(data.shape), "attr:seq_axis", "seq_axis")
        if strict and along == batch:
            message = f"`seq_axis` and `batch_axis` are both {along}"
            raise ShapeError(R.axis_out_of_range, message, "attr:seq_axis")
        if lengths.shape is None:
            return data
        if not dims.compatible(data.shape[batch], lengths.shape[0]):
            message = (
                f"expected one number per row along `batch_axis` {batch} of `data` {show(data.shape)} in "
                f"`seq_lengths`, got {show(lengths.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        most = dims.bounds(data.shape[along])[1]
        for length in (lengths.value or ()) if strict and most is not None else ():
            if not values.fits(length, 0, most):
                message = f"expected 0 to {most} in `seq_lengths` for `data` {show(data.shape)}, got {show_dim(length)}"
                raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])
        merged = list(data.shape)
        merged[batch] = dims.merge(data.shape[batch], lengths.shape[0])
        return Tensor(data.dtype, tuple(merged))

    def run(self, data: Any, lengths: Any, *, batch_axis: int = 0, seq_axis: int = 1, **_: Any) -> Any:
        moved = np.moveaxis(data, (batch_axis, seq_axis), (0, 1))
        places = np.arange(moved.shape[1])
        wanted = lengths.astype(np.int64)[:, None]
        order = np.where(places < wanted, wanted - 1 - places, places)
        turned = moved[np.arange(moved.shape[0])[:, None], order]
        return np.moveaxis(turned, (0, 1), (batch_axis, seq_axis))


class RollBy(_AlongAxes):
    """Roll with attributes: along axes, or of the flattened tensor."""

    def run(self, data: Any, *, shift: Sequence[int], axis: Sequence[int] | None = None, **_: Any) -> Any:
        if axis is None:
            return np.roll(data, sum(shift))
        return np.roll(data, shift if len(shift) == len(axis) else shift[0], tuple(axis))
