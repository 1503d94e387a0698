"""Operators that put tensors together or repeat them: concat, tile, broadcast, pad, roll, reverse."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import (
    axes_of,
    merge_shapes,
    normalise_axis,
    same_dtype,
    want_dtype,
    want_rank,
    want_scalar,
)
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Dim, Shape


class Concat(Operator):
    """Tensors one after the other along an axis; all other dimensions are equal."""

    inputs = "in+"
    partial = True

    def shape(self, *tensors: Tensor, axis: int, **_: Any) -> Tensor:
        dtype = same_dtype(tensors, [f"input {k}" for k in range(len(tensors))])
        first = next((k for k, t in enumerate(tensors) if t.shape is not None), None)
        if first is None:
            return Tensor(dtype, None)
        shape = tensors[first].shape or ()
        at = normalise_axis(axis, len(shape), "attr:axis")
        merged: list[Dim] = list(shape)
        merged[at] = 0
        unknown = False
        for k, tensor in enumerate(tensors):
            if tensor.shape is None:
                unknown = True
                continue
            if len(tensor.shape) != len(shape):
                raise ShapeError(
                    R.wrong_rank,
                    f"all inputs must have the same number of dimensions, but input {first} is {show(shape)} and input {k} "
                    f"{show(tensor.shape)}",
                    f"input:{k}",
                    [first, k],
                )
            for d, dim in enumerate(tensor.shape):
                if d == at:
                    merged[d] = dims.add(merged[d], dim)
                elif not dims.compatible(merged[d], dim):
                    raise ShapeError(
                        R.shape_mismatch,
                        f"only dimension {at} may differ between inputs, but dimension {d} of input {k} {show(tensor.shape)} is "
                        f"{show_dim(dim)} and not {show_dim(merged[d])} as in input {first} {show(shape)}",
                        f"input:{k}",
                        [first, k],
                    )
                else:
                    merged[d] = dims.merge(merged[d], dim)
        if unknown:
            merged[at] = dims.interval(dims.bounds(merged[at])[0], None)
        return Tensor(dtype, tuple(merged))

    def value(self, *tensors: Tensor, axis: int, **_: Any) -> Entries | None:
        shapes: list[Any] = [t.shape for t in tensors]
        at = axis % len(shapes[0])
        rows = 1
        for dim in shapes[0][:at]:
            rows *= dim
        chunks = [dims.numel(shape[at:]) or 0 for shape in shapes]
        found: list[Entry] = []
        for row in range(rows):
            for tensor, chunk in zip(tensors, chunks, strict=True):
                value = tensor.value
                found += [None] * chunk if value is None else value[row * chunk : (row + 1) * chunk]
        return tuple(found)

    def run(self, *arrays: Any, axis: int, **_: Any) -> Any:
        return np.concatenate(arrays, axis)


class Tile(Operator):
    """The data repeated along its axes."""

    inputs = "data repeats"
    reads = (1,)

    def shape(self, data: Tensor, repeats: Tensor, **_: Any) -> Tensor:
        want_dtype(repeats, "repeats", 1, "an integer")
        want_rank(repeats, "repeats", 1, 1)
        counts = values.as_dims(repeats)
        if counts is None or data.shape is None:
            return Tensor(data.dtype, None)
        if repeats.value is None:
            return Tensor(data.dtype, (None,) * max(len(counts), len(data.shape)))
        rank = max(len(counts), len(data.shape))
        lengths = (1,) * (rank - len(data.shape)) + data.shape
        times = [1] * (rank - len(counts)) + [_at_least_zero(entry) for entry in counts]
        return Tensor(data.dtype, tuple(map(dims.multiply, lengths, times)))

    def value(self, data: Tensor, repeats: Tensor, **_: Any) -> Entries | None:
        value, counts, shape = data.value, values.numbers(repeats), data.shape
        if value is None or counts is None or shape is None:
            return None
        rank = max(len(counts), len(shape))
        lengths: Any = (1,) * (rank - len(shape)) + shape
        times = [1] * (rank - len(counts)) + [max(int(n), 0) for n in counts]
        steps = values.strides_of(lengths)
        at = [0]
        for length, step, n in zip(lengths, steps, times, strict=True):
            at = [a + k * step for a in at for _ in range(n) for k in range(length)]
        return tuple([value[a] for a in at])

    def run(self, data: Any, repeats: Any, **_: Any) -> Any:
        return np.tile(data, [max(int(n), 0) for n in repeats])


def _at_least_zero(entry: Entry) -> Dim:
    low, high = values.entry_bounds(entry)
    if high is not None and high < 0:
        return 0
    return None if low is None or low < 0 else values.to_dim(entry)


class Broadcast(Operator):
    """The data stretched to a target shape: as NumPy does, in both directions, or along listed axes."""

    inputs = "data target_shape axes_mapping?"
    reads = (1, 2)

    def shape(
        self,
        data: Tensor,
        target: Tensor,
        mapping: Tensor | None = None,
        *,
        mode: str = "numpy",
        strict: bool = True,
        **_: Any,
    ) -> Tensor:
        """Without `strict` a missing axes_mapping makes explicit mode numpy's, and a needless one is passed over."""
        want_dtype(target, "target_shape", 1, "an integer")
        want_rank(target, "target_shape", 1, 1)
        mode = "explicit" if mode == "none" else mode
        if strict and (mapping is None) == (mode == "explicit"):
            wanted = "needs axes_mapping as third input" if mapping is None else "takes no third input (axes_mapping)"
            raise ShapeError(
                R.wrong_input_count, f"mode {mode} {wanted}", "attr:mode" if mapping is None else "input:2"
            )
        if mode == "explicit" and mapping is None:
            mode = "numpy"
        if mode == "explicit":
            assert mapping is not None
            want_dtype(mapping, "axes_mapping", 2, "an integer")
            want_rank(mapping, "axes_mapping", 2, 1)
        lengths = values.as_dims(target)
        if lengths is None:
            return Tensor(data.dtype, None)
        goal: Shape = tuple(_at_least_zero(entry) for entry in lengths)
        for k, entry in enumerate(lengths):
            if not values.fits(entry, 0):
                taken = self._is_taken(data, mapping, lengths, mode)
                raise ShapeError(
                    R.value_out_of_range,
                    f"target_shape holds {show_dim(entry)} at place {k}",
                    "input:1",
                    [1],
                    [Tensor(data.dtype, goal)] if taken else None,
                )
        if mode == "explicit":
            assert mapping is not None
            self._check_mapping(data, goal, mapping, known=target.value is not None)
            return Tensor(data.dtype, goal)
        if data.shape is None:
            return Tensor(data.dtype, goal if mode in ("numpy", "pdpd") else None)
        if mode in ("numpy", "pdpd"):
            return Tensor(
                data.dtype, self._numpy(data.shape, goal, known=target.value is not None) if mode == "numpy" else goal
            )
        return Tensor(data.dtype, self._bidirectional(data.shape, goal))

    @staticmethod
    def _is_taken(data: Tensor, mapping: Tensor | None, lengths: Sequence[Entry], mode: str) -> bool:
        """Whether OpenVINO runs a target below zero (2026.4.1): not -1, only where known data has nothing, or 1, to stretch, and
        has more than one number to copy at a time: else it writes out of bounds.
        """
        shape = data.shape
        if shape is None or not dims.is_known(shape):
            return False
        negative = [k for k, entry in enumerate(lengths) if not values.fits(entry, 0)]
        first = 0 if mode == "pdpd" else len(lengths) - len(shape)
        axes = values.numbers(mapping) if mode == "explicit" else range(first, first + len(shape))
        under = dict(zip(axes or (), shape, strict=False))
        if any(lengths[k] == -1 for k in negative) or not all(
            k < len(lengths) and dim in (1, lengths[k]) for k, dim in under.items()
        ):
            return False
        if mode == "pdpd":
            return len(shape) == len(lengths)
        return any(dim != 1 for k, dim in under.items() if k > negative[-1])

    @staticmethod
    def _check_mapping(data: Tensor, goal: Shape, mapping: Tensor, *, known: bool) -> None:
        if data.shape is None:
            return
        count = mapping.shape[0] if mapping.shape else None
        if not dims.can_be(count, len(data.shape)):
            raise ShapeError(
                R.wrong_value_length,
                f"axes_mapping must list one axis per dimension of data {show(data.shape)}, but it has {show_dim(count)}",
                "input:2",
                [0, 2],
            )
        axes = values.numbers(mapping)
        if axes is None:
            return
        if any(a >= b for a, b in itertools.pairwise(axes)):
            raise ShapeError(R.value_out_of_range, f"axes_mapping {list(axes)} must rise", "input:2", [2])
        for dim, axis in zip(data.shape, axes, strict=True):
            if not 0 <= axis < len(goal):
                raise ShapeError(
                    R.axis_out_of_range,
                    f"axes_mapping names axis {axis}, but target_shape has {len(goal)}",
                    "input:2",
                    [1, 2],
                )
            if not (dims.can_be(dim, 1) or dims.compatible(dim, goal[int(axis)])):
                raise ShapeError(
                    R.shape_mismatch,
                    f"data {show(data.shape)} does not stretch to {show(goal)}: {show_dim(dim)} is "
                    f"laid on {show_dim(goal[int(axis)])}",
                    "input:1",
                    [0, 1],
                )

    @staticmethod
    def _numpy(shape: Shape, goal: Shape, *, known: bool) -> Shape:
        if len(shape) > len(goal):
            raise ShapeError(
                R.shape_mismatch,
                f"data {show(shape)} has more dimensions than target_shape {show(goal)}",
                "input:1",
                [0, 1],
            )
        result = list(goal)
        for k, dim in enumerate(shape, len(goal) - len(shape)):
            if not (dims.can_be(dim, 1) or dims.compatible(dim, goal[k])):
                raise ShapeError(
                    R.shape_mismatch,
                    f"data {show(shape)} does not stretch to {show(goal)}: a dimension of {show_dim(dim)} cannot become "
                    f"{show_dim(goal[k])} (only 1 can)",
                    "input:1",
                    [0, 1],
                )
            if not dims.can_be(dim, 1):
                result[k] = dims.merge(goal[k], dim)
        return tuple(result)

    @staticmethod
    def _bidirectional(shape: Shape, goal: Shape) -> Shape:
        rank = max(len(shape), len(goal))
        left, right = (1,) * (rank - len(shape)) + shape, (1,) * (rank - len(goal)) + goal
        if not all(map(dims.broadcastable, left, right)):
            raise ShapeError(
                R.shape_mismatch,
                f"data {show(shape)} and target_shape {show(goal)} do not broadcast",
                "input:1",
                [0, 1],
            )
        return tuple(map(dims.broadcast, left, right))

    def value(
        self, data: Tensor, target: Tensor, mapping: Tensor | None = None, *, mode: str = "numpy", **attrs: Any
    ) -> Entries | None:
        value, goal = data.value, self.shape(data, target, mapping, mode=mode, strict=False).shape
        if value is None or data.shape is None or not dims.is_known(goal) or goal is None:
            return None
        if len(value) == 1:
            return value * (dims.numel(goal) or 0)
        if mode in ("explicit", "none", "pdpd"):
            return None
        shape: Any = data.shape
        return tuple([value[k] for k in values.broadcast_offsets(shape, goal)])  # type: ignore[arg-type]

    def run(self, data: Any, target: Any, mapping: Any = None, *, mode: str = "numpy", **_: Any) -> Any:
        goal = [int(n) for n in target]
        if mode in ("explicit", "none") and mapping is not None:
            lengths = [1] * len(goal)
            for length, axis in zip(data.shape, mapping, strict=True):
                lengths[int(axis)] = length
            return np.broadcast_to(data.reshape(lengths), goal)
        if mode == "pdpd":
            return np.broadcast_to(data.reshape(data.shape + (1,) * (len(goal) - data.ndim)), goal)
        return np.broadcast_to(data, np.broadcast_shapes(data.shape, tuple(goal)))


class Pad(Operator):
    """Borders around the data; with `pad_mode` constant they may be negative: then they cut."""

    inputs = "data pads_begin pads_end pad_value?"
    reads = (1, 2)

    def shape(
        self,
        data: Tensor,
        begin: Tensor,
        end: Tensor,
        fill: Tensor | None = None,
        *,
        pad_mode: str = "constant",
        **_: Any,
    ) -> Tensor:
        for k, tensor in ((1, begin), (2, end)):
            want_dtype(tensor, self.names[k], k, "an integer")
            want_rank(tensor, self.names[k], k, 1)
            if data.shape is not None and tensor.shape and not dims.can_be(tensor.shape[0], len(data.shape)):
                raise ShapeError(
                    R.wrong_value_length,
                    f"{self.names[k]} must have one number per dimension of data {show(data.shape)}, but has "
                    f"{show_dim(tensor.shape[0])}",
                    f"input:{k}",
                    [0, k],
                )
        if fill is not None and pad_mode == "constant":
            same_dtype((data, fill), ("data", "pad_value"), (0, 3))
            want_scalar(fill, "pad_value", 3, or_single=False)
        if data.shape is None:
            counts = values.as_dims(begin) or values.as_dims(end)
            return Tensor(data.dtype, None if counts is None else (None,) * len(counts))
        before, after = values.as_dims(begin), values.as_dims(end)
        if begin.value is None or end.value is None or before is None or after is None:
            return Tensor(data.dtype, (None,) * len(data.shape))
        result = [self._padded(data.shape, k, before[k], after[k], pad_mode) for k in range(len(data.shape))]
        return Tensor(data.dtype, tuple(result))

    @staticmethod
    def _padded(shape: Shape, k: int, before: Entry, after: Entry, mode: str) -> Dim:
        dim = shape[k]
        total = values.add(values.from_dim(dim), values.add(before, after))
        low, high = values.entry_bounds(total)
        if isinstance(dim, int) and isinstance(before, int) and isinstance(after, int):
            longest = max(before, after)
            if longest > 0:
                allowed = {"edge": 0 if dim == 0 else longest, "reflect": dim - 1, "symmetric": dim}.get(mode, longest)
                if longest > allowed:
                    raise ShapeError(
                        R.value_out_of_range,
                        f"with pad_mode {mode} dimension {k} of {show(shape)} can be padded by at "
                        f"most {max(allowed, 0)}, not {longest}",
                        "input:1" if longest == before else "input:2",
                        [0, 1, 2],
                    )
        if high is not None and high < 0:
            raise ShapeError(
                R.empty_output,
                f"padding by {before} and {after} leaves less than nothing of dimension {k} of {show(shape)}",
                "input:1",
                [0, 1, 2],
            )
        return (
            None
            if low is None and high is None
            else dims.interval(max(int(low or 0), 0), None if high is None else int(high))
        )

    def run(self, data: Any, begin: Any, end: Any, fill: Any = None, *, pad_mode: str = "constant", **_: Any) -> Any:
        sides = [(int(a), int(b)) for a, b in zip(begin, end, strict=True)]
        cut = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(data.shape, sides, strict=True))
        wide = [(max(a, 0), max(b, 0)) for a, b in sides]
        if pad_mode == "constant":
            value = 0 if fill is None else np.asarray(fill).reshape(-1)[0]
            return np.pad(data[cut], wide, constant_values=value)
        return np.pad(data[cut], wide, mode=pad_mode)


def _count(shape: Shape) -> Dim:
    """How many numbers a scalar or vector lists."""
    return shape[0] if shape else 1


class Roll(Operator):
    """Elements moved along axes; what leaves at one end comes in at the other."""

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
                "is a vector, but axes a single number"
                if shift.shape and axes.shape == ()
                else f"lists {show_dim(by)} number{'s' * (by != 1)}, but axes {show_dim(along)}"
            )
            raise ShapeError(R.shape_mismatch, f"shift {what}; each axis needs one", "input:1", [1, 2])
        return data

    def run(self, data: Any, shift: Any, axes: Any, **_: Any) -> Any:
        by, along = np.atleast_1d(shift), np.atleast_1d(axes)
        by = np.broadcast_to(by, along.shape)
        return np.roll(data, tuple(int(n) for n in by), tuple(int(a) for a in along))


class Reverse(Operator):
    """The order turned round along axes: listed, or marked one by one."""

    inputs = "data axes"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, *, mode: str = "index", **_: Any) -> Tensor:
        want_rank(axes, "axes", 1, 1)
        if mode == "mask":
            want_dtype(axes, "axes", 1, "bool")
            if data.shape is not None and axes.shape and not dims.can_be(axes.shape[0], len(data.shape)):
                raise ShapeError(
                    R.wrong_value_length,
                    f"in mask mode axes must have one mark per dimension of {show(data.shape)}, "
                    f"but has {show_dim(axes.shape[0])}",
                    "input:1",
                    [0, 1],
                )
            return data
        want_dtype(axes, "axes", 1, "an integer")
        listed = values.numbers(axes)
        if listed is not None and data.shape is not None:
            for axis in listed:
                normalise_axis(int(axis), len(data.shape), "input:1", "axes")
        return data

    def run(self, data: Any, axes: Any, *, mode: str = "index", **_: Any) -> Any:
        listed = np.flatnonzero(axes) if mode == "mask" else axes
        return np.flip(data, tuple(int(a) for a in listed))


class ReverseSequence(Operator):
    """The first elements of each row turned round, as many as `seq_lengths` says."""

    inputs = "data seq_lengths"

    def shape(self, data: Tensor, lengths: Tensor, *, batch_axis: int = 0, seq_axis: int = 1, **_: Any) -> Tensor:
        want_rank(lengths, "seq_lengths", 1, 1)
        want_dtype(lengths, "seq_lengths", 1, "a number")
        if data.shape is None:
            return data
        batch = normalise_axis(batch_axis, len(data.shape), "attr:batch_axis", "batch_axis")
        normalise_axis(seq_axis, len(data.shape), "attr:seq_axis", "seq_axis")
        if lengths.shape is None:
            return data
        if not dims.compatible(data.shape[batch], lengths.shape[0]):
            raise ShapeError(
                R.shape_mismatch,
                f"seq_lengths {show(lengths.shape)} must have one number per row along batch_axis "
                f"{batch} of data {show(data.shape)}",
                "input:1",
                [0, 1],
            )
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


class SumOf(Operator):
    """The sum of tensors of one shape."""

    inputs = "arg+"

    def shape(self, *tensors: Tensor, **_: Any) -> Tensor:
        dtype = same_dtype(tensors, [f"input {k}" for k in range(len(tensors))])
        merged = tensors[0]
        for k, tensor in enumerate(tensors[1:], 1):
            merged = Tensor(dtype, merge_shapes(merged, tensor, ("input 0", f"input {k}"), (0, k)))
        return Tensor(dtype, merged.shape)

    def run(self, *arrays: Any, **_: Any) -> Any:
        total = arrays[0].copy()
        for array in arrays[1:]:
            total += array
        return total
