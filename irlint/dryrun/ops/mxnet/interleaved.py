"""Attention whose queries, keys and values lie interleaved, head by head: (time, batch, heads x parts x width)."""

from __future__ import annotations

import math
from typing import Any

from irlint.dryrun import dims
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor


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


class SelfScores(Operator):
    inputs = "queries_keys_values:[T,N,_]/E -> [heads*N,T,T]/E"

    def shape(self, *tensors: Tensor, heads: int, **_: Any) -> list[Tensor]:
        return self.match(*tensors, heads=heads).results

    def run(self, data: Any, *, heads: int, **_: Any) -> Any:
        return _scores(_part(data, heads, 3, 0), _part(data, heads, 3, 1))


class SelfValues(Operator):
    inputs = "queries_keys_values:[T,N,3*W]/E attention:[_,T,T] -> [T,N,W]/E"

    def run(self, data: Any, attention: Any, *, heads: int, **_: Any) -> Any:
        return _joined(attention @ _part(data, heads, 3, 2), heads)


class CrossScores(SelfScores):
    inputs = "queries:[T,N,W]/E keys_values:[S,N,2*W] -> [heads*N,T,S]/E"

    def run(self, queries: Any, pairs: Any, *, heads: int, **_: Any) -> Any:  # type: ignore[override]
        return _scores(_part(queries, heads, 1, 0), _part(pairs, heads, 2, 0))


class CrossValues(Operator):
    inputs = "keys_values:[S,N,_]/E attention:[heads*N,T,S]"

    def shape(self, pairs: Tensor, attention: Tensor, *, heads: int, **_: Any) -> Tensor:
        found = self.match(pairs, attention, heads=heads)
        width = pairs.shape[2] if pairs.shape is not None else None
        return Tensor(pairs.dtype, (found["T"], found["N"], dims.floor_divide(width, 2)))

    def run(self, pairs: Any, attention: Any, *, heads: int, **_: Any) -> Any:
        return _joined(attention @ _part(pairs, heads, 2, 1), heads)
