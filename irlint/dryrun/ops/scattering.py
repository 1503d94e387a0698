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
from irlint.dryrun.ops.common import axes_of, fits, merge_shapes, number
from irlint.dryrun.ops.gathering import by_coordinates, want_in_range, want_reach
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

    def run(self, data: Any, indices: Any, updates: Any, axis: Any, **_: Any) -> Any:
        along = number(axis) % data.ndim
        result = data.copy()
        result[(slice(None),) * along + (indices.astype(np.int64),)] = updates
        return result


_REDUCE = {"sum": "add", "prod": "multiply", "min": "minimum", "max": "maximum", "sub": "subtract", "mean": "add"}


class ScatterElementsUpdate(Operator):
    """Single elements replaced, or combined, the index standing for one coordinate."""

    inputs = "data:~R/T indices:~R[*S]/integers updates:~R[*S]/T axis:[]|[_]/integers"
    reads = (1, 3)

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

    def run(
        self,
        data: Any,
        indices: Any,
        updates: Any,
        axis: Any,
        *,
        reduction: str = "none",
        use_init_val: bool = True,
        **_: Any,
    ) -> Any:
        along = number(axis) % data.ndim
        picks = indices.astype(np.int64)
        picks = np.where(picks < 0, picks + data.shape[along], picks)
        where: list[Any] = list(np.ogrid[tuple(slice(n) for n in picks.shape)]) if picks.ndim else []
        if reduction == "none" and (rows := _whole_rows(picks, along, data.shape)) is not None:
            result = np.moveaxis(data.copy(), along, 0)
            result[rows] = np.moveaxis(updates, along, 0)
            return np.moveaxis(result, 0, along)
        where[along] = picks
        return scatter(data, tuple(np.broadcast_arrays(*where)), updates, reduction, use_init_val)


def _whole_rows(picks: Any, along: int, shape: tuple[int, ...]) -> Any:
    """Return the indices along an axis, if they are the same for all elements of a slice, and slices are whole; else None."""
    moved = np.moveaxis(picks, along, 0)
    first: Any = (slice(None), *(slice(1),) * (moved.ndim - 1))
    if moved.shape[1:] != (*shape[:along], *shape[along + 1 :]) or moved[:1].size < 2:
        return None
    rows = moved[first]
    return rows.reshape(-1) if (moved == rows).all() else None


def scatter(data: Any, where: tuple[Any, ...], updates: Any, reduction: str, keep: bool = True) -> Any:
    """A copy of the data with updates written or reduced; without `keep` the original elements are excluded."""
    result = data.copy()
    if reduction == "none":
        result[where] = updates
        return result
    if not keep:
        result[where] = _neutral(reduction, data.dtype)
    if data.dtype == bool:
        fold = {
            "sum": np.logical_or,
            "prod": np.logical_and,
            "min": np.logical_and,
            "max": np.logical_or,
            "sub": np.logical_xor,
        }
        fold[reduction].at(result, where, updates)
        return result
    if reduction == "mean":
        total = result.astype(np.float64) if data.dtype.kind == "f" else result.astype(np.int64)
        np.add.at(total, where, updates)
        count = np.full(data.shape, int(keep), np.int64)
        np.add.at(count, where, 1)
        count = np.maximum(count, 1)
        mean = total / count if data.dtype.kind == "f" else np.floor_divide(total, count)
        touched = np.zeros(data.shape, bool)
        touched[where] = True
        return np.where(touched, mean, data).astype(data.dtype)
    getattr(np, _REDUCE[reduction]).at(result, where, updates)
    return result


def _neutral(reduction: str, dtype: Any) -> Any:
    if reduction in ("sum", "mean", "sub"):
        return 0
    if reduction == "prod":
        return 1
    info: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype) if dtype.kind in "iu" else None
    if info is None:
        return reduction == "min"
    return info.max if reduction == "min" else info.min


class ScatterNDUpdate(Operator):
    """Slices at whole coordinates replaced, or combined."""

    inputs = "data:_/T indices:[_,*_]/index updates:_/T"
    reads = (1,)
    partial = True

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

    def run(self, data: Any, indices: Any, updates: Any, *, reduction: str = "none", **_: Any) -> Any:
        where = tuple(indices[..., k].astype(np.int64) for k in range(indices.shape[-1]))
        return scatter(data, where, updates, reduction)


class SliceAssign(Operator):
    """A tensor with a slice of it replaced."""

    inputs = "lhs rhs"

    def shape(self, data: Tensor, new: Tensor, **given: Any) -> Tensor:
        from irlint.dryrun.ops.cropping import SliceRanges

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
