"""Tensors stretched, and what was stretched summed up again."""

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
from irlint.dryrun.ops.common import normalise_axis, want_dtype, want_rank
from irlint.dryrun.ops.tiling import _at_least_zero
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Shape


class BroadcastTo(Operator):
    """Dimensions of length 1 stretched; 0 in the target keeps one."""

    def shape(self, data: Tensor, *, shape: Sequence[int], same_rank: bool = False, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, tuple(n if n > 0 else None for n in shape))
        if len(shape) < len(data.shape) or (same_rank and len(shape) != len(data.shape)):
            message = f"expected one number per dimension of {show(data.shape)} in `shape`, got {tuple(shape)}"
            raise ShapeError(R.wrong_value_length, message, "attr:shape", [0])
        goal = (0,) * (len(data.shape) - len(shape)) + tuple(shape)
        lengths = (1,) * (len(goal) - len(data.shape)) + data.shape
        result = []
        for k, (dim, wanted) in enumerate(zip(lengths, goal, strict=True)):
            if wanted and not (dims.can_be(dim, 1) or dims.can_be(dim, wanted)):
                message = f"dimension {k} of {show(data.shape)} is {show_dim(dim)} and does not broadcast to {wanted}"
                raise ShapeError(R.shape_mismatch, message, "attr:shape", [0])
            result.append(wanted or dim)
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, *, shape: Sequence[int], **_: Any) -> Any:
        return np.broadcast_to(data, self.shape(Tensor(None, data.shape), shape=shape).shape)


class BroadcastAxes(Operator):
    """Listed dimensions of length 1 stretched to listed sizes."""

    def shape(self, data: Tensor, *, axis: Sequence[int], size: Sequence[int], **_: Any) -> Tensor:
        if len(axis) != len(size):
            raise ShapeError(
                R.wrong_value_length,
                f"lengths of `axis` ({len(axis)}) and `size` ({len(size)}) do not match",
                "attr:size",
            )
        if data.shape is None:
            return data
        result = list(data.shape)
        for a, n in zip(axis, size, strict=True):
            at = normalise_axis(a, len(data.shape), "attr:axis")
            if not dims.can_be(data.shape[at], 1):
                message = (
                    f"dimension {at} of {show(data.shape)} is {show_dim(data.shape[at])}; only dimensions of length 1 "
                    "broadcast"
                )
                raise ShapeError(R.shape_mismatch, message, "attr:axis", [0])
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
                message = f"ranks of `lhs` {show(a.shape)} and `rhs` {show(b.shape)} do not match"
                raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
            pairs = [(k, k) for k in range(len(a.shape))]
        else:
            pairs = [
                (normalise_axis(i, len(a.shape), "attr:lhs_axes"), normalise_axis(j, len(b.shape), "attr:rhs_axes"))
                for i, j in zip(lhs_axes, rhs_axes, strict=False)
            ]
        result = list(a.shape)
        for i, j in pairs:
            if not (dims.can_be(a.shape[i], 1) or dims.compatible(a.shape[i], b.shape[j])):
                message = f"dimension {i} of `lhs` {show(a.shape)} does not broadcast to that of `rhs` {show(b.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            result[i] = b.shape[j]
        return Tensor(a.dtype, tuple(result))

    def run(self, a: Any, b: Any, **attrs: Any) -> Any:
        return np.broadcast_to(a, self.shape(Tensor(None, a.shape), Tensor(None, b.shape), **attrs).shape)


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
            message = (
                f"`input` {show(data.shape)} with new axes {sorted(new)} does not match `shape_like` {show(like.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
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
        want_dtype(target, "target_shape", 1, "an integer type")
        want_rank(target, "target_shape", 1, 1)
        mode = "explicit" if mode == "none" else mode
        if strict and (mapping is None) == (mode == "explicit"):
            wanted = (
                "missing third input `axes_mapping`" if mapping is None else "unexpected third input `axes_mapping`"
            )
            raise ShapeError(
                R.wrong_input_count, f"mode {mode} {wanted}", "attr:mode" if mapping is None else "input:2"
            )
        if mode == "explicit" and mapping is None:
            mode = "numpy"
        if mode == "explicit":
            assert mapping is not None
            want_dtype(mapping, "axes_mapping", 2, "an integer type")
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
                    f"expected no negative number in `target_shape`, got {show_dim(entry)} at position {k}",
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
            message = (
                f"expected one axis per dimension of `data` {show(data.shape)} in `axes_mapping`, got {show_dim(count)}"
            )
            raise ShapeError(R.wrong_value_length, message, "input:2", [0, 2])
        axes = values.numbers(mapping)
        if axes is None:
            return
        if any(a >= b for a, b in itertools.pairwise(axes)):
            raise ShapeError(
                R.value_out_of_range, f"expected increasing axes in `axes_mapping`, got {list(axes)}", "input:2", [2]
            )
        for dim, axis in zip(data.shape, axes, strict=True):
            if not 0 <= axis < len(goal):
                message = f"axis {axis} in `axes_mapping` is out of range for `target_shape` of length {len(goal)}"
                raise ShapeError(R.axis_out_of_range, message, "input:2", [1, 2])
            if not (dims.can_be(dim, 1) or dims.compatible(dim, goal[int(axis)])):
                message = (
                    f"`data` {show(data.shape)} does not broadcast to {show(goal)}: {show_dim(dim)} does not match "
                    f"{show_dim(goal[int(axis)])}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])

    @staticmethod
    def _numpy(shape: Shape, goal: Shape, *, known: bool) -> Shape:
        if len(shape) > len(goal):
            message = f"rank of `data` {show(shape)} is higher than that of `target_shape` {show(goal)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        result = list(goal)
        for k, dim in enumerate(shape, len(goal) - len(shape)):
            if not (dims.can_be(dim, 1) or dims.compatible(dim, goal[k])):
                message = (
                    f"`data` {show(shape)} does not broadcast to {show(goal)}: {show_dim(dim)} does not match "
                    f"{show_dim(goal[k])}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            if not dims.can_be(dim, 1):
                result[k] = dims.merge(goal[k], dim)
        return tuple(result)

    @staticmethod
    def _bidirectional(shape: Shape, goal: Shape) -> Shape:
        rank = max(len(shape), len(goal))
        left, right = (1,) * (rank - len(shape)) + shape, (1,) * (rank - len(goal)) + goal
        if not all(map(dims.broadcastable, left, right)):
            message = f"`data` {show(shape)} does not broadcast with `target_shape` {show(goal)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
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
