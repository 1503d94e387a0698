"""Attention whose queries, keys and values lie interleaved, head by head: (time, batch, heads x parts x width)."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def _part(data: Any, heads: int, parts: int, which: int) -> Any:
    """Queries, keys or values as (batch x heads, time, width)."""
    time, batch = data.shape[:2]
    split = data.reshape(time, batch, heads, parts, -1)[:, :, :, which]
    return split.transpose(1, 2, 0, 3).reshape(batch * heads, time, -1)


def _joined(data: Any, heads: int) -> Any:
    """(batch x heads, time, width) as (time, batch, heads x width)."""
    split = data.reshape(-1, heads, *data.shape[1:])
    return split.transpose(2, 0, 1, 3).reshape(data.shape[1], split.shape[0], -1)


def _scores(queries: Any, keys: Any) -> Any:
    return (queries / queries.dtype.type(math.sqrt(queries.shape[-1]))) @ np.swapaxes(keys, 1, 2)


def _three(tensor: Tensor, name: str, index: int) -> Shape:
    want_rank(tensor, name, index, 3)
    return tensor.shape or (None, None, None)


def _equal(a: Dim, b: Dim, what: str, tensors: tuple[Tensor, Tensor]) -> None:
    if not dims.compatible(a, b):
        raise ShapeError(
            R.shape_mismatch, f"{what}: {show(tensors[0].shape)} and {show(tensors[1].shape)}", "input:1", [0, 1]
        )


class SelfScores(Operator):
    inputs = "queries_keys_values"

    def shape(self, data: Tensor, *, heads: int, **_: Any) -> Tensor:
        time, batch, _width = _three(data, "queries_keys_values", 0)
        return Tensor(data.dtype, (dims.multiply(batch, heads), time, time))

    def run(self, data: Any, *, heads: int, **_: Any) -> Any:
        return _scores(_part(data, heads, 3, 0), _part(data, heads, 3, 1))


class SelfValues(Operator):
    inputs = "queries_keys_values attention"

    def shape(self, data: Tensor, attention: Tensor, **_: Any) -> Tensor:
        time, batch, width = _three(data, "queries_keys_values", 0)
        _lead, rows, columns = _three(attention, "attention", 1)
        for side in (rows, columns):
            _equal(time, side, "height and width of `attention` do not match the sequence length", (data, attention))
        if not dims.divisible(width, 3):
            raise ShapeError(
                R.shape_mismatch, f"last dimension of {show(data.shape)} is not a multiple of 3", "input:0", [0]
            )
        return Tensor(data.dtype, (time, batch, dims.exact_divide(width, 3)))

    def run(self, data: Any, attention: Any, *, heads: int, **_: Any) -> Any:
        return _joined(attention @ _part(data, heads, 3, 2), heads)


class CrossScores(Operator):
    inputs = "queries keys_values"

    def shape(self, queries: Tensor, pairs: Tensor, *, heads: int, **_: Any) -> Tensor:
        time, batch, width = _three(queries, "queries", 0)
        other, second, wide = _three(pairs, "keys_values", 1)
        _equal(
            dims.multiply(width, 2),
            wide,
            "last dimension of `keys_values` is not twice that of `queries`",
            (queries, pairs),
        )
        _equal(batch, second, "batch sizes of `queries` and `keys_values` do not match", (queries, pairs))
        return Tensor(queries.dtype, (dims.multiply(batch, heads), time, other))

    def run(self, queries: Any, pairs: Any, *, heads: int, **_: Any) -> Any:
        return _scores(_part(queries, heads, 1, 0), _part(pairs, heads, 2, 0))


class CrossValues(Operator):
    inputs = "keys_values attention"

    def shape(self, pairs: Tensor, attention: Tensor, *, heads: int, **_: Any) -> Tensor:
        time, batch, width = _three(pairs, "keys_values", 0)
        lead, rows, columns = _three(attention, "attention", 1)
        _equal(time, columns, "width of `attention` does not match the sequence length", (pairs, attention))
        _equal(
            dims.multiply(batch, heads),
            lead,
            f"first dimension of `attention` is not the batch of `keys_values` times `heads` ({heads})",
            (pairs, attention),
        )
        return Tensor(pairs.dtype, (rows, batch, dims.floor_divide(width, 2)))

    def run(self, pairs: Any, attention: Any, *, heads: int, **_: Any) -> Any:
        return _joined(attention @ _part(pairs, heads, 2, 1), heads)
