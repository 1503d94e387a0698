"""Broadcasting, and sums over broadcast dimensions."""

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
from irlint.dryrun.ops.common import normalise_axis, stretches
from irlint.dryrun.ops.moving.tiling import _at_least_zero
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Dim, Shape


class BroadcastTo(Operator):
    """Broadcast dimensions of length 1 to a shape; 0 in the target keeps a dimension."""

    def shape(self, data: Tensor, *, shape: Sequence[int], same_rank: bool = False, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, tuple(n if n > 0 else None for n in shape))
        # mxnet 1.9.1 wants as many numbers as data has dimensions: [3] cannot be broadcasted to [2,3]
        more = len(shape) - len(data.shape)
        if more < 0 or (same_rank and more):
            message = f"expected one number per dimension of {show(data.shape)} in `shape`, got {tuple(shape)}"
            raise ShapeError(R.wrong_value_length, message, "attr:shape", [0])
        lengths = (1,) * more + data.shape
        for k, (dim, wanted) in enumerate(zip(lengths, shape, strict=True)):
            if wanted and not dims.stretchable(dim, wanted):
                message = f"dimension {k} of {show(data.shape)} is {show_dim(dim)} and does not broadcast to {wanted}"
                raise ShapeError(R.shape_mismatch, message, "attr:shape", [0])
        # mxnet 1.9.1: (2, 0) makes (2, 3) of (1, 3)
        return Tensor(data.dtype, tuple(wanted or dim for dim, wanted in zip(lengths, shape, strict=True)))

    def run(self, data: Any, *, shape: Sequence[int], **_: Any) -> Any:
        return np.broadcast_to(data, self.shape(Tensor(None, data.shape), shape=shape).shape)


class BroadcastAxes(Operator):
    """Broadcast listed dimensions of length 1 to listed sizes."""

    def shape(self, data: Tensor, *, axis: Sequence[int], size: Sequence[int], **_: Any) -> Tensor:
        if len(axis) != len(size):
            message = f"lengths of `axis` ({len(axis)}) and `size` ({len(size)}) do not match"
            raise ShapeError(R.wrong_value_length, message, "attr:size")
        if data.shape is None:
            return data
        result = list(data.shape)
        for a, n in zip(axis, size, strict=True):
            at = normalise_axis(a, len(data.shape), "attr:axis")
            if not dims.can_be(data.shape[at], 1):
                found = f"dimension {at} of {show(data.shape)} is {show_dim(data.shape[at])}"
                message = f"{found}; only dimensions of length 1 broadcast"
                raise ShapeError(R.shape_mismatch, message, "attr:axis", [0])
            result[at] = n
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, *, axis: Sequence[int], size: Sequence[int], **_: Any) -> Any:
        return np.broadcast_to(data, self.shape(Tensor(None, data.shape), axis=axis, size=size).shape)


class BroadcastLike(Operator):
    """Broadcast to the shape of another tensor."""

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
        first: Sequence[int] = range(len(a.shape))
        second = first
        if lhs_axes is not None and rhs_axes is not None:
            first, second = lhs_axes, rhs_axes
        elif len(a.shape) != len(b.shape):
            message = f"ranks of `lhs` {show(a.shape)} and `rhs` {show(b.shape)} do not match"
            raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
        result = list(a.shape)
        for one, other in zip(first, second, strict=False):
            i = normalise_axis(one, len(a.shape), "attr:lhs_axes")
            j = normalise_axis(other, len(b.shape), "attr:rhs_axes")
            if not dims.stretchable(a.shape[i], b.shape[j]):
                message = f"dimension {i} of `lhs` {show(a.shape)} does not broadcast to that of `rhs` {show(b.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            result[i] = b.shape[j]
        return Tensor(a.dtype, tuple(result))

    def run(self, a: Any, b: Any, **attrs: Any) -> Any:
        return np.broadcast_to(a, self.shape(Tensor(None, a.shape), Tensor(None, b.shape), **attrs).shape)


class ExpandLike(Operator):
    """Insert and broadcast new axes, to the shape of another tensor."""

    inputs = "input shape_like"

    def shape(self, data: Tensor, like: Tensor, *, axis: Sequence[int] = (), exclude: bool = False, **_: Any) -> Tensor:
        if data.shape is None or like.shape is None:
            return Tensor(data.dtype, like.shape)
        new = self.new_axes(len(like.shape), axis, exclude)
        kept = dims.less_axes(like.shape, new, False)
        if len(kept) != len(data.shape) or not stretches(data.shape, kept):
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
    """Sums over broadcast dimensions."""

    inputs = "data:_/T as:S -> S/T"

    def run(self, data: Any, like: Any, **_: Any) -> Any:
        while data.ndim > like.ndim:
            data = data.sum(0)
        axes = tuple(k for k, (a, b) in enumerate(zip(data.shape, like.shape, strict=True)) if a != b)
        return data.sum(axes, keepdims=True) if axes else data


def _want_stretch(shape: Shape, goal: Shape, dim: Dim, axis: int) -> None:
    if not dims.stretchable(dim, goal[axis]):
        why = f"{show_dim(dim)} does not match {show_dim(goal[axis])}"
        message = f"`data` {show(shape)} does not broadcast to {show(goal)}: {why}"
        raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])


class Broadcast(Operator):
    """Broadcast to a target shape: as in NumPy, in both directions, or along listed axes."""

    inputs = "data target_shape:[_]/integers axes_mapping?:[_]/integers"
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
        """Without `strict`, explicit mode without axes_mapping is numpy mode, and a superfluous axes_mapping is ignored."""
        explicit = mode in ("explicit", "none")
        if strict and (mapping is None) == explicit:
            wanted, part = ("missing", "attr:mode") if mapping is None else ("unexpected", "input:2")
            message = f"{wanted} third input `axes_mapping` for mode `{'explicit' if explicit else mode}`"
            raise ShapeError(R.wrong_input_count, message, part)
        axes = mapping if explicit else None
        self.match(data, target, axes)
        lengths = values.as_dims(target)
        if lengths is None:
            return Tensor(data.dtype)
        goal = self._goal(data, axes, lengths, mode)
        if axes is not None:
            self._check_mapping(data, goal, axes)
        elif mode not in ("numpy", "pdpd") and not explicit:
            return Tensor(data.dtype, None if data.shape is None else self._bidirectional(data.shape, goal))
        elif mode != "pdpd" and data.shape is not None:
            return Tensor(data.dtype, self._numpy(data.shape, goal))
        return Tensor(data.dtype, goal)

    def _goal(self, data: Tensor, axes: Tensor | None, lengths: Sequence[Entry], mode: str) -> Shape:
        goal: Shape = tuple(_at_least_zero(entry) for entry in lengths)
        if negative := [k for k, entry in enumerate(lengths) if not values.fits(entry, 0)]:
            taken = [Tensor(data.dtype, goal)] if self._is_taken(data, axes, lengths, negative, mode) else None
            found = f"{show_dim(lengths[negative[0]])} at position {negative[0]}"
            message = f"expected no negative number in `target_shape`, got {found}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1], taken)
        return goal

    @staticmethod
    def _is_taken(
        data: Tensor, mapping: Tensor | None, lengths: Sequence[Entry], negative: Sequence[int], mode: str
    ) -> bool:
        """Whether OpenVINO runs a target below zero (2026.4.1): not -1, only where known data has nothing, or 1, to stretch, and
        has more than one number to copy at a time: else it writes out of bounds.
        """
        shape = data.shape
        if shape is None or not dims.is_known(shape) or any(lengths[k] == -1 for k in negative):
            return False
        first = 0 if mode == "pdpd" else len(lengths) - len(shape)
        axes = values.numbers(mapping) if mapping is not None else range(first, first + len(shape))
        under = dict(zip(axes or (), shape, strict=False))
        if not all(k < len(lengths) and dim in (1, lengths[k]) for k, dim in under.items()):
            return False
        if mode == "pdpd":
            return len(shape) == len(lengths)
        return any(dim != 1 for k, dim in under.items() if k > negative[-1])

    @staticmethod
    def _check_mapping(data: Tensor, goal: Shape, mapping: Tensor) -> None:
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
            message = f"expected increasing axes in `axes_mapping`, got {list(axes)}"
            raise ShapeError(R.value_out_of_range, message, "input:2", [2])
        for dim, axis in zip(data.shape, axes, strict=True):
            if not 0 <= axis < len(goal):
                message = f"axis {axis} in `axes_mapping` is out of range for `target_shape` of length {len(goal)}"
                raise ShapeError(R.axis_out_of_range, message, "input:2", [1, 2])
            _want_stretch(data.shape, goal, dim, int(axis))

    @staticmethod
    def _numpy(shape: Shape, goal: Shape) -> Shape:
        if len(shape) > len(goal):
            message = f"rank of `data` {show(shape)} is higher than that of `target_shape` {show(goal)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        result = list(goal)
        for k, dim in enumerate(shape, len(goal) - len(shape)):
            _want_stretch(shape, goal, dim, k)
            result[k] = goal[k] if dims.can_be(dim, 1) else dims.merge(goal[k], dim)
        return tuple(result)

    @staticmethod
    def _bidirectional(shape: Shape, goal: Shape) -> Shape:
        if (found := dims.overlaid(shape, goal)) is None:
            message = f"`data` {show(shape)} does not broadcast with `target_shape` {show(goal)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return found

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
