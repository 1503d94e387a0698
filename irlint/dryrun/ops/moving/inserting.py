"""NumPy's functions that put values into tensors, and norms and solutions over several axes, as MXNet checks their shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import replaced, show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits, normalise_axis, want_rank
from irlint.dryrun.ops.shaped import merged_but
from irlint.dryrun.ops.shared.reduction import ReduceAxes
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class Insert(Operator):
    """Insert values before listed positions along an axis; without an axis, into the flattened tensor."""

    inputs = "arr values? obj?"

    def shape(
        self,
        arr: Tensor,
        values: Tensor | None = None,
        obj: Tensor | None = None,
        *,
        kind: str,
        axis: int | None,
        **places: Any,
    ) -> Tensor:
        want_rank(obj, "obj", 2 if values is not None else 1, 0, 1)
        if arr.shape is None:
            return arr
        whole = arr.shape if axis is not None else (dims.product(arr.shape),)
        at = normalise_axis(axis or 0, len(whole), "attr:axis")
        laid = self._laid(arr, values, len(whole)) or (None,) * len(whole)
        count = self._count(whole[at], obj, kind, **places)
        if count == 1 or kind == "scalar":
            count = laid[0 if kind == "scalar" else at]
        return Tensor(arr.dtype, replaced(whole, at, None if count is None else dims.add(whole[at], count)))

    @staticmethod
    def _count(length: Dim, obj: Tensor | None, kind: str, *, start: Any, stop: Any, step: Any, **_: Any) -> Dim:
        """Return how many positions are listed."""
        if kind == "tensor" and obj is not None and obj.shape is not None:
            return dims.product(obj.shape)
        if kind == "slice" and isinstance(length, int):
            return len(range(*slice(start, stop, step or 1).indices(length)))
        return None

    @staticmethod
    def _laid(arr: Tensor, values: Tensor | None, rank: int) -> Sequence[Dim] | None:
        """Return the shape of the values with the rank of the tensor."""
        if values is None:
            return (1,) * rank
        if values.shape is None:
            return None
        surplus = len(values.shape) - rank
        if not all(dims.can_be(dim, 1) for dim in values.shape[: max(surplus, 0)]):
            message = f"rank of `values` {show(values.shape)} is higher than that of `arr` {show(arr.shape)}"
            if rank != len(arr.shape or ()):
                message = f"expected a single row for `values` without an axis, got {show(values.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return (1,) * -surplus + tuple(values.shape[max(surplus, 0) :])


class Masked(Operator):
    """Replace elements where a mask is true: the mask has the first dimensions of the tensor."""

    inputs = "data mask value?"

    def shape(self, data: Tensor, mask: Tensor, value: Tensor | None = None, **_: Any) -> Tensor:
        if data.shape is None or mask.shape is None:
            return data
        rest = data.shape[len(mask.shape) :]
        if not fits(mask.shape, data.shape[: len(mask.shape)]):
            message = (
                f"shape of `mask` {show(mask.shape)} does not match the first dimensions of `data` {show(data.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        if not rest:
            want_rank(value, "value", 2, 0, 1)
        elif value is not None and dims.numel(value.shape) not in (None, 0, 1):
            shape = value.shape or ()
            if not fits(rest, shape[-len(rest) :]):
                left = f"unmasked dimensions of `data`, {show(rest)}"
                message = f"shape of `value` {show(shape)} does not end with the {left}"
                raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        return data


class TensorSolve(Operator):
    """Solve for the tensor whose product with `a` is `b`."""

    inputs = "a b"

    def shape(self, a: Tensor, b: Tensor, *, axes: Sequence[int], **_: Any) -> Tensor:
        kind = None
        if a.dtype is not None and b.dtype is not None:
            kind = "float32" if a.dtype == b.dtype == "float32" else "float64"
        if a.shape is None or b.shape is None:
            return Tensor(kind)
        rank = len(a.shape)
        last = [axis % rank for axis in axes or ()]  # MXNet does not mind axes that are not there
        turned = tuple(a.shape[k] for k in (*[k for k in range(rank) if k not in last], *last))
        split = len(b.shape) if rank > len(b.shape) else len(b.shape) - rank
        self._check(a.shape, b.shape, *map(dims.numel, (turned[:split], turned[split:], b.shape)))
        return Tensor(kind, turned[split:])

    @staticmethod
    def _check(a: Shape, b: Shape, front: int | None, back: int | None, count: int | None) -> None:
        """Raise for numbers of elements that do not go together: of the first and last dimensions of `a`, and of `b`."""
        if front is not None and back is not None and front != back:
            message = f"expected as many elements in the first dimensions of `a` {show(a)} ({front}) as in the others ({back})"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        if back is not None and count is not None and back != count:
            message = f"expected {back} elements in `b` (the equations of `a` {show(a)}), got {show(b)}"
            raise ShapeError(R.element_count_mismatch, message, "input:1", [0, 1])


class Norm(Operator):
    """Norms of vectors or matrices along axes."""

    def shape(self, data: Tensor, *, axis: Sequence[int] | None, keepdims: bool, flag: int, **_: Any) -> list[Tensor]:
        unknown = Tensor(data.dtype)
        if data.shape is None:
            return [unknown] * 4
        rank = len(data.shape)
        if axis is None and flag == -2:
            return [Tensor(data.dtype, (1,) * rank if keepdims else ()), unknown, unknown, unknown]
        axes = list(axis) if axis is not None else list(range(max(rank - 2, 0), rank))
        if len(axes) > 2 or (not axes and flag) or (len(axes) == 1 and flag == 2):
            raise ShapeError(
                R.wrong_value_length, f"expected at most 2 axes in `axis` for this norm, got {len(axes)}", "attr:axis"
            )
        (found,) = ReduceAxes().shape(data, axis=tuple(axes), keepdims=keepdims)
        return [found, unknown, unknown, unknown]


class CacheUpdate(Operator):
    """A cache whose rows from given places on are replaced, sequence by sequence; `mode` circular continues at its beginning."""

    inputs = "past_cache:~R[B,*_]/T update:~R/T write_indices?:[B]"
    reads = (2,)
    kernel = "gathering.cache_update"

    def shape(
        self,
        cache: Tensor,
        update: Tensor,
        places: Tensor | None = None,
        *,
        axis: int = -2,
        mode: str = "linear",
        **_: Any,
    ) -> Tensor:
        dtype = self.match(cache, update, places).dtype("T")
        if cache.shape is None or update.shape is None:
            return Tensor(dtype, cache.shape)
        at = normalise_axis(axis, len(cache.shape), "attr:axis")
        merged_but(at, cache.shape, update.shape, ("past_cache", "update"), (0, 1))
        free = dims.bounds(cache.shape[at])[1]
        free = None if free is None else free - dims.bounds(update.shape[at])[0]
        if free is not None and free < 0:
            message = (
                f"`update` {show(update.shape)} does not fit into `past_cache` {show(cache.shape)} along axis {at}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        for place in (places.value or ()) if places is not None else ():
            if not values.fits(place, 0, None if mode == "circular" else free):
                message = f"index {show_dim(place)} in `write_indices` is out of range for {show(update.shape)} in {show(cache.shape)}"
                raise ShapeError(R.value_out_of_range, message, "input:2", [0, 1, 2])
        return Tensor(dtype, cache.shape)
