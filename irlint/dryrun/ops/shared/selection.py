"""Operators that choose, order, count or look up elements."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import replaced, show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, broadcast, merge_shapes, normalise_axis, want_rank, want_scalar
from irlint.dryrun.ops.shaped import want_entry
from irlint.dryrun.tensor import Entries, Tensor
from irlint.graph import Dim, Shape


class Select(Operator):
    """One operand where the condition is true, the other elsewhere."""

    inputs = "cond:_/bool then:_/T else:_/T"
    partial = True

    def shape(self, cond: Tensor, then: Tensor, other: Tensor, *, auto_broadcast: str = "numpy", **_: Any) -> Tensor:
        found = self.match(cond, then, other)
        both = broadcast(then, other, ("then", "else"), auto_broadcast, 0, (1, 2))
        merged = Tensor(None, then.shape if auto_broadcast == "pdpd" else both)
        whole = broadcast(merged, cond, ("then and else", "cond"), auto_broadcast, 0, (1, 0))
        return Tensor(found.dtype("T"), whole)

    def value(self, cond: Tensor, then: Tensor, other: Tensor, **_: Any) -> Entries | None:
        if cond.value is None and then.value is None and other.value is None:
            return None
        target = self.shape(cond, then, other).shape
        if target is None or (cond.value is None and (then.value is None or other.value is None)):
            return None
        rows = values.aligned((cond, then, other), target)
        return tuple([values.either(a, b) if c is None else a if c else b for c, a, b in rows])

    def run(self, cond: Any, then: Any, other: Any, **_: Any) -> Any:
        return np.where(cond, then, other)


def _at_most(count: Dim, dim: Dim) -> Dim:
    """Return how many elements of an axis are taken."""
    if isinstance(count, int):
        return count
    (low, high), (least, most) = dims.bounds(dim), dims.bounds(count)
    return dims.interval(min(least, low), high if most is None else most if high is None else min(most, high))


class TopK(Operator):
    """The k largest or smallest along an axis, and their indices."""

    inputs = "data:[_,*_] k:one/integers"
    reads = (1,)
    kernel = "ordering.top_k"

    def shape(
        self,
        data: Tensor,
        k: Tensor,
        *,
        axis: int,
        index_element_type: str | None = "int32",
        sort: str = "value",
        stable: bool = False,
        or_vector: bool = False,
        strict: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        """`or_vector`: k has one dimension, and may be 0. `strict`: k may not exceed the axis, even if there are no elements."""
        if stable and sort == "none":
            message = "expected `value` or `index` for `sort` of a stable sort"
            raise ShapeError(R.value_not_in_enum, message, "attr:stable")
        self.match(data, k)
        want_rank(k, "k", 1, int(or_vector))
        shape = data.shape
        is_empty = shape is not None and 0 in shape
        is_known = shape is not None and not is_empty and all(isinstance(dim, int) for dim in shape)
        # OpenVINO 2026.4.1 reads k = 0; the CPU plug-in: K (0) must be greater or equal to 1, unless there are no elements or a length
        # is open; where a run computes k, it outputs none
        try:
            count = want_entry(k, "k", 1, 1 if is_known and not or_vector else 0)
        except ShapeError as error:
            if k.entry == 0 and not k.stored and shape is not None:
                nothing = replaced(shape, normalise_axis(axis, len(shape), "attr:axis"), 0)
                error.outputs = (Tensor(data.dtype, nothing), Tensor(index_element_type, nothing))
            raise
        if shape is not None:
            at = normalise_axis(axis, len(shape), "attr:axis")
            most, wanted = dims.bounds(shape[at])[1], dims.bounds(count)[0]
            # OpenVINO 2026.4.1 reads it; the CPU plug-in: K (9) exceeds the axis dimension (3)
            if most is not None and wanted > most and (strict or not is_empty):  # no elements, none to look for
                message = (
                    f"`k` {show_dim(count)} is larger than dimension {at} of {show(shape)} ({show_dim(shape[at])})"
                )
                raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])
            shape = replaced(shape, at, _at_most(count, shape[at]))
        return [Tensor(data.dtype, shape), Tensor(index_element_type, shape)]


class NonZero(Operator):
    """The coordinates of all elements that are not zero."""

    inputs = "data:_/!string"

    def shape(self, data: Tensor, *, output_type: str | None = "int64", **_: Any) -> Tensor:
        self.match(data)
        if data.shape is None:
            return Tensor(output_type, (None, None))
        value = values.numbers(data) if data.followed else None
        count: Dim = dims.interval(0, dims.bounds(dims.product(data.shape))[1])
        if value is not None:
            count = sum(entry != 0 for entry in value)
        return Tensor(output_type, (len(data.shape) or 1, count))  # onnxruntime 1.32 takes a scalar for a list of one

    reads = (0,)

    def run(self, data: Any, *, output_type: str = "int64", **_: Any) -> Any:
        return np.array(np.nonzero(np.atleast_1d(data)), output_type)


class Unique(Operator):
    """Unique elements, or slices along an axis; their first indices; the inverse indices; their counts."""

    inputs = "data axis?:one/index"
    reads = (1,)
    kernel = "ordering.unique"

    def shape(
        self,
        data: Tensor,
        axis: Tensor | None = None,
        *,
        index_element_type: str | None = "int64",
        count_element_type: str | None = "int64",
        **_: Any,
    ) -> list[Tensor]:
        self.match(data, axis)
        whole = data.shape
        if axis is None:
            at, whole = 0, None if data.shape is None else (dims.product(data.shape),)
        elif axis.value is None and axis.shape is not None and not axis.stored:  # else its bytes may not be there
            message = "expected a constant for `axis`, got a computed value"
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        else:
            at = next(iter(axes_of(axis, data.rank, 1, "axis") or ()), -1)
        dim = whole[at] if whole is not None and at >= 0 else None
        low, high = dims.bounds(dim)
        some = dims.interval(int(low > 0), high)
        shape: Shape | None = (some,)
        if axis is not None:
            shape = whole and (replaced(whole, at, some) if at >= 0 else (None,) * len(whole))
        return [
            Tensor(data.dtype, shape),
            Tensor(index_element_type, (some,)),
            Tensor(index_element_type, (dim,)),
            Tensor(count_element_type, (some,)),
        ]


class UniqueInOrder(Unique):
    """Unique elements of a list, in the order in which they come; the inverse indices; their counts."""

    inputs = "data:[_]"

    def shape(self, data: Tensor, **_: Any) -> list[Tensor]:  # type: ignore[override]
        found, _first, inverse, counts = super().shape(data)
        return [found, inverse, counts]

    def run(self, data: Any, **_: Any) -> Any:
        found, _first, inverse, counts = super().run(data, sorted=False)
        return [found, inverse, counts]


class Bucketize(Operator):
    """Between which of the sorted boundaries each element lies."""

    inputs = "data:S/numbers buckets:[_]/numbers -> S/@output_type=index"

    def run(
        self, data: Any, buckets: Any, *, output_type: str = "int64", with_right_bound: bool = True, **_: Any
    ) -> Any:
        return np.searchsorted(buckets, data, "left" if with_right_bound else "right").astype(output_type)


class SearchSorted(Operator):
    """Positions at which values keep rows sorted."""

    inputs = "sorted_sequence:[_,*_]/T values:_/T"
    kernel = "ordering.search_sorted"

    def shape(self, rows: Tensor, wanted: Tensor, *, output_type: str | None = "int64", **_: Any) -> Tensor:
        self.match(rows, wanted)
        if rows.shape is None or wanted.shape is None or len(rows.shape) == 1:
            return Tensor(output_type, wanted.shape)
        one, other = Tensor(None, rows.shape[:-1]), Tensor(None, wanted.shape[:-1])
        why = "do not match, the last dimension left aside"
        lead = merge_shapes(one, other, ("sorted_sequence", "values"), why=why)
        return Tensor(output_type, (*(lead or ()), wanted.shape[-1]))


def one_hot(indices: Tensor, depth: Tensor, dtype: str | None, axis: int, least: int) -> Tensor:
    """Return the type of the indices with a new axis, which is `depth` long, at the least so much."""
    count = want_entry(depth, "depth", 1, least)
    if indices.shape is None:
        return Tensor(dtype, None)
    at = normalise_axis(axis, len(indices.shape) + 1, "attr:axis")
    return Tensor(dtype, (*indices.shape[:at], count, *indices.shape[at:]))


class OneHot(Operator):
    """One-hot encoding on a new axis."""

    inputs = "indices:_/integers depth:_/integers on_value:[]/T off_value:[]/T"
    reads = (1,)
    kernel = "ordering.one_hot"

    def shape(self, indices: Tensor, depth: Tensor, on: Tensor, off: Tensor, *, axis: int = -1, **_: Any) -> Tensor:
        found = self.match(indices, depth, on, off)
        # OpenVINO 2026.4.1 runs a depth of an open shape where the values are constants
        if dims.is_known(depth.shape) or on.entry is None or off.entry is None:
            want_scalar(depth, "depth", 1, or_single=False)
        return one_hot(indices, depth, found.dtype("T"), axis, 0)


class Multinomial(Operator):
    """Samples of classes by their probabilities."""

    inputs = "probs:[B,_]/floats num_samples:one/integers"
    reads = (1,)
    kernel = "ordering.multinomial"
    is_random = True

    def shape(self, probs: Tensor, samples: Tensor, *, convert_type: str | None = None, **_: Any) -> Tensor:
        found = self.match(probs, samples)
        return Tensor(convert_type, (found["B"], want_entry(samples, "num_samples", 1)))


class WhereBroadcast(Operator):
    """x where the condition is true, else y; all three broadcast."""

    inputs = "condition x y"

    def shape(self, condition: Tensor, x: Tensor, y: Tensor, **_: Any) -> Tensor:
        both = broadcast(x, y, ("x", "y"), indices=(1, 2))
        whole = broadcast(condition, Tensor(None, both), ("condition", "x and y"))
        return Tensor(x.dtype or y.dtype, whole)

    def run(self, condition: Any, x: Any, y: Any, **_: Any) -> Any:
        return np.where(condition, x, y).astype(getattr(x, "dtype", None) or getattr(y, "dtype", None) or np.float32)
