"""Attention within one sample: (heads, steps, size), or (steps, size) with projections; with caches of earlier steps."""

from __future__ import annotations

from math import sqrt
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.ops.sample.common import Settled, rank_error
from irlint.dryrun.tensor import Tensor


def _mismatch(message: str, place: int, *places: int) -> ShapeError:
    return ShapeError(R.shape_mismatch, message, f"input:{place}", places or (place,))


def _want_mask(mask: Any, heads: int, steps: int, others: int, place: int) -> None:
    """Raise unless a mask has a number per pair of steps, for all heads or for each."""
    shape = mask.shape
    if shape[-2:] != (steps, others) or (len(shape) == 3 and shape[0] not in (1, heads)):
        raise _mismatch(f"expected shape {show((steps, others))} for `mask`, got {show(shape)}", place)


def _weighed(scores: Any, mask: Any) -> Any:
    scores = scores if mask is None else scores + mask
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


class DotProductAttention(Settled):
    """Queries (heads, steps, size), keys and values (groups of heads, steps, size), a mask, cached keys and values."""

    inputs = "query:[H,L,E] key:[G,M,E] value:[G,M,V] more*"

    def result(
        self, query: Tensor, key: Tensor, value: Tensor, *more: Tensor, masked: bool, cached: bool, count: int, **_: Any
    ) -> list[Tensor]:
        found: Any = self.match(query, key, value)
        heads, steps, size, groups, length, out = map(found.__getitem__, "HLEGMV")
        if heads % groups:
            raise _mismatch(f"`key` {show(key.shape)} and `value` {show(value.shape)} do not match", 2, 1, 2)
        given: list[Any] = [tensor.shape for tensor in more]
        past = given[masked][1] if cached and len(given) > masked else 0
        if masked and more:
            _want_mask(more[0], heads, steps, past + length, 3)
        shapes = [(heads, steps, out), (groups, past + length, size), (groups, past + length, out)]
        return [Tensor(query.dtype, shape) for shape in shapes[:count]]

    def run(
        self,
        query: Any,
        key: Any,
        value: Any,
        *more: Any,
        masked: bool,
        cached: bool,
        count: int,
        scale: float,
        quantized: int = 0,
        **_: Any,
    ) -> Any:
        if quantized:
            raise NoKernel
        if cached:
            key = np.concatenate([more[masked], key], 1)
            value = np.concatenate([more[masked + 1], value], 1)
        often = query.shape[0] // key.shape[0]
        wide, values = np.repeat(key, often, 0), np.repeat(value, often, 0)
        scores = np.matmul(query, np.swapaxes(wide, 1, 2)) * (scale or 1 / sqrt(query.shape[2]))
        found = np.matmul(_weighed(scores, more[0] if masked else None), values)
        return [found, key, value][:count]


_WEIGHTS = 8  # four projections, each with a bias


class MultiHeadAttention(Settled):
    """Queries, keys and values (steps, size), projected to heads; keys and values may be the queries, values the keys.

    The first eight operands are the projections of queries, keys, values and outputs.
    """

    inputs = "weights+"

    def result(
        self,
        *tensors: Any,
        heads: int,
        size: int,
        sizes: tuple[int, int, int],
        masked: bool,
        cached: bool,
        count: int,
        **_: Any,
    ) -> list[Tensor]:
        given = tensors[_WEIGHTS:]
        places = self._places(len(given), masked, cached)
        shapes: list[Any] = [given[k].shape for k in places]
        for k, shape, wanted in zip(places, shapes, sizes, strict=True):
            if len(shape) != 2:
                raise rank_error(f"input {k}", _WEIGHTS + k, "2", shape)
            if shape[1] != wanted:
                raise _mismatch(f"expected rows of {wanted} for input {k}, got {show(shape)}", _WEIGHTS + k)
        steps, length = shapes[0][0], shapes[1][0]
        if shapes[2][0] != length:
            raise _mismatch(f"keys {show(shapes[1])} and values {show(shapes[2])} do not match", _WEIGHTS + places[2])
        past = given[-2].shape[1] if cached and len(given) > 2 else 0
        if past:
            length = past + length if places[0] == places[1] else past
        if masked:
            at = places[2] + 1
            _want_mask(given[at], heads, steps, length, _WEIGHTS + at)
        caches = [(heads, length, size // heads)] * 2
        return [Tensor(given[0].dtype, shape) for shape in [(steps, sizes[0]), *caches][:count]]

    @staticmethod
    def _places(count: int, masked: bool, cached: bool) -> tuple[int, int, int]:
        """Return which inputs are queries, keys and values."""
        own = count - masked - 2 * cached
        return (0, 0, 0) if own == 1 else (0, 1, 1) if own == 2 else (0, 1, 2)

    def run(
        self,
        *arrays: Any,
        heads: int,
        size: int,
        scale: float,
        masked: bool,
        cached: bool,
        count: int,
        quantized: int,
        **_: Any,
    ) -> Any:
        if quantized:
            raise NoKernel
        given = arrays[_WEIGHTS:]
        places = self._places(len(given), masked, cached)
        q, k, v = (
            (given[at] @ arrays[2 * j].T + arrays[2 * j + 1]).reshape(given[at].shape[0], heads, -1).swapaxes(0, 1)
            for j, at in enumerate(places)
        )
        if cached and given[-2].size:
            whole = places[0] == places[1]
            k = np.concatenate([given[-2], k], 1) if whole else given[-2]
            v = np.concatenate([given[-1], v], 1) if whole else given[-1]
        shares = _weighed(np.matmul(q, np.swapaxes(k, 1, 2)) * scale, given[places[2] + 1] if masked else None)
        joined = np.matmul(shares, v).swapaxes(0, 1).reshape(q.shape[1], -1)
        return [joined @ arrays[6].T + arrays[7], k, v][:count]


class RotaryEmbedding(Settled):
    """Pairs of elements of (heads, steps, size) rotated by angles (steps, size / 2, or size) of which the cosine and the sine are given."""

    inputs = "data:[_,_,_] cos sin"

    def result(self, data: Tensor, *tables: Tensor, **_: Any) -> Tensor:
        self.match(data)
        shape: Any = data.shape
        for k, tensor in enumerate(tables, 1):
            angles: Any = tensor.shape
            if dims.product(angles[:-1]) < shape[1] or angles[-1] not in (shape[2] // 2, shape[2]):
                message = f"expected shape {show((shape[1], shape[2] // 2))} for `{self.names[k]}`, got {show(angles)}"
                raise _mismatch(message, k, 0, k)
        return Tensor(data.dtype, shape)

    def run(self, data: Any, cos: Any, sin: Any, *, interleaved: bool, **_: Any) -> Any:
        half = data.shape[2] // 2
        cos, sin = (array.reshape(-1, array.shape[-1])[: data.shape[1]] for array in (cos, sin))
        result = data.copy()
        if interleaved:
            cos, sin = cos.reshape(-1)[: cos.shape[0] * half].reshape(-1, half), sin[:, :half]
            a, b = data[..., 0 : 2 * half : 2], data[..., 1 : 2 * half : 2]
            result[..., 0 : 2 * half : 2], result[..., 1 : 2 * half : 2] = a * cos - b * sin, a * sin + b * cos
            return result
        second = slice(half, 2 * half) if cos.shape[1] == data.shape[2] else slice(0, half)
        a, b = data[..., :half], data[..., half : 2 * half]
        result[..., :half] = a * cos[:, :half] - b * sin[:, :half]
        result[..., half : 2 * half] = a * sin[:, second] + b * cos[:, second]
        return result
