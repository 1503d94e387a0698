"""Operators that pick elements by index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import operand, replaced, show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, merge_dims, normalise_axis
from irlint.dryrun.ops.shaped import merged_but
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Shape


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


def same_batch(shape: Shape, indices: Shape, batch: int) -> Shape:
    """Return the first dimensions of the data and of the indices, which are the same."""
    pairs = enumerate(zip(shape[:batch], indices[:batch], strict=False))
    wrong = "batch dimension {} of `data` ({}) and `indices` ({}) does not match"
    return tuple([merge_dims(a, b, wrong.format(k, show_dim(a), show_dim(b)), 1, [0, 1]) for k, (a, b) in pairs])


def by_coordinates(
    shape: Shape, indices: Shape, skipped: int = 0, name: str = "data", place: int = 1, first: bool = False
) -> tuple[int, Shape] | None:
    """Return how many coordinates an index has, along the last axis of the indices or the first, and the shape of all slices at
    such places of the data, whose first axes are `skipped`; None if the number is unknown."""
    depth = indices[0 if first else -1]
    if not isinstance(depth, int):
        return None
    if skipped + depth > len(shape):
        skips = f" without {skipped} batch dimensions" if skipped else ""
        message = f"{depth} coordinates per index are too many for {operand(name)} {show(shape)}{skips}"
        raise ShapeError(R.shape_mismatch, message, f"input:{place}", [0, place])
    return depth, (*(indices[1:] if first else indices[:-1]), *shape[skipped + depth :])


def want_reach(shape: Shape, indices: Shape, along: int) -> None:
    """Raise for more indices along another axis than the data has elements."""
    for k, (length, count) in enumerate(zip(shape, indices, strict=True)):
        most = dims.bounds(length)[1]
        if k != along and most is not None and dims.bounds(count)[0] > most:
            message = f"dimension {k} of `indices` {show(indices)} is larger than that of `data` {show(shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])


class Gather(Operator):
    """Slices of the data along an axis, one per index."""

    inputs = "data indices:_/integers axis:one/integers"
    takes_rows = True
    reads = (1, 2)
    partial = True
    kernel = "gathering.gather"

    def shape(
        self, data: Tensor, indices: Tensor, axis: Tensor, *, batch_dims: int = 0, strict: bool = False, **_: Any
    ) -> Tensor:
        """`strict`: the runtime refuses an index past the end."""
        self.match(data, indices, axis)
        batch = batch_count(batch_dims, indices.rank, "indices")
        at = next(iter(axes_of(axis, data.rank, 2, "axis") or ()), None)
        if batch is not None and at is not None and batch > at:
            message = f"`batch_dims` {batch} is larger than axis {at}"
            raise ShapeError(R.value_out_of_range, message, "attr:batch_dims", [2])
        if data.shape is None or indices.shape is None or batch is None:
            return Tensor(data.dtype, None)
        common = same_batch(data.shape, indices.shape, batch)
        if at is None:
            rest = len(data.shape) + len(indices.shape) - 1 - 2 * batch
            return Tensor(data.dtype, (*common, *(None,) * rest) if rest >= 0 else None)
        result = Tensor(data.dtype, (*common, *data.shape[batch:at], *indices.shape[batch:], *data.shape[at + 1 :]))
        try:
            want_in_range(data.shape, indices, (at,))
        except ShapeError as error:
            if not strict:  # OpenVINO reads zeros and continues with a result (2026.4.1)
                error.message, error.outputs = f"{error.message}; it reads zeros", (result,)
            raise
        return result

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

    def run_packed(self, data: Any, indices: Any, axis: Any, *, batch_dims: int = 0, **_: Any) -> Any:
        if not hasattr(data, "take") or int(np.asarray(axis).reshape(-1)[0]) or batch_dims or data.dtype.kind != "f":
            return None
        picks = indices.astype(np.int64)
        picks = np.where(picks < 0, picks + data.shape[0], picks)
        return None if ((picks < 0) | (picks >= data.shape[0])).any() else data.take(picks)


class GatherElements(Operator):
    """One element per index, which replaces one coordinate."""

    inputs = "data:~R[_,*_] indices:~R[_,*_]/index"
    reads = (1,)
    kernel = "gathering.gather_elements"

    def shape(
        self, data: Tensor, indices: Tensor, *, axis: int, partial: bool = False, strict: bool = False, **_: Any
    ) -> Tensor:
        """`partial`: the indices need not reach the end of other axes; `strict`: the runtime refuses an index past the end."""
        self.match(data, indices)
        rank = data.rank if data.rank is not None else indices.rank
        if rank is None:
            return Tensor(data.dtype)
        at = normalise_axis(axis, rank, "attr:axis")
        if data.shape is None or indices.shape is None:
            return Tensor(data.dtype, indices.shape if data.shape is None else replaced(data.shape, at, None))
        if partial:
            want_reach(data.shape, indices.shape, at)
        else:
            merged = merged_but(at, data.shape, indices.shape, ("data", "indices"), (0, 1))
        if strict:
            want_in_range(data.shape, indices, (at,))
        return Tensor(data.dtype, indices.shape if partial else tuple(merged))


class GatherND(Operator):
    """Slices of the data picked by whole coordinates; `flat` makes one batch dimension of all."""

    inputs = "data:[_,*_] indices:[_,*_]/integers"
    reads = (1,)
    kernel = "gathering.gather_nd"

    def shape(
        self, data: Tensor, indices: Tensor, *, batch_dims: int = 0, flat: bool = False, strict: bool = False, **_: Any
    ) -> Tensor:
        """`strict`: the runtime refuses an index past the end, unless slices have no elements."""
        self.match(data, indices)
        for k, tensor in enumerate((data, indices)):
            if tensor.shape is not None and batch_dims >= len(tensor.shape):
                message = f"`batch_dims` {batch_dims} is out of range for `{self.names[k]}` {show(tensor.shape)}"
                raise ShapeError(R.value_out_of_range, message, "attr:batch_dims", [k])
        if data.shape is None or indices.shape is None:
            return Tensor(data.dtype, None)
        batch = same_batch(data.shape, indices.shape, batch_dims)
        found = by_coordinates(data.shape, indices.shape[batch_dims:], batch_dims)
        if found is None:
            return Tensor(data.dtype, None)
        depth, slices = found
        if strict and 0 not in data.shape[batch_dims + depth :]:
            want_in_range(data.shape, indices, range(batch_dims, batch_dims + depth))
        return Tensor(data.dtype, (*((dims.product(batch),) if flat and batch_dims > 1 else batch), *slices))


class GatherTree(Operator):
    """Beams of a beam search, followed from their ends."""

    inputs = """step_ids:[L,B,K]/T=numbers parent_idx:[L,B,K]/T=numbers max_seq_len:[B]/T=numbers end_token:[]/T=numbers
    -> [L,B,K]/T"""
    kernel = "gathering.gather_tree"
