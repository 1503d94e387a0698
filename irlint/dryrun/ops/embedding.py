"""Sums of rows of a table, per bag."""

from __future__ import annotations

import itertools
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import (
    merge_shapes,
    number,
    same_dtype,
    want_dtype,
    want_least_rank,
    want_rank,
    want_scalar,
)
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class _Bag(Operator):
    def check_common(self, table: Tensor, weights: Tensor | None, at: int, reduction: str = "sum") -> str | None:
        want_least_rank(table, "emb_table", 0, 1)
        if weights is None:
            return table.dtype
        if reduction != "sum":
            message = f"`per_sample_weights` requires `reduction` `sum`, got `{reduction}`"
            raise ShapeError(R.wrong_input_count, message, f"input:{at}", [at])
        return same_dtype((table, weights), ("emb_table", "per_sample_weights"), (0, at))

    def rows(self, table: Tensor, bags: Dim) -> Tensor:
        return Tensor(table.dtype, None if table.shape is None else (bags, *table.shape[1:]))


class EmbeddingBagOffsets(_Bag):
    """Bags begin at offsets into a flat list of indices."""

    inputs = "emb_table indices offsets default_index? per_sample_weights?"

    def shape(
        self,
        table: Tensor,
        indices: Tensor,
        offsets: Tensor,
        default: Tensor | None = None,
        weights: Tensor | None = None,
        *,
        reduction: str = "sum",
        **_: Any,
    ) -> Tensor:
        self.check_common(table, weights, 4, reduction)
        for k, tensor in ((1, indices), (2, offsets), (3, default)):
            want_dtype(tensor, self.names[k], k, "int32 or int64")
        kept = [t for t in (indices, offsets, default) if t is not None]
        same_dtype(kept, self.names[1:], range(1, 4))
        want_rank(indices, "indices", 1, 1)
        want_rank(offsets, "offsets", 2, 1)
        want_scalar(default, "default_index", 3, or_single=False)
        want_rank(weights, "per_sample_weights", 4, 1)
        if weights is not None:
            merge_shapes(indices, weights, ("indices", "per_sample_weights"), (1, 4))
        return self.rows(table, offsets.shape[0] if offsets.shape else None)

    def run(
        self,
        table: Any,
        indices: Any,
        offsets: Any,
        default: Any = None,
        weights: Any = None,
        *,
        reduction: str = "sum",
        **_: Any,
    ) -> Any:
        ends = [*(int(n) for n in offsets[1:]), indices.size]
        result = np.zeros((len(offsets), *table.shape[1:]), table.dtype)
        for k, (first, last) in enumerate(zip(offsets, ends, strict=True)):
            result[k] = bag(
                table,
                indices[int(first) : last],
                default,
                None if weights is None else weights[int(first) : last],
                reduction,
            )
        return result


def bag(table: Any, picks: Any, default: Any, weights: Any, reduction: str = "sum") -> Any:
    if not picks.size:
        if default is None or number(default) < 0:
            return np.zeros(table.shape[1:], table.dtype)
        return table[number(default)]
    rows = table[picks.astype(np.int64)]
    if weights is not None:
        rows = rows * weights.reshape((-1,) + (1,) * (rows.ndim - 1))
    return rows.mean(0) if reduction == "mean" else rows.sum(0)


class EmbeddingBagPacked(_Bag):
    """Each row of indices is a bag."""

    inputs = "emb_table indices per_sample_weights?"

    def shape(
        self, table: Tensor, indices: Tensor, weights: Tensor | None = None, *, reduction: str = "sum", **_: Any
    ) -> Tensor:
        self.check_common(table, weights, 2, reduction)
        want_dtype(indices, "indices", 1, "int32 or int64")
        want_rank(indices, "indices", 1, 2)
        batch = indices.shape[0] if indices.shape is not None else None
        if weights is not None:
            want_rank(weights, "per_sample_weights", 2, 2)
            merged = merge_shapes(indices, weights, ("indices", "per_sample_weights"), (1, 2))
            batch = merged[0] if merged is not None else None
        return self.rows(table, batch)

    def run(self, table: Any, indices: Any, weights: Any = None, *, reduction: str = "sum", **_: Any) -> Any:
        rows = table[indices.astype(np.int64)]
        if weights is not None:
            rows = rows * weights.reshape(weights.shape + (1,) * (rows.ndim - 2))
        return rows.mean(1) if reduction == "mean" else rows.sum(1)


class EmbeddingSegmentsSum(_Bag):
    """Each index belongs to the segment at the same position."""

    inputs = "emb_table indices segment_ids num_segments default_index? per_sample_weights?"
    reads = (3,)

    def shape(
        self,
        table: Tensor,
        indices: Tensor,
        segments: Tensor,
        count: Tensor,
        default: Tensor | None = None,
        weights: Tensor | None = None,
        **_: Any,
    ) -> Tensor:
        self.check_common(table, weights, 5)
        for k, tensor in ((1, indices), (2, segments), (3, count), (4, default)):
            want_dtype(tensor, self.names[k], k, "int32 or int64")
        kept = [t for t in (indices, segments, count, default) if t is not None]
        same_dtype(kept, self.names[1:], range(1, 5))
        want_rank(indices, "indices", 1, 1)
        want_rank(segments, "segment_ids", 2, 1)
        merge_shapes(indices, segments, ("indices", "segment_ids"), (1, 2))
        want_scalar(count, "num_segments", 3, or_single=False)
        want_scalar(default, "default_index", 4, or_single=False)
        want_rank(weights, "per_sample_weights", 5, 1)
        if weights is not None:
            merge_shapes(indices, weights, ("indices", "per_sample_weights"), (1, 5))
        return self.rows(table, values.to_dim(count.value[0]) if count.value else None)

    def run(
        self, table: Any, indices: Any, segments: Any, count: Any, default: Any = None, weights: Any = None, **_: Any
    ) -> Any:
        result = np.zeros((number(count), *table.shape[1:]), table.dtype)
        rows = table[indices.astype(np.int64)]
        if weights is not None:
            rows = rows * weights.reshape((-1,) + (1,) * (rows.ndim - 1))
        np.add.at(result, segments.astype(np.int64), rows)
        if default is not None and number(default) >= 0:
            empty = np.bincount(segments.astype(np.int64), minlength=number(count))[: number(count)] == 0
            result[empty] = table[number(default)]
        return result


class SegmentMax(Operator):
    """The largest of each segment of rows."""

    inputs = "data segment_ids num_segments?"
    reads = (1, 2)

    def shape(self, data: Tensor, segments: Tensor, count: Tensor | None = None, **_: Any) -> Tensor:
        want_least_rank(data, "data", 0, 1)
        want_dtype(data, "data", 0, "a numeric type")
        want_dtype(segments, "segment_ids", 1, "int32 or int64")
        want_rank(segments, "segment_ids", 1, 1)
        if count is not None:
            want_dtype(count, "num_segments", 2, "int32 or int64")
            want_scalar(count, "num_segments", 2, or_single=False)
        if (
            data.shape is not None
            and segments.shape is not None
            and not dims.compatible(data.shape[0], segments.shape[0])
        ):
            message = (
                f"expected one number per row of `data` {show(data.shape)} in `segment_ids`, got "
                f"{show_dim(segments.shape[0])}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        ids = values.numbers(segments)
        if ids is not None and any(a > b for a, b in itertools.pairwise(ids)):
            raise ShapeError(
                R.value_out_of_range,
                f"expected non-decreasing numbers in `segment_ids`, got {list(ids)}",
                "input:1",
                [1],
            )
        rows: Dim = None
        if count is not None:
            rows = values.to_dim(count.value[0]) if count.value else None
        elif ids:
            rows = int(ids[-1]) + 1
        return Tensor(data.dtype, None if data.shape is None else (rows, *data.shape[1:]))

    def run(self, data: Any, segments: Any, count: Any = None, *, fill_mode: str = "zero", **_: Any) -> Any:
        rows = number(count) if count is not None else int(segments[-1]) + 1 if segments.size else 0
        lowest = np.finfo(data.dtype).min if data.dtype.kind == "f" else np.iinfo(data.dtype).min
        result = np.full((rows, *data.shape[1:]), lowest, data.dtype)
        inside = segments < rows
        np.maximum.at(result, segments[inside].astype(np.int64), data[inside])
        if fill_mode == "zero":
            empty = np.bincount(segments.astype(np.int64), minlength=rows)[:rows] == 0
            result[empty] = 0
        return result
