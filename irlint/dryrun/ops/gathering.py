"""Operators that pick elements by index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import (
    axes_of,
    normalise_axis,
    number,
    same_dtype,
    want_dtype,
    want_least_rank,
    want_rank,
    want_scalar,
)
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Dim, Shape


def batch_count(batch_dims: int, rank: int | None, name: str) -> int | None:
    """Return batch_dims counted from the front."""
    if rank is None:
        return batch_dims if batch_dims >= 0 else None
    if not -rank <= batch_dims <= rank:
        message = f"expected {-rank} to {rank} for `batch_dims` ({operand(name)} has rank {rank}), got {batch_dims}"
        raise ShapeError(R.value_out_of_range, message, "attr:batch_dims", [1])
    return batch_dims + rank if batch_dims < 0 else batch_dims


def want_in_range(shape: Shape, indices: Tensor, axes: Sequence[int]) -> None:
    """Raise for a known index past the end; the elements of `indices` are coordinates along the axes, in turn."""
    for k, pick in enumerate((indices.value or ()) if axes else ()):
        length = shape[axes[k % len(axes)]]
        if isinstance(length, int) and values.is_number(pick) and not -length <= pick < length:
            where = f"dimension {axes[k % len(axes)]} of {show(shape)}"
            message = f"index {pick} in `indices` is out of range for {where}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])


class Gather(Operator):
    """Slices of the data along an axis, one per index."""

    inputs = "data indices axis"
    takes_rows = True
    reads = (1, 2)
    partial = True

    def shape(
        self, data: Tensor, indices: Tensor, axis: Tensor, *, batch_dims: int = 0, strict: bool = False, **_: Any
    ) -> Tensor:
        """`strict`: the runtime refuses an index past the end."""
        want_dtype(indices, "indices", 1, "an integer type")
        want_dtype(axis, "axis", 2, "an integer type")
        want_scalar(axis, "axis", 2)
        batch = batch_count(batch_dims, indices.rank, "indices")
        listed = axes_of(axis, data.rank, 2, "axis")
        at = listed[0] if listed else None
        if batch is not None and at is not None and batch > at:
            message = f"`batch_dims` {batch} is larger than axis {at}"
            raise ShapeError(R.value_out_of_range, message, "attr:batch_dims", [2])
        if data.shape is None or indices.shape is None or batch is None:
            return Tensor(data.dtype, None)
        self._check_batch(data.shape, indices.shape, batch)
        common = tuple(map(dims.merge, data.shape[:batch], indices.shape[:batch]))
        if at is None:
            rest = len(data.shape) + len(indices.shape) - 1 - 2 * batch
            return Tensor(data.dtype, (*common, *(None,) * rest) if rest >= 0 else None)
        result = Tensor(data.dtype, (*common, *data.shape[batch:at], *indices.shape[batch:], *data.shape[at + 1 :]))
        self._check_indices(data.shape, indices, at, None if strict else result)
        return result

    @staticmethod
    def _check_indices(shape: Shape, indices: Tensor, at: int, result: Tensor | None) -> None:
        """Raise for an index past the end; OpenVINO reads zeros and continues with a result (2026.4.1)."""
        try:
            want_in_range(shape, indices, (at,))
        except ShapeError as error:
            if result is not None:
                error.message, error.outputs = f"{error.message}; it reads zeros", (result,)
            raise

    @staticmethod
    def _check_batch(shape: Shape, indices: Shape, batch: int) -> None:
        for k, (one, other) in enumerate(zip(shape[:batch], indices[:batch], strict=False)):
            if not dims.compatible(one, other):
                message = (
                    f"batch dimension {k} of `data` ({show_dim(one)}) and `indices` ({show_dim(other)}) does not match"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])

    def value(self, data: Tensor, indices: Tensor, axis: Tensor, *, batch_dims: int = 0, **_: Any) -> Entries | None:
        """A vector or more: whole slices by known indices."""
        value, picks, at = data.value, values.numbers(indices), values.numbers(axis)
        if value is None or picks is None or at is None or data.shape is None or batch_dims:
            return None
        shape: Any = data.shape
        along = int(at[0]) % len(shape)
        length = shape[along]
        inner = dims.numel(shape[along + 1 :]) or 0
        outer = dims.numel(shape[:along]) or 0
        found: list[Entry] = []
        for row in range(outer):
            for pick in picks:
                pick = int(pick) + length if pick < 0 else int(pick)
                if not 0 <= pick < length:
                    found += [0] * inner
                    continue
                start = (row * length + pick) * inner
                found += value[start : start + inner]
        return tuple(found)

    def run(self, data: Any, indices: Any, axis: Any, *, batch_dims: int = 0, **_: Any) -> Any:
        along = number(axis) % data.ndim
        batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
        length = data.shape[along]
        if not batch and indices.size == 1 and -length <= (pick := indices.item()) < length:
            one: Any = (slice(None),) * along + (slice(pick % length, pick % length + 1),)
            return data[one].reshape(data.shape[:along] + indices.shape + data.shape[along + 1 :])
        picks = indices.astype(np.int64)
        picks = np.where(picks < 0, picks + length, picks)
        outside = (picks < 0) | (picks >= length)
        safe = np.where(outside, 0, picks) if outside.any() else picks
        if not batch:
            result = np.take(data, safe, along)
        else:
            lead = np.ogrid[tuple(slice(n) for n in data.shape[:batch])]
            lead = [a.reshape(a.shape + (1,) * (indices.ndim - batch)) for a in lead]
            moved = np.moveaxis(data, along, batch)
            where = (*lead, safe)
            result = moved[where]
            width = indices.ndim - batch
            result = np.moveaxis(result, range(batch, batch + width), range(along, along + width))
        if outside.any():
            mask = outside.reshape(
                outside.shape[:batch] + (1,) * (along - batch) + outside.shape[batch:] + (1,) * (data.ndim - along - 1)
            )
            result = np.where(mask, np.zeros((), data.dtype), result)
        return result

    def run_packed(self, data: Any, indices: Any, axis: Any, *, batch_dims: int = 0, **_: Any) -> Any:
        if not hasattr(data, "take") or int(np.asarray(axis).reshape(-1)[0]) or batch_dims or data.dtype.kind != "f":
            return None
        picks = indices.astype(np.int64)
        picks = np.where(picks < 0, picks + data.shape[0], picks)
        return None if ((picks < 0) | (picks >= data.shape[0])).any() else data.take(picks)


class GatherElements(Operator):
    """One element per index, which replaces one coordinate."""

    inputs = "data indices"
    reads = (1,)

    def shape(
        self, data: Tensor, indices: Tensor, *, axis: int, partial: bool = False, strict: bool = False, **_: Any
    ) -> Tensor:
        """`partial`: the indices need not reach the end of other axes; `strict`: the runtime refuses an index past the end."""
        want_dtype(indices, "indices", 1, "int32 or int64")
        want_least_rank(data, "data", 0, 1)
        want_least_rank(indices, "indices", 1, 1)
        rank = data.rank if data.rank is not None else indices.rank
        at = normalise_axis(axis, rank, "attr:axis") if rank is not None else None
        if data.shape is None or indices.shape is None or at is None:
            return Tensor(data.dtype, indices.shape if indices.shape is not None else self._free(data.shape, at))
        if len(data.shape) != len(indices.shape):
            message = f"ranks of `data` {show(data.shape)} and `indices` {show(indices.shape)} do not match"
            raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
        result = list(indices.shape)
        for k, (one, other) in enumerate(zip(data.shape, indices.shape, strict=True)):
            if k == at:
                continue
            if partial:
                most = dims.bounds(one)[1]
                fits = most is None or dims.bounds(other)[0] <= most
            else:
                fits = dims.compatible(one, other)
            if not fits:
                message = (
                    f"dimension {k} of `data` {show(data.shape)} and `indices` {show(indices.shape)} does not match; "
                    f"only axis {at} may differ"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            result[k] = other if partial else dims.merge(one, other)
        if strict:
            want_in_range(data.shape, indices, (at,))
        return Tensor(data.dtype, tuple(result))

    @staticmethod
    def _free(shape: Shape | None, axis: int | None) -> Shape | None:
        if shape is None or axis is None:
            return None
        return tuple(None if k == axis else dim for k, dim in enumerate(shape))

    def run(self, data: Any, indices: Any, *, axis: int, **_: Any) -> Any:
        along = axis % data.ndim
        picks = indices.astype(np.int64)
        picks = np.where(picks < 0, picks + data.shape[along], picks)
        reached: Any = tuple([slice(None) if k == along else slice(n) for k, n in enumerate(picks.shape)])
        return np.take_along_axis(data[reached], picks, along)


class GatherND(Operator):
    """Slices of the data picked by whole coordinates; `flat` makes one batch dimension of all."""

    inputs = "data indices"
    reads = (1,)

    def shape(
        self,
        data: Tensor,
        indices: Tensor,
        *,
        batch_dims: int = 0,
        flat: bool = False,
        strict: bool = False,
        **_: Any,
    ) -> Tensor:
        """`strict`: the runtime refuses an index past the end, unless slices have no elements."""
        want_dtype(indices, "indices", 1, "an integer type")
        want_least_rank(data, "data", 0, 1)
        want_least_rank(indices, "indices", 1, 1)
        if batch_dims < 0:
            raise too_low("batch_dims", "at least 0", batch_dims)
        for k, tensor in enumerate((data, indices)):
            if tensor.shape is not None and batch_dims >= len(tensor.shape):
                message = f"`batch_dims` {batch_dims} is out of range for `{self.names[k]}` {show(tensor.shape)}"
                raise ShapeError(R.value_out_of_range, message, "attr:batch_dims", [k])
        if data.shape is None or indices.shape is None:
            return Tensor(data.dtype, None)
        Gather._check_batch(data.shape, indices.shape, batch_dims)
        depth = indices.shape[-1]
        if isinstance(depth, int) and batch_dims + depth > len(data.shape):
            message = (
                f"{depth} coordinates per index are too many for `data` {show(data.shape)} without {batch_dims} "
                "batch dimensions"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        if not isinstance(depth, int):
            return Tensor(data.dtype, None)
        if strict and 0 not in data.shape[batch_dims + depth :]:
            want_in_range(data.shape, indices, range(batch_dims, batch_dims + depth))
        batch: Shape = tuple(map(dims.merge, data.shape[:batch_dims], indices.shape[:batch_dims]))
        if flat and batch_dims > 1:
            batch = (dims.product(batch),)
        return Tensor(data.dtype, (*batch, *indices.shape[batch_dims:-1], *data.shape[batch_dims + depth :]))

    def run(self, data: Any, indices: Any, *, batch_dims: int = 0, flat: bool = False, **_: Any) -> Any:
        depth = indices.shape[-1]
        lead = np.ogrid[tuple(slice(n) for n in data.shape[:batch_dims])] if batch_dims else []
        lead = [a.reshape(a.shape + (1,) * (indices.ndim - 1 - batch_dims)) for a in lead]
        where = (*lead, *(indices[..., k] for k in range(depth)))
        result = data[where]
        if flat and batch_dims > 1:
            result = result.reshape((-1, *result.shape[batch_dims:]))
        return result


class GatherTree(Operator):
    """Beams of a beam search, followed from their ends."""

    inputs = "step_ids parent_idx max_seq_len end_token"

    def shape(self, steps: Tensor, parents: Tensor, lengths: Tensor, end: Tensor, **_: Any) -> Tensor:
        dtype = same_dtype((steps, parents, lengths, end), self.names)
        for k, tensor in enumerate((steps, parents, lengths, end)):
            want_dtype(tensor, self.names[k], k, "a numeric type")
        want_rank(steps, "step_ids", 0, 3)
        want_rank(parents, "parent_idx", 1, 3)
        want_rank(lengths, "max_seq_len", 2, 1)
        want_rank(end, "end_token", 3, 0)
        merged: list[Dim] | None = None if steps.shape is None else list(steps.shape)
        if parents.shape is not None:
            if merged is not None and not all(map(dims.compatible, merged, parents.shape)):
                message = (
                    f"shapes of `step_ids` {show(steps.shape)} and `parent_idx` {show(parents.shape)} do not match"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            merged = list(parents.shape) if merged is None else list(map(dims.merge, merged, parents.shape))
        if merged is not None and lengths.shape is not None:
            if not dims.compatible(merged[1], lengths.shape[0]):
                message = f"expected {dims.counted(merged[1], 'number')} in `max_seq_len` (one per batch), got {show(lengths.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
            merged[1] = dims.merge(merged[1], lengths.shape[0])
        return Tensor(dtype, None if merged is None else tuple(merged))

    def run(self, steps: Any, parents: Any, lengths: Any, end: Any, **_: Any) -> Any:
        time, batch, beam = steps.shape
        result = np.full_like(steps, end)
        limit = np.minimum(lengths.astype(np.int64), time)
        rows = np.arange(batch)[:, None]
        at = np.broadcast_to(np.arange(beam), (batch, beam)).copy()
        for t in range(time - 1, -1, -1):
            inside = (t < limit)[:, None]
            result[t] = np.where(inside, steps[t][rows, at], result[t])
            at = np.where(inside, parents[t].astype(np.int64)[rows, at], at)
        done = np.cumsum(result == end, axis=0) - (result == end) > 0
        return np.where(done, np.asarray(end, steps.dtype), result)
