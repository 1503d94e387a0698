"""Sums of rows of a table, per bag."""

from __future__ import annotations

import itertools
from typing import Any

from irlint.codes import R
from irlint.dryrun import values
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.matching import Match
from irlint.dryrun.operator import Operator
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
    kernel = "embedding.bags_at_offsets"


class EmbeddingBagPacked(_Bag):
    """Each row of indices is a bag."""

    inputs = "emb_table:[_,*R]/T indices:[B,N]/index per_sample_weights?:[B,N]/T -> [B,*R]/T"
    kernel = "embedding.bags_in_rows"


def _rows(found: Match, count: Dim) -> Shape | None:
    rest = found.shape("R")
    return None if rest is None else (count, *rest)


class EmbeddingSegmentsSum(Operator):
    """Each index belongs to the segment at the same position."""

    inputs = """emb_table:[_,*R]/T indices:[N]/I=index segment_ids:[N]/I=index num_segments:[]/I=index default_index?:[]/I=index
    per_sample_weights?:[N]/T"""
    reads = (3,)
    kernel = "embedding.segment_sums"

    def shape(self, table: Tensor, indices: Tensor, segments: Tensor, count: Tensor, *rest: Tensor, **_: Any) -> Tensor:
        found = self.match(table, indices, segments, count, *rest)
        return Tensor(found.dtype("T"), _rows(found, values.to_dim(count.entry)))


class SegmentMax(Operator):
    """The largest of each segment of rows."""

    inputs = "data:[N,*R]/numbers segment_ids:[N]/index num_segments?:[]/index"
    reads = (1, 2)
    kernel = "embedding.segment_max"

    def shape(self, data: Tensor, segments: Tensor, count: Tensor | None = None, **_: Any) -> Tensor:
        found = self.match(data, segments, count)
        ids = values.numbers(segments)
        if ids is not None and any(a > b for a, b in itertools.pairwise(ids)):
            message = f"expected non-decreasing numbers in `segment_ids`, got {list(ids)}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1])
        rows: Dim = int(ids[-1]) + 1 if ids else None
        return Tensor(data.dtype, _rows(found, rows if count is None else values.to_dim(count.entry)))
