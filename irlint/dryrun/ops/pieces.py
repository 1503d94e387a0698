"""Slices, splits, stacks, repetitions, padding and stretching, told by attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_shapes, normalise_axis, same_dtype, want_count, want_rank
from irlint.dryrun.ops.slicing import sliced
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
            raise ShapeError(
                R.wrong_value_length,
                f"begin has {len(begin)} numbers and end {len(end)}; there must be as many, {len(data.shape)} at most",
                "attr:begin",
                [0],
            )
        if step and len(step) != len(begin):
            raise ShapeError(
                R.wrong_value_length, f"step has {len(step)} numbers, but begin has {len(begin)}", "attr:step"
            )
        result = list(data.shape)
        empty = ""
        for axis, (first, last, by) in enumerate(zip(begin, end, step or [None] * len(begin), strict=True)):
            found = self._range(data.shape[axis], first, last, 1 if by is None else by)
            if found == 0 and data.shape[axis] != 0:
                empty = f"the range {first}..{last} (step {by or 1}) of dimension {axis} of {show(data.shape)} holds nothing"
                found = None
            result[axis] = found
        cut = Tensor(data.dtype, tuple(result))
        if empty:
            raise ShapeError(R.empty_output, empty, "attr:begin", [0], outputs=[cut] if empty_runs else None)
        return cut

    @staticmethod
    def _range(dim: Dim, first: Any, last: Any, by: int) -> Dim:
        if by == 0:
            raise ShapeError(R.value_out_of_range, "step holds a 0", "attr:step")
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
            if not 0 <= first < last <= dim:
                raise ShapeError(
                    R.axis_out_of_range,
                    f"the range {begin}..{end} does not lie within dimension {at} of {show(data.shape)}",
                    "attr:end" if 0 <= first < dim else "attr:begin",
                    [0],
                )
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
        if not axes and len(data.shape) != len(like.shape):
            raise ShapeError(
                R.wrong_rank,
                f"data {show(data.shape)} and shape_like {show(like.shape)} must have one number of dimensions",
                "input:1",
                [0, 1],
            )
        result = list(data.shape)
        for axis in axes or range(len(data.shape)):
            at = normalise_axis(axis, len(data.shape), "attr:axes", "axes")
            if at >= len(like.shape):
                raise ShapeError(
                    R.axis_out_of_range,
                    f"axes names {axis}, but shape_like {show(like.shape)} has no such axis",
                    "attr:axes",
                    [1],
                )
            wanted = like.shape[at]
            if (
                dims.bounds(wanted)[0] > (dims.bounds(data.shape[at])[1] or 0)
                and dims.bounds(data.shape[at])[1] is not None
            ):
                raise ShapeError(
                    R.shape_mismatch,
                    f"dimension {at} of data {show(data.shape)} is shorter than that of shape_like {show(like.shape)}",
                    "input:1",
                    [0, 1],
                )
            result[at] = wanted
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, like: Any, *, axes: Sequence[int] = (), **_: Any) -> Any:
        view = [slice(None)] * data.ndim
        for axis in axes or range(data.ndim):
            view[axis] = slice(like.shape[axis])
        return data[tuple(view)]


class SplitEqual(Operator):
    """Equal parts along an axis; `squeeze_axis` drops it where a part is 1 long."""

    def shape(
        self,
        data: Tensor,
        *,
        num_outputs: int,
        axis: int = 1,
        squeeze_axis: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        want_count(num_outputs, "num_outputs")
        if data.shape is None:
            return [Tensor(data.dtype, None)] * num_outputs
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        dim = data.shape[at]
        if squeeze_axis and not dims.can_be(dim, num_outputs):
            raise ShapeError(
                R.shape_mismatch,
                f"with squeeze_axis dimension {at} of {show(data.shape)} must be {num_outputs}, so that every part is 1 long",
                "attr:num_outputs",
                [0],
            )
        if not dims.divisible(dim, num_outputs):
            raise ShapeError(
                R.shape_mismatch,
                f"dimension {at} of {show(data.shape)} is {show_dim(dim)}, which cannot be split into {num_outputs} equal parts",
                "attr:num_outputs",
                [0],
            )
        part = () if squeeze_axis else (dims.exact_divide(dim, num_outputs),)
        return [Tensor(data.dtype, (*data.shape[:at], *part, *data.shape[at + 1 :]))] * num_outputs

    def run(self, data: Any, *, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, **_: Any) -> Any:
        parts = np.split(data, num_outputs, axis)
        return [np.squeeze(part, axis) for part in parts] if squeeze_axis else list(parts)


class SplitAt(Operator):
    """Parts along an axis that begin at listed places."""

    def shape(
        self, data: Tensor, *, indices: Sequence[int], axis: int = 0, squeeze_axis: bool = False, **_: Any
    ) -> list[Tensor]:
        starts = list(indices)
        if not starts:
            raise ShapeError(
                R.value_out_of_range, "indices is empty; it must hold where the first part begins", "attr:indices"
            )
        if data.shape is None:
            return [Tensor(data.dtype, None)] * len(starts)
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        ends: list[Any] = [*starts[1:], data.shape[at]]
        found = []
        for first, last in zip(starts, ends, strict=True):
            length = dims.subtract(last, first)
            if isinstance(length, int) and length <= 0:
                raise ShapeError(
                    R.empty_output,
                    f"the part from {first} to {last} of dimension {at} of {show(data.shape)} is empty",
                    "attr:indices",
                    [0],
                )
            if squeeze_axis and not dims.can_be(length, 1):
                raise ShapeError(
                    R.shape_mismatch,
                    f"with squeeze_axis every part must be 1 long, but {first}..{show_dim(last)} is {show_dim(length)}",
                    "attr:indices",
                    [0],
                )
            part = () if squeeze_axis else (length,)
            found.append(Tensor(data.dtype, (*data.shape[:at], *part, *data.shape[at + 1 :])))
        return found

    def run(self, data: Any, *, indices: Sequence[int], axis: int = 0, squeeze_axis: bool = False, **_: Any) -> Any:
        parts = np.split(data, list(indices)[1:], axis)
        return [np.squeeze(part, axis) if squeeze_axis else part for part in parts]


class Stack(Operator):
    """Tensors of one shape along a new axis. `counted`: of as many elements as the first, taken for its shape."""

    inputs = "arg+"

    def shape(self, *tensors: Tensor, axis: int = 0, counted: bool = False, **_: Any) -> Tensor:
        dtype = same_dtype(tensors, [f"input {k}" for k in range(len(tensors))])
        merged = tensors[0]
        other: ShapeError | None = None
        for k, tensor in enumerate(tensors[1:], 1):
            try:
                merged = Tensor(dtype, merge_shapes(merged, tensor, ("input 0", f"input {k}"), (0, k)))
            except ShapeError as error:
                count = dims.numel(merged.shape) if counted else None
                if not isinstance(count, int) or count != dims.numel(tensor.shape):
                    raise
                other = other or error
        if merged.shape is None:
            return Tensor(dtype, None)
        at = normalise_axis(axis, len(merged.shape) + 1, "attr:axis")
        result = Tensor(dtype, (*merged.shape[:at], len(tensors), *merged.shape[at:]))
        if other is not None:
            other.outputs = (result,)
            raise other
        return result

    def run(self, *arrays: Any, axis: int = 0, **_: Any) -> Any:
        return np.stack([array.reshape(arrays[0].shape) for array in arrays], axis)


class Repeat(Operator):
    """Every element several times in a row."""

    def shape(self, data: Tensor, *, repeats: int, axis: int | None = None, **_: Any) -> Tensor:
        if repeats < 0:
            raise ShapeError(R.value_out_of_range, f"repeats is {repeats}; it must not be negative", "attr:repeats")
        if data.shape is None:
            return Tensor(data.dtype, None if axis is not None else (None,))
        if axis is None:
            return Tensor(data.dtype, (dims.multiply(dims.product(data.shape), repeats),))
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        return Tensor(data.dtype, (*data.shape[:at], dims.multiply(data.shape[at], repeats), *data.shape[at + 1 :]))

    def run(self, data: Any, *, repeats: int, axis: int | None = None, **_: Any) -> Any:
        return np.repeat(data, repeats, axis)


class TileReps(Operator):
    """The whole tensor several times along its axes."""

    def shape(self, data: Tensor, *, reps: Sequence[int], **_: Any) -> Tensor:
        if data.shape is None:
            return data
        rank = max(len(reps), len(data.shape))
        lengths = (1,) * (rank - len(data.shape)) + data.shape
        return Tensor(data.dtype, tuple(map(dims.multiply, lengths, [*[1] * (rank - len(reps)), *reps])))

    def run(self, data: Any, *, reps: Sequence[int], **_: Any) -> Any:
        return np.tile(data, tuple(reps))


class PadWidths(Operator):
    """Borders: constant, the edge repeated, or mirrored; widths are before and after of every axis."""

    def shape(self, data: Tensor, *, pad_width: Sequence[int], mode: str = "constant", **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, (None,) * (len(pad_width) // 2))
        if len(pad_width) != 2 * len(data.shape):
            raise ShapeError(
                R.wrong_value_length,
                f"pad_width must have two numbers per dimension of {show(data.shape)}, but has {len(pad_width)}",
                "attr:pad_width",
                [0],
            )
        result = []
        for k, dim in enumerate(data.shape):
            before, after = pad_width[2 * k], pad_width[2 * k + 1]
            if mode == "reflect" and isinstance(dim, int) and max(before, after) > dim - 1:
                raise ShapeError(
                    R.value_out_of_range,
                    f"mirrored, dimension {k} of {show(data.shape)} can be padded by at most {dim - 1}, not {max(before, after)}",
                    "attr:pad_width",
                    [0],
                )
            total = before + after
            result.append(dims.add(dim, total) if total >= 0 else dims.subtract(dim, -total))
        return Tensor(data.dtype, tuple(result))

    def run(
        self, data: Any, *, pad_width: Sequence[int], mode: str = "constant", constant_value: float = 0, **_: Any
    ) -> Any:
        widths = [(pad_width[2 * k], pad_width[2 * k + 1]) for k in range(data.ndim)]
        if mode == "constant":
            return np.pad(data, widths, constant_values=constant_value)
        return np.pad(data, widths, mode=mode)


class BroadcastTo(Operator):
    """Dimensions of length 1 stretched; 0 in the target keeps one."""

    def shape(self, data: Tensor, *, shape: Sequence[int], same_rank: bool = False, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, tuple(n if n > 0 else None for n in shape))
        if len(shape) < len(data.shape) or (same_rank and len(shape) != len(data.shape)):
            raise ShapeError(
                R.wrong_value_length,
                f"shape {tuple(shape)} must have one number per dimension of {show(data.shape)}",
                "attr:shape",
                [0],
            )
        goal = (0,) * (len(data.shape) - len(shape)) + tuple(shape)
        lengths = (1,) * (len(goal) - len(data.shape)) + data.shape
        result = []
        for k, (dim, wanted) in enumerate(zip(lengths, goal, strict=True)):
            if wanted and not (dims.can_be(dim, 1) or dims.can_be(dim, wanted)):
                raise ShapeError(
                    R.shape_mismatch,
                    f"dimension {k} of {show(data.shape)} is {show_dim(dim)} and cannot be stretched to {wanted} (only 1 can)",
                    "attr:shape",
                    [0],
                )
            result.append(wanted or dim)
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, *, shape: Sequence[int], **_: Any) -> Any:
        return np.broadcast_to(data, self.shape(Tensor(None, data.shape), shape=shape).shape)


class BroadcastAxes(Operator):
    """Listed dimensions of length 1 stretched to listed sizes."""

    def shape(self, data: Tensor, *, axis: Sequence[int], size: Sequence[int], **_: Any) -> Tensor:
        if len(axis) != len(size):
            raise ShapeError(
                R.wrong_value_length, f"axis has {len(axis)} numbers, but size has {len(size)}", "attr:size"
            )
        if data.shape is None:
            return data
        result = list(data.shape)
        for a, n in zip(axis, size, strict=True):
            at = normalise_axis(a, len(data.shape), "attr:axis")
            if not dims.can_be(data.shape[at], 1):
                raise ShapeError(
                    R.shape_mismatch,
                    f"dimension {at} of {show(data.shape)} is {show_dim(data.shape[at])}; only 1 can be stretched",
                    "attr:axis",
                    [0],
                )
            result[at] = n
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, *, axis: Sequence[int], size: Sequence[int], **_: Any) -> Any:
        return np.broadcast_to(data, self.shape(Tensor(None, data.shape), axis=axis, size=size).shape)


class BroadcastLike(Operator):
    """Stretched to the size of another tensor."""

    inputs = "lhs rhs"

    def shape(
        self,
        a: Tensor,
        b: Tensor,
        *,
        lhs_axes: Sequence[int] | None = None,
        rhs_axes: Sequence[int] | None = None,
        **_: Any,
    ) -> Tensor:
        if a.shape is None or b.shape is None:
            return Tensor(a.dtype, None)
        if lhs_axes is None or rhs_axes is None:
            if len(a.shape) != len(b.shape):
                raise ShapeError(
                    R.wrong_rank,
                    f"lhs {show(a.shape)} and rhs {show(b.shape)} must have one number of dimensions",
                    "input:1",
                    [0, 1],
                )
            pairs = [(k, k) for k in range(len(a.shape))]
        else:
            pairs = [
                (normalise_axis(i, len(a.shape), "attr:lhs_axes"), normalise_axis(j, len(b.shape), "attr:rhs_axes"))
                for i, j in zip(lhs_axes, rhs_axes, strict=False)
            ]
        result = list(a.shape)
        for i, j in pairs:
            if not (dims.can_be(a.shape[i], 1) or dims.compatible(a.shape[i], b.shape[j])):
                raise ShapeError(
                    R.shape_mismatch,
                    f"dimension {i} of lhs {show(a.shape)} cannot be stretched to that of rhs {show(b.shape)}",
                    "input:1",
                    [0, 1],
                )
            result[i] = b.shape[j]
        return Tensor(a.dtype, tuple(result))

    def run(self, a: Any, b: Any, **attrs: Any) -> Any:
        return np.broadcast_to(a, self.shape(Tensor(None, a.shape), Tensor(None, b.shape), **attrs).shape)


class Flip(Operator):
    """The order turned round along axes."""

    def shape(self, data: Tensor, *, axis: Sequence[int] | None, **_: Any) -> Tensor:
        if data.shape is not None:
            for a in axis or ():
                normalise_axis(a, len(data.shape), "attr:axis")
        return data

    def run(self, data: Any, *, axis: Sequence[int] | None, **_: Any) -> Any:
        return np.flip(data, None if axis is None else tuple(axis))


class Diagonal(Operator):
    """A vector on the diagonal of a matrix, or the diagonal of a tensor. With `ranks` as NumPy has it: of tensors of these
    ranks only, and empty however far it lies outside."""

    def shape(
        self, data: Tensor, *, k: int = 0, axis1: int = 0, axis2: int = 1, ranks: Sequence[int] = (), **_: Any
    ) -> Tensor:
        if ranks:
            want_rank(data, "data", 0, *ranks)
        if data.shape is None:
            return data
        if len(data.shape) == 1:
            side = dims.add(data.shape[0], abs(k))
            return Tensor(data.dtype, (side, side))
        a, b = (
            normalise_axis(axis1, len(data.shape), "attr:axis1", "axis1"),
            normalise_axis(axis2, len(data.shape), "attr:axis2", "axis2"),
        )
        if a == b:
            raise ShapeError(R.axis_out_of_range, f"axis1 and axis2 are both {a}", "attr:axis2")
        rows, columns = data.shape[a], data.shape[b]
        length: Dim = None
        if isinstance(rows, int) and isinstance(columns, int):
            length = min(rows, columns - k) if k > 0 else min(rows + k, columns)
        runs = bool(ranks) or length == 0
        rest = [dim for n, dim in enumerate(data.shape) if n not in (a, b)]
        if isinstance(length, int) and length <= 0 and 0 not in (rows, columns):
            outputs = [Tensor(data.dtype, (*rest, None))] if runs else None
            raise ShapeError(R.empty_output, f"{show(data.shape)} has no diagonal {k}", "attr:k", [0], outputs)
        return Tensor(data.dtype, (*rest, length))

    def run(self, data: Any, *, k: int = 0, axis1: int = 0, axis2: int = 1, **_: Any) -> Any:
        return np.diag(data, k) if data.ndim == 1 else np.diagonal(data, k, axis1, axis2)


class ExpandLike(Operator):
    """New axes put in and stretched, so that the data looks like another tensor."""

    inputs = "input shape_like"

    def shape(self, data: Tensor, like: Tensor, *, axis: Sequence[int] = (), exclude: bool = False, **_: Any) -> Tensor:
        if data.shape is None or like.shape is None:
            return Tensor(data.dtype, like.shape)
        new = self.new_axes(len(like.shape), axis, exclude)
        kept = [dim for k, dim in enumerate(like.shape) if k not in new]
        if len(kept) != len(data.shape) or not all(
            dims.can_be(dim, 1) or dims.compatible(dim, wanted) for dim, wanted in zip(data.shape, kept, strict=True)
        ):
            raise ShapeError(
                R.shape_mismatch,
                f"input {show(data.shape)} with new axes {sorted(new)} does not fit shape_like {show(like.shape)}",
                "input:1",
                [0, 1],
            )
        return Tensor(data.dtype, like.shape)

    @staticmethod
    def new_axes(rank: int, axis: Sequence[int], exclude: bool) -> set[int]:
        listed = {normalise_axis(a, rank, "attr:axis") for a in axis}
        return set(range(rank)) - listed if exclude else listed

    def run(self, data: Any, like: Any, *, axis: Sequence[int] = (), exclude: bool = False, **_: Any) -> Any:
        new = self.new_axes(like.ndim, axis, exclude)
        return np.broadcast_to(np.expand_dims(data, tuple(sorted(new))), like.shape)


class CollapseLike(Operator):
    """What was stretched summed up again."""

    inputs = "data as"

    def shape(self, data: Tensor, like: Tensor, **_: Any) -> Tensor:
        return Tensor(data.dtype, like.shape)

    def run(self, data: Any, like: Any, **_: Any) -> Any:
        while data.ndim > like.ndim:
            data = data.sum(0)
        axes = tuple(k for k, (a, b) in enumerate(zip(data.shape, like.shape, strict=True)) if a != b)
        return data.sum(axes, keepdims=True) if axes else data
