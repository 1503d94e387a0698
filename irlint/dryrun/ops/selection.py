"""Operators that choose, order, count or look up elements."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import (
    axes_of,
    broadcast,
    normalise_axis,
    number,
    same_dtype,
    want_dtype,
    want_least_rank,
    want_rank,
    want_scalar,
)
from irlint.dryrun.ops.pooling import want_index_type
from irlint.dryrun.tensor import Entries, Tensor
from irlint.graph import Dim


class Select(Operator):
    """One operand where the condition is true, the other elsewhere."""

    inputs = "cond then else"
    partial = True

    def shape(self, cond: Tensor, then: Tensor, other: Tensor, *, auto_broadcast: str = "numpy", **_: Any) -> Tensor:
        want_dtype(cond, "cond", 0, "bool")
        dtype = same_dtype((then, other), ("then", "else"), (1, 2))
        if auto_broadcast == "pdpd":
            shape = broadcast(then, other, ("then", "else"), "pdpd", 0, (1, 2))
            merged = Tensor(dtype, then.shape if shape is not None else None)
            return Tensor(dtype, broadcast(merged, cond, ("then and else", "cond"), "pdpd", 0, (1, 0)))
        merged = Tensor(dtype, broadcast(then, other, ("then", "else"), auto_broadcast, indices=(1, 2)))
        return Tensor(dtype, broadcast(merged, cond, ("then and else", "cond"), auto_broadcast, indices=(1, 0)))

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


def _has_zero(data: Tensor) -> bool:
    """Return whether a dimension is known to be 0."""
    return data.shape is not None and 0 in data.shape


def _too_few(data: Tensor, k: Tensor, axis: int, index_kind: str | None) -> ShapeError:
    """Return the error of a k below 1.

    OpenVINO 2026.4.1 reads k = 0; the CPU plug-in: K (0) must be greater or equal to 1, unless there are no elements. Where a run computes
    k, it outputs none.
    """
    nothing = None
    if k.entry == 0 and not k.stored and data.shape is not None:
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        shape = (*data.shape[:at], 0, *data.shape[at + 1 :])
        nothing = [Tensor(data.dtype, shape), Tensor(index_kind, shape)]
    message = f"expected at least 1 for `k`, got {show_dim(k.entry)}"
    return ShapeError(R.value_out_of_range, message, "input:1", [1], nothing)


class TopK(Operator):
    """The k largest or smallest along an axis, and their indices."""

    inputs = "data k"
    reads = (1,)

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
        """`or_vector`: k may have one dimension, and be 0. `strict`: k may not exceed the axis, even if there are no elements."""
        if stable and sort == "none":
            raise ShapeError(
                R.value_not_in_enum, "expected `value` or `index` for `sort` of a stable sort", "attr:stable"
            )
        want_dtype(k, "k", 1, "an integer type")
        want_scalar(k, "k", 1, or_single=or_vector)
        if or_vector:
            want_rank(k, "k", 1, 1)
        want_index_type(index_element_type, "index_element_type")
        want_least_rank(data, "data", 0, 1)
        count = k.entry
        if not values.fits(count, 0 if or_vector or _has_zero(data) else 1):
            raise _too_few(data, k, axis, index_element_type)
        if data.shape is None:
            return [Tensor(data.dtype, None), Tensor(index_element_type, None)]
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        dim = data.shape[at]
        low, high = dims.bounds(dim)
        part: Dim = dims.interval(0, high)
        if count is not None:
            wanted = values.to_dim(count)
            least, most = dims.bounds(wanted)
            # OpenVINO 2026.4.1 reads it; the CPU plug-in: K (9) exceeds the axis dimension (3)
            if high is not None and least > high and (strict or 0 not in data.shape):  # no elements, none to look for
                message = f"`k` {show_dim(count)} is larger than dimension {at} of {show(data.shape)} ({show_dim(dim)})"
                raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])
            part = (
                wanted
                if isinstance(wanted, int)
                else dims.interval(min(least, low), high if most is None else most if high is None else min(most, high))
            )
        shape = (*data.shape[:at], part, *data.shape[at + 1 :])
        return [Tensor(data.dtype, shape), Tensor(index_element_type, shape)]

    def run(
        self,
        data: Any,
        k: Any,
        *,
        axis: int,
        mode: str = "max",
        sort: str = "value",
        index_element_type: str = "int32",
        **_: Any,
    ) -> Any:
        count, at = number(k), axis % data.ndim
        if not data.size:
            shape = (*data.shape[:at], count, *data.shape[at + 1 :])  # OpenVINO 2026.4.1 sets no elements
            return [np.zeros(shape, data.dtype), np.zeros(shape, index_element_type)]
        if mode == "max":
            if data.dtype.kind == "u" or data.dtype == bool:
                order = np.argsort(np.iinfo(np.uint64).max - data.astype(np.uint64), at, kind="stable")
            else:
                order = np.argsort(-data.astype(np.int64) if data.dtype.kind == "i" else -data, at, kind="stable")
        else:
            order = np.argsort(data, at, kind="stable")
        picks = np.take(order, np.arange(count), at)
        if sort == "index":
            picks = np.sort(picks, at)
        return [np.take_along_axis(data, picks, at), picks.astype(index_element_type)]


class NonZero(Operator):
    """The coordinates of all elements that are not zero."""

    def shape(self, data: Tensor, *, output_type: str | None = "int64", **_: Any) -> Tensor:
        want_index_type(output_type, "output_type")
        if data.dtype == "string":
            raise ShapeError(R.dtype_mismatch, "expected a numeric type or bool for `data`, got string", "input:0", [0])
        if data.shape is None:
            return Tensor(output_type, (None, None))
        most = dims.bounds(dims.product(data.shape))[1]
        value = values.numbers(data) if data.followed else None
        count: Dim = dims.interval(0, most)
        if value is not None:
            count = sum(entry != 0 for entry in value)
        return Tensor(output_type, (len(data.shape) or 1, count))  # onnxruntime 1.32 takes a scalar for a list of one

    reads = (0,)

    def run(self, data: Any, *, output_type: str = "int64", **_: Any) -> Any:
        return np.array(np.nonzero(np.atleast_1d(data)), output_type)


class Unique(Operator):
    """Unique elements, or slices along an axis; their first indices; the inverse indices; their counts."""

    inputs = "data axis?"
    reads = (1,)

    def shape(
        self,
        data: Tensor,
        axis: Tensor | None = None,
        *,
        index_element_type: str | None = "int64",
        count_element_type: str | None = "int64",
        **_: Any,
    ) -> list[Tensor]:
        want_index_type(index_element_type, "index_element_type")
        want_index_type(count_element_type, "count_element_type")
        kinds = (index_element_type, index_element_type, count_element_type)
        if axis is not None:
            want_dtype(axis, "axis", 1, "int32 or int64")
            want_scalar(axis, "axis", 1)
            if axis.value is None:
                message = "expected a constant for `axis`, got a computed value"
                raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        total = None if data.shape is None else dims.bounds(dims.product(data.shape))[1]
        if axis is None:
            flat = dims.product(data.shape) if data.shape is not None else None
            some = dims.interval(int(dims.bounds(flat)[0] > 0), total)
            return [
                Tensor(data.dtype, (some,)),
                Tensor(kinds[0], (some,)),
                Tensor(kinds[1], (flat,)),
                Tensor(kinds[2], (some,)),
            ]
        listed = axes_of(axis, data.rank, 1, "axis")
        if data.shape is None or listed is None:
            rank = data.rank
            first = Tensor(data.dtype, None if rank is None else (None,) * rank)
            return [first, *(Tensor(kind, (None,)) for kind in kinds)]
        at = listed[0]
        dim = data.shape[at]
        low, high = dims.bounds(dim)
        some = dims.interval(int(low > 0), high)
        shape = (*data.shape[:at], some, *data.shape[at + 1 :])
        return [
            Tensor(data.dtype, shape),
            Tensor(kinds[0], (some,)),
            Tensor(kinds[1], (dim,)),
            Tensor(kinds[2], (some,)),
        ]

    def run(
        self,
        data: Any,
        axis: Any = None,
        *,
        sorted: bool = True,
        index_element_type: str = "int64",
        count_element_type: str = "int64",
        **_: Any,
    ) -> Any:
        at = None if axis is None else number(axis)
        found, first, inverse, counts = np.unique(data, True, True, True, axis=at)
        inverse = inverse.reshape(-1)
        if not sorted:
            order = np.argsort(first, kind="stable")
            rank = np.empty_like(order)
            rank[order] = np.arange(order.size)
            found = np.take(found, order, 0 if at is None else at)
            first, counts, inverse = first[order], counts[order], rank[inverse]
        return [
            found,
            first.astype(index_element_type),
            inverse.astype(index_element_type),
            counts.astype(count_element_type),
        ]


class Bucketize(Operator):
    """Between which of the sorted boundaries each element lies."""

    inputs = "data buckets"

    def shape(self, data: Tensor, buckets: Tensor, *, output_type: str | None = None, **_: Any) -> Tensor:
        want_index_type(output_type, "output_type")
        want_dtype(data, "data", 0, "a numeric type")
        want_dtype(buckets, "buckets", 1, "a numeric type")
        want_rank(buckets, "buckets", 1, 1)
        return Tensor(output_type, data.shape)

    def run(
        self, data: Any, buckets: Any, *, output_type: str = "int64", with_right_bound: bool = True, **_: Any
    ) -> Any:
        return np.searchsorted(buckets, data, "left" if with_right_bound else "right").astype(output_type)


class SearchSorted(Operator):
    """Positions at which values keep rows sorted."""

    inputs = "sorted_sequence values"

    def shape(self, rows: Tensor, wanted: Tensor, *, output_type: str | None = "int64", **_: Any) -> Tensor:
        same_dtype((rows, wanted), self.names)
        want_index_type(output_type, "output_type")
        want_least_rank(rows, "sorted_sequence", 0, 1)
        if rows.shape is None or wanted.shape is None or len(rows.shape) == 1:
            return Tensor(output_type, wanted.shape)
        if len(rows.shape) != len(wanted.shape) or not all(map(dims.compatible, rows.shape[:-1], wanted.shape[:-1])):
            message = (
                f"shapes of `sorted_sequence` {show(rows.shape)} and `values` {show(wanted.shape)} do not match "
                "except in the last dimension"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        merged = tuple(map(dims.merge, rows.shape[:-1], wanted.shape[:-1]))
        return Tensor(output_type, (*merged, wanted.shape[-1]))

    def run(self, rows: Any, wanted: Any, *, output_type: str = "int64", right_mode: bool = False, **_: Any) -> Any:
        side = "right" if right_mode else "left"
        if rows.ndim == 1:
            return np.searchsorted(rows, wanted, side).astype(output_type)
        flat, goal = rows.reshape(-1, rows.shape[-1]), wanted.reshape(-1, wanted.shape[-1])
        found = [np.searchsorted(row, values, side) for row, values in zip(flat, goal, strict=True)]
        return np.array(found, output_type).reshape(wanted.shape)


def _is_static(tensor: Tensor) -> bool:
    return tensor.shape is not None and all(isinstance(dim, int) for dim in tensor.shape)


class OneHot(Operator):
    """One-hot encoding on a new axis."""

    inputs = "indices depth on_value off_value"
    reads = (1,)

    def shape(self, indices: Tensor, depth: Tensor, on: Tensor, off: Tensor, *, axis: int = -1, **_: Any) -> Tensor:
        want_dtype(indices, "indices", 0, "an integer type")
        want_dtype(depth, "depth", 1, "an integer type")
        dtype = same_dtype((on, off), ("on_value", "off_value"), (2, 3))
        for k, tensor in ((1, depth), (2, on), (3, off)):
            # OpenVINO 2026.4.1 runs a depth of an open shape where the values are constants
            if k > 1 or _is_static(depth) or on.entry is None or off.entry is None:
                want_scalar(tensor, self.names[k], k, or_single=False)
        count = depth.entry
        if not values.fits(count, 0):
            raise ShapeError(
                R.value_out_of_range, f"expected at least 0 for `depth`, got {show_dim(count)}", "input:1", [1]
            )
        if indices.shape is None:
            return Tensor(dtype, None)
        at = normalise_axis(axis, len(indices.shape) + 1, "attr:axis")
        new = values.to_dim(count)
        return Tensor(dtype, (*indices.shape[:at], new, *indices.shape[at:]))

    def run(
        self,
        indices: Any,
        depth: Any,
        on: Any,
        off: Any,
        *,
        axis: int = -1,
        negative_indices_mode: str = "ignore_negative",
        **_: Any,
    ) -> Any:
        count = number(depth)
        picks = indices.astype(np.int64)
        if negative_indices_mode == "normalize":
            picks = np.where(picks < 0, picks + count, picks)
        hot = np.expand_dims(picks, axis) == np.arange(count).reshape(
            (-1,) + (1,) * ((-axis - 1) if axis < 0 else indices.ndim - axis)
        )
        return np.where(hot, on, off)


class Multinomial(Operator):
    """Samples of classes by their probabilities."""

    inputs = "probs num_samples"
    reads = (1,)

    def shape(self, probs: Tensor, samples: Tensor, *, convert_type: str | None = None, **_: Any) -> Tensor:
        want_dtype(probs, "probs", 0, "a floating-point type")
        want_rank(probs, "probs", 0, 2)
        want_dtype(samples, "num_samples", 1, "an integer type")
        want_scalar(samples, "num_samples", 1)
        want_index_type(convert_type, "convert_type")
        count = samples.entry
        if not values.fits(count, 0):
            raise ShapeError(
                R.value_out_of_range, f"expected at least 0 for `num_samples`, got {show_dim(count)}", "input:1", [1]
            )
        batch = probs.shape[0] if probs.shape is not None else None
        return Tensor(convert_type, (batch, values.to_dim(count)))

    def run(
        self,
        probs: Any,
        samples: Any,
        *,
        convert_type: str = "int64",
        with_replacement: bool = False,
        log_probs: bool = False,
        global_seed: int = 0,
        op_seed: int = 0,
        **_: Any,
    ) -> Any:
        """By a generator of NumPy's: the largest of the logarithms, each made larger by chance."""
        with np.errstate(divide="ignore"):
            shares = probs.astype(np.float64) if log_probs else np.log(probs.astype(np.float64))
        random, count = np.random.default_rng([global_seed, op_seed]), number(samples)
        if with_replacement:
            return (
                (shares[:, None] + random.gumbel(size=(len(probs), count, probs.shape[1])))
                .argmax(-1)
                .astype(convert_type)
            )
        return np.argsort(-(shares + random.gumbel(size=shares.shape)), 1)[:, :count].astype(convert_type)


class WhereBroadcast(Operator):
    """x where the condition is true, else y; all three broadcast."""

    inputs = "condition x y"

    def shape(self, condition: Tensor, x: Tensor, y: Tensor, **_: Any) -> Tensor:
        both = broadcast(x, y, ("x", "y"), indices=(1, 2))
        whole = broadcast(condition, Tensor(None, both), ("condition", "x and y"))
        return Tensor(x.dtype or y.dtype, whole)

    def run(self, condition: Any, x: Any, y: Any, **_: Any) -> Any:
        return np.where(condition, x, y).astype(getattr(x, "dtype", None) or getattr(y, "dtype", None) or np.float32)
