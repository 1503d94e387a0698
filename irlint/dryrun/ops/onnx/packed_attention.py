"""Attention as runtimes fuse it: with the projection of its input, with a cache in one tensor, with groups of heads and rotary
positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_shapes, want_shape
from irlint.dryrun.ops.onnx.fused import want_last
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim

kernel: Any = Later("irlint.dryrun.kernels.attention")


def _split(dim: Dim, heads: int, what: str, part: str) -> Dim:
    if heads < 1 or not dims.divisible(dim, heads):
        message = f"{what} ({show_dim(dim)}) is not a multiple of the {heads} heads"
        raise ShapeError(R.shape_mismatch, message, part, [0])
    return dims.exact_divide(dim, heads)


class ProjectedAttention(Operator):
    """Attention whose queries, keys and values are products of one input; keys and values of before are one operand."""

    inputs = (
        "data:[N,L,D] weights:[D,W] bias?:[W] mask?:[_]|[_,_]|[_,_,_]|[_,_,_,_] past?:[2,N,heads,P,_] attention_bias? "
        "past_length?"
    )

    def shape(self, *tensors: Any, heads: int, sizes: Sequence[int] = (), **_: Any) -> list[Tensor]:
        found = self.match(*tensors, heads=heads)
        data, _weights, _bias, mask, past = (*tensors, None, None, None)[:5]
        self._check_mask(data, mask)
        whole = "last dimension of `weights`"
        hidden: Dim = sizes[2] if len(sizes) == 3 else _split(found["W"], 3, whole, "input:1")
        size = _split(hidden, heads, "hidden size", "attr:heads")
        total = found["L"] if past is None else dims.add(found["P"], found["L"])
        present = Tensor(data.dtype, (2, found["N"], heads, total, size))
        return [Tensor(data.dtype, (found["N"], found["L"], hidden)), present]

    @staticmethod
    def _check_mask(data: Tensor, mask: Tensor | None) -> None:
        """Raise unless a list has the length of each row, or its end and its start, or these and running sums of both."""
        if mask is None or mask.shape is None or len(mask.shape) != 1 or data.shape is None:
            return
        batch = data.shape[0]
        counts = [batch, dims.multiply(batch, 2), dims.add(dims.multiply(batch, 3), 2)]
        if not any(dims.compatible(mask.shape[0], count) for count in counts):
            wanted = " or ".join(map(show_dim, counts))
            message = f"expected {wanted} numbers in `mask` for `data` {show(data.shape)}, got {show(mask.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:3", [0, 3])

    def run(
        self,
        data: Any,
        weights: Any,
        bias: Any = None,
        mask: Any = None,
        past: Any = None,
        extra: Any = None,
        length: Any = None,
        *,
        heads: int,
        sizes: Sequence[int] = (),
        causal: bool = False,
        away: float,
        scale: float | None = None,
        rotary: bool = False,
        **_: Any,
    ) -> Any:
        if length is not None or rotary or (mask is not None and mask.ndim > 2):
            raise NoKernel
        whole = data @ weights
        whole = whole if bias is None else whole + bias
        ends = np.cumsum(sizes)[:2] if sizes else 3
        q, k, v = np.split(whole, ends, -1)
        found, keys, values, _scores = kernel.attend(
            q,
            k,
            v,
            _mask(mask, extra, len(data), data.shape[1] + (0 if past is None else past.shape[3]), data.dtype, away),
            None if past is None else past[0],
            None if past is None else past[1],
            q_heads=heads,
            kv_heads=heads,
            scale=scale or None,
            causal=causal,
        )
        return [found, np.stack([keys, values]) if keys.shape == values.shape else keys]


def _mask(mask: Any, extra: Any, batch: int, total: int, dtype: Any, away: float) -> Any:
    """Return what is added to the scores; `mask` tells of each key, or how many there are, whether they count, or get `away`."""
    if mask is None:
        return extra
    if mask.ndim == 1:
        if len(mask) != batch:
            raise NoKernel
        mask = np.arange(total) < mask[:, None]
    added = np.where(mask[:, None, None, :] != 0, dtype.type(0), dtype.type(away))
    return added if extra is None else added + extra


class HeadAttention(Operator):
    """Attention of queries, keys and values that may have their heads side by side, with a bias and a cache."""

    inputs = (
        "query:[N,L,_]|[N,L,heads,3,_] key?:[N,_,_]|[N,heads,_,_]|[N,_,heads,2,_] value?:[N,_,_]|[N,heads,_,_] bias? "
        "key_padding_mask? attention_bias? past_key?:[_,heads,P,_] past_value?:[_,heads,P,_] past_length? indirection?"
    )
    adds_bias = True

    def shape(self, *tensors: Any, heads: int, **_: Any) -> list[Tensor]:
        query, key, value, bias, mask, _extra, past_key, past_value, kept = (*tensors, *[None] * 8)[:9]
        found = self.match(*tensors, heads=heads)
        self._want_pair(key, value)
        if (past_key is None) != (past_value is None):
            message = "expected `past_key` and `past_value`, got one of them"
            raise ShapeError(R.wrong_input_count, message, f"input:{6 if past_value is None else 7}")
        if query.shape is None:
            return [query, Tensor(query.dtype), Tensor(query.dtype), Tensor(query.dtype)]
        batch, length = query.shape[:2]
        if len(query.shape) == 5:
            keys, size = length, query.shape[4]
            wide = dims.multiply(query.shape[2], size)
        else:
            width = query.shape[2]
            size = _split(width, heads, "last dimension of `query`", "attr:heads")
            keys, wide = self._keys(key, value, length, width, heads)
            want_last(bias, dims.add(dims.multiply(width, 2), wide), "bias", 3)
        total = keys if past_key is None else dims.add(found["P"], keys)
        if kept is None:
            self._check_mask(mask, batch, length, total)
        part = _split(wide, heads, "last dimension of `value`", "attr:heads")
        return [
            Tensor(query.dtype, (batch, length, wide)),
            Tensor(query.dtype, (batch, heads, total, size)),
            Tensor(query.dtype, (batch, heads, total, part)),
            Tensor(query.dtype, (batch, heads, length, total)),
        ]

    @staticmethod
    def _want_pair(key: Tensor | None, value: Tensor | None) -> None:
        """Raise unless there are both keys and values of one rank, or none, or both in one operand of rank 5."""
        ranks = [None if tensor is None or tensor.shape is None else len(tensor.shape) for tensor in (key, value)]
        if (key is None and value is not None) or (value is None and ranks[0] in (3, 4)):
            present, absent = ("value", "key") if key is None else ("key", "value")
            message = f"missing input `{absent}`, which `{present}` requires"
            raise ShapeError(R.wrong_input_count, message, f"input:{1 if key is None else 0}")
        if None not in ranks and ranks[0] != ranks[1]:
            message = f"ranks of `key` ({ranks[0]}) and `value` ({ranks[1]}) do not match"
            raise ShapeError(R.wrong_rank, message, "input:2", [1, 2])

    @staticmethod
    def _check_mask(mask: Tensor | None, batch: Dim, length: Dim, total: Dim) -> None:
        """Raise unless a mask has a length of each row, or these and running sums of both ends, or tells of each key, or of each score."""
        if mask is None or mask.shape is None:
            return
        counts = batch, dims.add(dims.multiply(batch, 3), 2)
        wanted = [(count,) for count in counts] + [(batch, total), (batch, length, total)]
        fits = [len(mask.shape) == len(one) and all(map(dims.compatible, mask.shape, one)) for one in wanted]
        if not any(fits):
            listed = ", ".join(map(show, wanted[:-1]))
            message = f"expected shape {listed} or {show(wanted[-1])} for `key_padding_mask`, got {show(mask.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:4", [0, 4])

    @staticmethod
    def _keys(key: Tensor | None, value: Tensor | None, length: Dim, width: Dim, heads: int) -> tuple[Dim, Dim]:
        """Return how many keys there are, and how wide the values are."""
        if key is None:
            return length, width
        rows = value.shape if value is not None else None
        if key.shape is None:
            return None, rows[2] if rows and len(rows) == 3 else None
        if len(key.shape) == 5:
            return key.shape[1], width
        keys = key.shape[2] if len(key.shape) == 4 else key.shape[1]
        if len(key.shape) == 3 and not dims.compatible(key.shape[2], width):
            message = (
                f"last dimensions of `query` ({show_dim(width)}) and `key` ({show_dim(key.shape[2])}) do not match"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        if rows is None:
            return keys, None
        own = rows[2] if len(rows) == 4 else rows[1]
        if not dims.compatible(keys, own):
            message = f"lengths of `key` ({show_dim(keys)}) and `value` ({show_dim(own)}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:2", [1, 2])
        return keys, rows[2] if len(rows) == 3 else dims.multiply(rows[3], heads)

    def run(
        self,
        query: Any,
        key: Any = None,
        value: Any = None,
        bias: Any = None,
        mask: Any = None,
        extra: Any = None,
        past_key: Any = None,
        past_value: Any = None,
        length: Any = None,
        indirection: Any = None,
        *,
        heads: int,
        scale: float | None = None,
        causal: bool = False,
        away: float,
        **_: Any,
    ) -> Any:
        if query.ndim != 3 or key is None or value is None or key.ndim == 5 or length is not None:
            raise NoKernel
        if bias is not None:
            one, two, three = np.split(bias, [query.shape[2], 2 * query.shape[2]])
            query, key, value = (
                query + one,
                key + two if key.ndim == 3 else key,
                value + three if value.ndim == 3 else value,
            )
        keys, values = kernel.by_heads(key, heads), kernel.by_heads(value, heads)
        total = keys.shape[2] + (0 if past_key is None else past_key.shape[2])
        if mask is not None and mask.ndim > 2:
            raise NoKernel
        added = _mask(mask, extra, len(query), total, query.dtype, away)
        found = kernel.attend(
            kernel.by_heads(query, heads), keys, values, added, past_key, past_value, scale=scale or None, causal=causal
        )
        return [kernel.side_by_side(found[0]), *found[1:]]


class DecoderAttention(HeadAttention):
    """The same in a decoder, whose cache has room for keys to come. It has no kernel."""

    def run(self, *arrays: Any, **_: Any) -> Any:
        raise NoKernel


class GroupedAttention(Operator):
    """Causal attention whose keys and values have fewer heads, with a cache, and rotary positions if asked for."""

    inputs = (
        "query:[N,L,W] key?:[_,_,_] value?:[_,_,_] past_key? past_value? seqlens_k:[_,*_] total_length cos? sin? position_ids? "
        "attention_bias? sink? "
        "more*"
    )

    def shape(self, *tensors: Any, heads: int, kv_heads: int, **_: Any) -> list[Tensor]:
        found = self.match(*tensors)
        query, key, _value, past_key, _past_value, lengths = (*tensors, *[None] * 5)[:6]
        if kv_heads < 1 or heads % kv_heads:
            message = f"expected a multiple of the {kv_heads} heads of keys for `heads`, got {heads}"
            raise ShapeError(R.value_out_of_range, message, "attr:heads")
        if query.shape is None:
            return [query, Tensor(query.dtype), Tensor(query.dtype), Tensor(query.dtype)]
        batch, length = found["N"], found["L"]
        parts = heads if key is not None else heads + 2 * kv_heads
        size = _split(found["W"], parts, "last dimension of `query`", "attr:heads")
        self._check(tensors, batch, length, kv_heads, size)
        if lengths is not None and not dims.compatible(dims.product(lengths.shape or (None,)), batch):
            message = f"expected one number per batch ({show_dim(batch)}) in `seqlens_k`, got {show(lengths.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:5", [0, 5])
        present = Tensor(query.dtype if past_key is None else past_key.dtype, (batch, kv_heads, None, size))
        scores = Tensor(query.dtype, (batch, heads, length, None))
        return [Tensor(query.dtype, (batch, length, dims.multiply(size, heads))), present, present, scores]

    def _check(self, tensors: Sequence[Tensor | None], batch: Dim, length: Dim, heads: int, size: Dim) -> None:
        """Raise unless there are as many keys and values as queries, or none, and caches go with them."""
        query, *given = (*tensors, *[None] * 4)[:5]
        wide = dims.multiply(size, heads)
        for k, tensor in enumerate(given[:2], 1):
            if tensor is not None and tensor.rank == 3:
                want_shape(tensor, self.names[k], k, (batch, length, wide), (batch, 0, wide), related=[0])
        past_key, past_value = given[2:]
        kept = size if past_key and query and past_key.dtype == query.dtype else None
        for k, past in ((3, past_key), (4, past_value)):
            if past is not None and past.rank == 4:
                want_shape(past, self.names[k], k, (batch, heads, None, kept), related=[0])
        if past_key is not None and past_value is not None and past_key.dtype == past_value.dtype:
            merge_shapes(past_key, past_value, ("past_key", "past_value"), (3, 4))

    def run(
        self,
        query: Any,
        key: Any,
        value: Any,
        past_key: Any,
        past_value: Any,
        lengths: Any,
        total: Any,
        cos: Any = None,
        sin: Any = None,
        places: Any = None,
        extra: Any = None,
        sink: Any = None,
        *more: Any,
        heads: int,
        kv_heads: int,
        scale: float | None = None,
        rotary: bool = False,
        interleaved: bool = False,
        window: int = -1,
        softcap: float = 0.0,
        smooth: bool = False,
        **_: Any,
    ) -> Any:
        if any(array is not None for array in (places, *more)):
            raise NoKernel
        if sink is not None or smooth:
            sink = np.zeros(1, query.dtype) if sink is None else sink
            sink = sink.reshape(-1, 1, 1)
        if key is None:
            size = query.shape[2] // (heads + 2 * kv_heads)
            query, key, value = np.split(query, [heads * size, (heads + kv_heads) * size], -1)
        q, k, v = kernel.by_heads(query, heads), kernel.by_heads(key, kv_heads), kernel.by_heads(value, kv_heads)
        room = max(int(total.reshape(-1)[0]), 0 if past_key is None else past_key.shape[2])
        shape = (len(q), kv_heads, room, q.shape[3])
        keys, values = np.zeros(shape, q.dtype), np.zeros(shape, q.dtype)
        found = np.empty(q.shape, q.dtype)
        for row, last in enumerate(lengths.reshape(-1).astype(int)):
            end = last + 1
            start = max(end - q.shape[2], 0)
            count = end - start
            mine, new = q[row : row + 1], k[row : row + 1]
            if rotary:
                at = np.arange(start, start + q.shape[2])[None]
                mine = kernel.rotate(mine, cos, sin, at, size=2 * cos.shape[1], interleaved=interleaved)
                new = kernel.rotate(new, cos, sin, at, size=2 * cos.shape[1], interleaved=interleaved)
            if past_key is not None:
                keys[row, :, :start], values[row, :, :start] = past_key[row, :, :start], past_value[row, :, :start]
            keys[row, :, start:end], values[row, :, start:end] = new[0, :, :count], v[row, :, :count]
            distance = np.arange(q.shape[2])[:, None] + start - np.arange(end)
            allowed = distance >= 0
            if window > 0:
                allowed &= distance < window
            bias = np.where(allowed, q.dtype.type(0), q.dtype.type(-np.inf))
            bias = bias if extra is None else bias + extra[row if len(extra) > 1 else 0, :, :, :end]
            found[row] = kernel.attend(
                mine,
                keys[row : row + 1, :, :end],
                values[row : row + 1, :, :end],
                bias,
                scale=scale or None,
                softcap=softcap,
                sink=sink,
            )[0]
        return [kernel.side_by_side(found), keys, values]


class PlacedRotary(Operator):
    """Rotary positions by a table: those of each element, or the first one."""

    inputs = "data:[_,_,_]|[_,_,_,_] position_ids:[]|[_]|[_,_] cos_cache:[R,H] sin_cache:[R,H]"
    reads = (1,)

    def shape(
        self, data: Tensor, places: Tensor, cos: Tensor, sin: Tensor, *, heads: int = 0, size: int = 0, **_: Any
    ) -> Tensor:
        found = self.match(data, places, cos, sin)
        if data.shape is None:
            return data
        width: Dim = None
        if len(data.shape) == 4:
            width = data.shape[3]
        elif heads:
            width = _split(data.shape[2], heads, "last dimension of `data`", "attr:heads")
        halves = [dims.floor_divide(turned, 2) for turned in (width, size or width)]
        if not any(dims.compatible(found["H"], half) for half in halves):
            wanted = " or ".join(dict.fromkeys(map(show_dim, halves)))
            message = f"expected {wanted} as the last dimension of `cos_cache`, got {show(cos.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        self._check_places(places, data.shape[0], data.shape[-2], dims.bounds(found["R"])[1])
        return data

    @staticmethod
    def _check_places(places: Tensor, batch: Dim, length: Dim, rows: int | None) -> None:
        """Raise unless there is a position for each element, or one for the first of each row."""
        each = places.rank == 2
        want_shape(places, "position_ids", 1, (batch, length) if each else (1,) * (places.rank or 0), related=[0])
        if places.shape is None or rows is None:
            return
        last = rows - 1 if each else rows - dims.bounds(length)[0]
        for place in places.value or ():
            if not values.fits(place, 0, last):
                wanted = f"0 to {last} in `position_ids` for `cos_cache` of {rows} rows"
                message = f"expected {wanted}, got {show_dim(place)}"
                raise ShapeError(R.value_out_of_range, message, "input:1", [1, 2])

    def run(
        self,
        data: Any,
        places: Any,
        cos: Any,
        sin: Any,
        *,
        heads: int = 0,
        size: int = 0,
        interleaved: bool = False,
        **_: Any,
    ) -> Any:
        width = size or 2 * cos.shape[1]
        length = data.shape[2] if data.ndim == 4 else data.shape[1]
        if places.size == 1 and length > 1:
            places = np.broadcast_to(places.reshape(-1)[0] + np.arange(length), (len(data), length))
        count = heads or (data.shape[2] // width if data.ndim == 3 else 0)
        return kernel.rotate(
            data, cos, sin, places.reshape(-1, length), heads=count, size=width, interleaved=interleaved
        )
