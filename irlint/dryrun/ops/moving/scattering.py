"""Operators that write updates into a copy of the data by index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import replaced, show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, fits, merge_shapes
from irlint.dryrun.ops.moving.gathering import by_coordinates, want_in_range, want_reach
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Shape


def _replaced(data: Tensor, indices: Tensor, updates: Tensor) -> Entries | None:
    """The elements of a vector with some of them replaced; of others shapes are not made."""
    value, picks, new = data.value, values.numbers(indices), updates.value
    if value is None or picks is None or data.shape is None or len(data.shape) != 1:
        return None
    result: list[Entry] = list(value)
    for k, pick in enumerate(picks):
        if -len(result) <= pick < len(result):
            result[int(pick)] = None if new is None else new[k] if len(new) > k else new[0]
    return tuple(result)


def _want_updates(updates: Tensor, goals: Sequence[Shape], why: str, by_rank: bool = False) -> None:
    """Raise unless the updates have one of the shapes; `by_rank`: a wrong rank is another error."""
    if updates.shape is None or any(fits(goal, updates.shape) for goal in goals):
        return
    rule = R.wrong_rank if by_rank and len(updates.shape) != len(goals[0]) else R.shape_mismatch
    message = f"expected shape {' or '.join(map(show, goals))} for `updates` ({why}), got {show(updates.shape)}"
    raise ShapeError(rule, message, "input:2", [0, 1, 2])


class ScatterUpdate(Operator):
    """Slices along an axis replaced by updates."""

    inputs = "data:_/T indices:_/integers updates:_/T axis:one/integers"
    reads = (3,)
    partial = True
    kernel = "gathering.scatter_update"

    def shape(self, data: Tensor, indices: Tensor, updates: Tensor, axis: Tensor, **_: Any) -> Tensor:
        self.match(data, indices, updates, axis)
        listed = axes_of(axis, data.rank, 3, "axis")
        if data.shape is None or indices.shape is None:
            return data
        # a single index may be written without its dimension
        if updates.shape == () and dims.can_be(dims.product(indices.shape), 1):
            return data
        places = range(len(data.shape)) if listed is None else listed[:1]
        goals = [replaced(data.shape, at, *indices.shape) for at in places] or [(None,) * (len(indices.shape) - 1)]
        which = "one axis" if listed is None else f"axis {listed[0]}"
        why = f"`data` {show(data.shape)} with {which} replaced by `indices` {show(indices.shape)}"
        _want_updates(updates, goals, why, by_rank=True)
        return data

    def value(self, data: Tensor, indices: Tensor, updates: Tensor, axis: Tensor, **_: Any) -> Entries | None:
        return _replaced(data, indices, updates)


class ScatterElementsUpdate(Operator):
    """Single elements replaced, or combined, the index standing for one coordinate."""

    inputs = "data:~R/T indices:~R[*S]/integers updates:~R[*S]/T axis:[]|[_]/integers"
    reads = (1, 3)
    kernel = "gathering.scatter_elements"

    def shape(
        self,
        data: Tensor,
        indices: Tensor,
        updates: Tensor,
        axis: Tensor,
        *,
        reduction: str = "none",
        strict: bool = False,
        **_: Any,
    ) -> Tensor:
        """`strict`: the runtime refuses an index past the end, and more indices along another axis than there are elements."""
        self.match(data, indices, updates, axis)
        if data.dtype == "bool" and reduction == "mean":
            message = f"`reduction` `{reduction}` is not supported for bool `data`"
            raise ShapeError(R.dtype_mismatch, message, "attr:reduction", [0])
        along = axes_of(axis, data.rank, 3, "axis")
        if strict and along and data.shape is not None and indices.shape is not None:
            want_reach(data.shape, indices.shape, along[0])
            want_in_range(data.shape, indices, along)
        return data


class ScatterNDUpdate(Operator):
    """Slices at whole coordinates replaced, or combined."""

    inputs = "data:_/T indices:[_,*_]/index updates:_/T"
    reads = (1,)
    partial = True
    kernel = "gathering.scatter_nd"

    def shape(self, data: Tensor, indices: Tensor, updates: Tensor, *, strict: bool = False, **_: Any) -> Tensor:
        """`strict`: the runtime refuses an index past the end."""
        self.match(data, indices, updates)
        if data.shape is None or indices.shape is None:
            return data
        if (found := by_coordinates(data.shape, indices.shape)) is not None:
            depth, goal = found
            _want_updates(updates, [goal], f"`indices` {show(indices.shape)} into `data` {show(data.shape)}")
            if strict:
                want_in_range(data.shape, indices, range(depth))
        return data

    def value(
        self, data: Tensor, indices: Tensor, updates: Tensor, *, reduction: str = "none", **_: Any
    ) -> Entries | None:
        return _replaced(data, indices, updates) if reduction == "none" else None


class SliceAssign(Operator):
    """A tensor with a slice of it replaced."""

    inputs = "lhs rhs"

    def shape(self, data: Tensor, new: Tensor, **given: Any) -> Tensor:
        from irlint.dryrun.ops.mxnet.cropping import SliceRanges

        try:
            cut = SliceRanges().shape(data, **given)
        except ShapeError as error:
            if error.rule == R.empty_output:  # nothing is replaced
                error.outputs = (data,)
            raise
        assert isinstance(cut, Tensor)
        if new.shape:
            merge_shapes(cut, new, ("the slice", "rhs"))
        return data

    def run(
        self, data: Any, new: Any, *, begin: Sequence[Any], end: Sequence[Any], step: Sequence[Any] = (), **_: Any
    ) -> Any:
        found = data.copy()
        steps = step or (None,) * len(begin)
        found[tuple(slice(a, b, c) for a, b, c in zip(begin, end, steps, strict=False))] = new
        return found


class ScatterSet(Operator):
    """A tensor with elements at listed coordinates replaced."""

    inputs = "lhs rhs indices"

    def shape(
        self, data: Tensor, new: Tensor, indices: Tensor, *, whole: Sequence[int] | None = None, **_: Any
    ) -> Tensor:
        if data.shape is None:
            return data
        if whole and min(whole) > 0 and not fits(tuple(whole), data.shape):
            message = f"expected shape {show(whole)} (attribute `shape`) for `lhs`, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        if indices.shape is not None:
            by_coordinates(data.shape, indices.shape or (1,), name="lhs", place=2, first=True)
        return data

    def run(self, data: Any, new: Any, indices: Any, **_: Any) -> Any:
        found = data.copy()
        found[tuple(indices.astype(np.int64))] = new
        return found
