"""Sums of rows of a table, per bag."""

from __future__ import annotations

import itertools
from typing import Any

from irlint.codes import R
from irlint.dryrun import values
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import number
from irlint.dryrun.signature import Match
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class _Bag(Operator):
    """Base: the last operand is a weight for each index, for sums only."""

    def shape(self, *tensors: Tensor, reduction: str = "sum", **_: Any) -> list[Tensor]:
        at = len(self.names) - 1
        if reduction != "sum" and len(tensors) > at and tensors[at] is not None:
            message = f"`per_sample_weights` requires `reduction` `sum`, got `{reduction}`"
            raise ShapeError(R.wrong_input_count, message, f"input:{at}", [at])
        return self.match(*tensors).results


class EmbeddingBagOffsets(_Bag):
    """Bags begin at offsets into a flat list of indices."""

    inputs = """emb_table:[_,*R]/T indices:[N]/I=index offsets:[B]/I=index default_index?:[]/I=index per_sample_weights?:[N]/T
    -> [B,*R]/T"""

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

    inputs = "emb_table:[_,*R]/T indices:[B,N]/index per_sample_weights?:[B,N]/T -> [B,*R]/T"

    def run(self, table: Any, indices: Any, weights: Any = None, *, reduction: str = "sum", **_: Any) -> Any:
        rows = table[indices.astype(np.int64)]
        if weights is not None:
            rows = rows * weights.reshape(weights.shape + (1,) * (rows.ndim - 2))
        return rows.mean(1) if reduction == "mean" else rows.sum(1)


def _rows(found: Match, count: Dim) -> Shape | None:
    rest = found.shape("R")
    return None if rest is None else (count, *rest)


class EmbeddingSegmentsSum(Operator):
    """Each index belongs to the segment at the same position."""

    inputs = """emb_table:[_,*R]/T indices:[N]/I=index segment_ids:[N]/I=index num_segments:[]/I=index default_index?:[]/I=index
    per_sample_weights?:[N]/T"""
    reads = (3,)

    def shape(self, table: Tensor, indices: Tensor, segments: Tensor, count: Tensor, *rest: Tensor, **_: Any) -> Tensor:
        found = self.match(table, indices, segments, count, *rest)
        return Tensor(found.dtype("T"), _rows(found, values.to_dim(count.entry)))

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

    inputs = "data:[N,*R]/numbers segment_ids:[N]/index num_segments?:[]/index"
    reads = (1, 2)

    def shape(self, data: Tensor, segments: Tensor, count: Tensor | None = None, **_: Any) -> Tensor:
        found = self.match(data, segments, count)
        ids = values.numbers(segments)
        if ids is not None and any(a > b for a, b in itertools.pairwise(ids)):
            message = f"expected non-decreasing numbers in `segment_ids`, got {list(ids)}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1])
        rows: Dim = int(ids[-1]) + 1 if ids else None
        return Tensor(data.dtype, _rows(found, rows if count is None else values.to_dim(count.entry)))

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
