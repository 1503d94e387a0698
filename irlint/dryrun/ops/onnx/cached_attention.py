"""Attention with heads, masks and caches, attention as a recurrence, and rotary positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_dims, merge_shapes, stretches, want_rank, want_shape
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def heads_of(tensor: Tensor, heads: int, name: str, index: int, attr: str) -> Shape | None:
    """Return (batch, heads, length, size) of an operand that may have its heads side by side."""
    shape = tensor.shape
    if shape is None or len(shape) == 4:
        return shape
    if not heads:
        message = f"missing required attribute `{attr}` for `{name}` {show(shape)}"
        raise ShapeError(R.missing_attribute, message, "node", [index])
    if heads < 0 or not dims.divisible(shape[2], heads):
        message = f"last dimension of `{name}` {show(shape)} is not a multiple of the {heads} heads"
        raise ShapeError(R.shape_mismatch, message, f"attr:{attr}", [index])
    return (shape[0], heads, shape[1], dims.exact_divide(shape[2], heads))


def _want_within(tensor: Tensor | None, name: str, index: int, most: int | None, whose: int) -> None:
    """Raise unless all known numbers of an operand are 0 or more, up to a limit."""
    for entry in (tensor.value if tensor is not None and most is not None else None) or ():
        if not values.fits(entry, 0, most):
            message = f"expected 0 to {most} in `{name}`, got {show_dim(entry)}"
            raise ShapeError(R.value_out_of_range, message, f"input:{index}", [whose, index])


class CachedAttention(Operator):
    """softmax(Q x K + mask) x V, with K and V after those of a cache; outputs also the new cache and the scores."""

    inputs = (
        "Q:[N,_,_]|[N,_,_,_] K:[N,_,_]|[N,_,_,_] V:[N,_,_]|[N,_,_,_] attn_mask? past_key?:[N,_,P,_] past_value?:[N,_,P,_] "
        "nonpad_kv_seqlen?:[N]"
    )
    kernel = "attention.attend"
    reads = (6,)

    def shape(
        self,
        *tensors: Any,
        q_heads: int = 0,
        kv_heads: int = 0,
        left: int = -1,
        right: int = -1,
        strict: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        """`strict`: the runtime refuses operands without elements, and masks without rows."""
        self._check_reach(left=left, right=right)
        q, k, v, mask, past_key, past_value, lengths = (*tensors, None, None, None, None)[:7]
        self._check_caches(past_key, past_value, lengths)
        found = self.match(*tensors)
        queries = heads_of(q, q_heads, "Q", 0, "q_heads")
        keys, values = heads_of(k, kv_heads, "K", 1, "kv_heads"), heads_of(v, kv_heads, "V", 2, "kv_heads")
        if q.shape is None or queries is None:
            return [Tensor(q.dtype), Tensor(k.dtype), Tensor(v.dtype), Tensor(q.dtype)]
        want_rank(k, "K", 1, len(q.shape))
        want_rank(v, "V", 2, len(q.shape))
        self._check(queries, keys, values)
        self._want_elements((q, k, v) if strict else ())
        made_keys = self._extended(keys, past_key, found["P"], 4)
        made_values = self._extended(values, past_value, found["P"], 5)
        batch, heads, rows = queries[:3]
        size = (values or (None,) * 4)[3]
        total = made_keys[2] if made_keys is not None else None
        _want_within(lengths, "nonpad_kv_seqlen", 6, dims.bounds(total)[1], 1)
        if mask is not None and mask.shape is not None:
            self._check_mask(mask.shape, (batch, heads, rows, total), 2 if strict else 1)
        flat = (batch, rows, dims.multiply(heads, size))
        return [
            Tensor(q.dtype, flat if len(q.shape) == 3 else (batch, heads, rows, size)),
            Tensor((past_key and past_key.dtype) or k.dtype, made_keys),
            Tensor((past_value and past_value.dtype) or v.dtype, made_values),
            Tensor(q.dtype, (batch, heads, rows, total)),
        ]

    def _want_elements(self, tensors: Sequence[Tensor]) -> None:
        for place, tensor in enumerate(tensors):
            if 0 in (tensor.shape or ()):
                message = f"expected at least 1 element in `{self.names[place]}`, got {show(tensor.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{place}", [place])

    @staticmethod
    def _check_reach(**reaches: int) -> None:
        for name, reach in reaches.items():
            if reach < -1:
                raise too_low(name, "at least -1", reach)

    @staticmethod
    def _check_caches(past_key: Tensor | None, past_value: Tensor | None, lengths: Tensor | None) -> None:
        if (past_key is None) != (past_value is None):
            raise ShapeError(R.wrong_input_count, "expected both of `past_key` and `past_value`, or neither", "node")
        if past_key is not None and lengths is not None:
            message = "expected either a cache (`past_key`, `past_value`) or `nonpad_kv_seqlen`, got both"
            raise ShapeError(R.wrong_input_count, message, "input:6")

    def _extended(self, new: Shape | None, past: Tensor | None, length: Dim, index: int) -> Shape | None:
        """Return the shape of a cache with new keys or values."""
        if past is None or new is None:
            return new
        want_shape(past, self.names[index], index, (new[0], new[1], None, new[3]), related=[index - 3])
        return (new[0], new[1], dims.add(length, new[2]), new[3])

    @staticmethod
    def _check(queries: Shape, keys: Shape | None, values: Shape | None) -> None:
        if keys is not None:
            if not dims.compatible(queries[3], keys[3]):
                message = f"head sizes of `Q` ({show_dim(queries[3])}) and `K` ({show_dim(keys[3])}) do not match"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            if isinstance(queries[1], int) and isinstance(keys[1], int) and (not keys[1] or queries[1] % keys[1]):
                message = f"heads of `Q` ({queries[1]}) are not a multiple of those of `K` ({keys[1]})"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        for k, what in ((1, "heads"), (2, "lengths")):
            if keys is not None and values is not None and not dims.compatible(keys[k], values[k]):
                message = f"{what} of `K` ({show_dim(keys[k])}) and `V` ({show_dim(values[k])}) do not match"
                raise ShapeError(R.shape_mismatch, message, "input:2", [1, 2])

    @staticmethod
    def _check_mask(mask: Shape, goal: Shape, least: int) -> None:
        """Raise unless a mask, of a least rank, broadcasts to the scores; it may end before the last keys."""
        last = dims.bounds(goal[-1])[1]
        ends = not mask or last is None or dims.bounds(mask[-1])[0] <= last
        if not least <= len(mask) <= 4 or not ends or not stretches(mask[:-1], goal[:-1]):
            message = f"`attn_mask` {show(mask)} does not broadcast to {show(goal)}"
            raise ShapeError(R.shape_mismatch, message, "input:3", [0, 1, 3])


_GATES = {"linear": (), "gated": ("decay",), "delta": ("beta",), "gated_delta": ("decay", "beta")}


class LinearAttention(Operator):
    """Attention as a recurrence over a state of products of keys and values; outputs also the last state."""

    inputs = "query:[B,T,_] key:[B,T,_] value:[B,T,_] past_state?:[B,_,_,_] decay?:[B,T,_] beta?:[B,T,_]"
    kernel = "attention.attend_linearly"

    def shape(self, *tensors: Any, q_heads: int, kv_heads: int, rule: str, **_: Any) -> list[Tensor]:
        if q_heads < 1 or kv_heads < 1 or q_heads % kv_heads:
            message = f"expected a multiple of the {kv_heads} heads of keys and values for `q_heads`, got {q_heads}"
            raise ShapeError(R.value_out_of_range, message, "attr:q_heads")
        query, key, value, past, decay, beta = (*tensors, None, None, None)[:6]
        for k, gate in ((4, decay), (5, beta)):
            self._check_rule(k, gate is not None, rule)
        found = self.match(*tensors)
        depth = merge_dims(
            _part(query, q_heads, 0, "attr:q_heads"),
            _part(key, kv_heads, 1, "attr:kv_heads"),
            f"head sizes of `query` {show(query.shape)} and `key` {show(key.shape)} do not match",
            1,
            (0, 1),
        )
        width = _part(value, kv_heads, 2, "attr:kv_heads")
        _want_widths(decay, "decay", 4, kv_heads, dims.multiply(depth, kv_heads))
        _want_widths(beta, "beta", 5, 1, kv_heads)
        state = Tensor(query.dtype if past is None else past.dtype, (found["B"], kv_heads, depth, width))
        if past is not None:
            merge_shapes(past, state, ("past_state", "state"), (3, 3))
        return [Tensor(query.dtype, (found["B"], found["T"], dims.multiply(width, q_heads))), state]

    def _check_rule(self, k: int, given: bool, rule: str) -> None:
        gates, name = _GATES.get(rule), self.names[k]
        if gates is not None and given != (name in gates):
            message = f"`update_rule` `{rule}` {'takes no' if given else 'requires'} `{name}`"
            raise ShapeError(R.wrong_input_count, message, f"input:{k}" if given else "node")


def _part(tensor: Tensor, heads: int, index: int, part: str) -> Dim:
    if tensor.shape is None:
        return None
    if not dims.divisible(tensor.shape[2], heads):
        message = f"last dimension of {show(tensor.shape)} is not a multiple of the {heads} heads"
        raise ShapeError(R.shape_mismatch, message, part, [index])
    return dims.exact_divide(tensor.shape[2], heads)


def _want_widths(tensor: Tensor | None, name: str, index: int, *widths: Dim) -> None:
    if tensor is not None and tensor.shape is not None:
        if not any(dims.compatible(tensor.shape[2], width) for width in widths):
            wanted = " or ".join(map(show_dim, widths))
            message = f"expected {wanted} as the last dimension of `{name}`, got {show(tensor.shape)}"
            raise ShapeError(R.shape_mismatch, message, f"input:{index}", [1, index])


class RotaryPositions(Operator):
    """Pairs of elements of each head turned by angles that depend on the position."""

    inputs = "data:[_,_,_]|[_,_,_,_] cos_cache:[rows,half] sin_cache:[rows,half] position_ids?:[batch,length]"
    kernel = "attention.rotate"
    reads = (3,)

    def shape(
        self,
        data: Tensor,
        cos: Tensor,
        sin: Tensor,
        positions: Tensor | None = None,
        *,
        heads: int = 0,
        size: int = 0,
        **_: Any,
    ) -> Tensor:
        self.match(data)
        batch, _heads, length, width = heads_of(data, heads, "data", 0, "heads") or (None, None, None, None)
        if size > (dims.bounds(width)[1] or size):
            message = f"expected at most the head size {show_dim(width)} for `size`, got {size}"
            raise ShapeError(R.value_out_of_range, message, "attr:size", [0])
        says = "data cos_cache:[batch,length,half] sin_cache:[batch,length,half]" if positions is None else ""
        half = dims.floor_divide(size or width, 2)
        found = self.match(data, cos, sin, positions, says=says, batch=batch, length=length, half=half)
        most = dims.bounds(found["rows"])[1]
        _want_within(positions, "position_ids", 3, None if most is None else most - 1, 1)
        return data
