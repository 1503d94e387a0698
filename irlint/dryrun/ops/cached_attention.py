"""Attention with heads, masks and caches, attention as a recurrence, and rotary positions."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_dims, merge_shapes, want_rank
from irlint.dryrun.signature import Match, parse
from irlint.dryrun.tensor import Tensor
from irlint.dryrun.values import fits
from irlint.graph import Dim, Shape

_PACKED, _PAST = parse("[B,T,_] [B,_,_,_]").operands


def heads_of(tensor: Tensor, heads: int, name: str, index: int, attr: str) -> Shape | None:
    """Return (batch, heads, length, size) of an operand that may have its heads side by side."""
    want_rank(tensor, name, index, 3, 4)
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


class CachedAttention(Operator):
    """softmax(Q x K + mask) x V, with K and V after those of a cache; outputs also the new cache and the scores."""

    inputs = "Q K V attn_mask? past_key? past_value? nonpad_kv_seqlen?"
    reads = (6,)

    def shape(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None = None,
        past_key: Tensor | None = None,
        past_value: Tensor | None = None,
        lengths: Tensor | None = None,
        *,
        q_heads: int = 0,
        kv_heads: int = 0,
        left: int = -1,
        right: int = -1,
        strict: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        """`strict`: the runtime refuses operands without elements, and masks without rows."""
        for name, reach in (("left", left), ("right", right)):
            if reach < -1:
                raise too_low(name, "at least -1", reach)
        if (past_key is None) != (past_value is None):
            raise ShapeError(R.wrong_input_count, "expected both of `past_key` and `past_value`, or neither", "node")
        if past_key is not None and lengths is not None:
            message = "expected either a cache (`past_key`, `past_value`) or `nonpad_kv_seqlen`, got both"
            raise ShapeError(R.wrong_input_count, message, "input:6")
        queries = heads_of(q, q_heads, "Q", 0, "q_heads")
        keys, values = heads_of(k, kv_heads, "K", 1, "kv_heads"), heads_of(v, kv_heads, "V", 2, "kv_heads")
        if q.shape is not None:
            want_rank(k, "K", 1, len(q.shape))
            want_rank(v, "V", 2, len(q.shape))
        if q.shape is None or queries is None:
            return [Tensor(q.dtype), Tensor(k.dtype), Tensor(v.dtype), Tensor(q.dtype)]
        self._check(queries, keys, values)
        for place, sizes in enumerate((queries, keys, values) if strict else ()):
            if sizes is not None and 0 in sizes:
                message = f"expected at least 1 element in `{self.names[place]}`, got {show((q, k, v)[place].shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{place}", [place])
        for place, past, new in ((4, past_key, keys), (5, past_value, values)):
            self._check_past(past, new, self.names[place], place)
        if past_key is not None and past_value is not None and past_key.shape and past_value.shape:
            if not dims.compatible(past_key.shape[2], past_value.shape[2]):
                one, other = show(past_key.shape), show(past_value.shape)
                message = f"lengths of `past_key` {one} and `past_value` {other} do not match"
                raise ShapeError(R.shape_mismatch, message, "input:5", [4, 5])
        batch, heads, rows = queries[:3]
        want_rank(lengths, "nonpad_kv_seqlen", 6, 1)
        if lengths is not None and lengths.shape and not dims.compatible(lengths.shape[0], batch):
            message = (
                f"expected one number per batch ({show_dim(batch)}) in `nonpad_kv_seqlen`, got {show(lengths.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:6", [0, 6])
        size = values[3] if values is not None else None
        flat = len(q.shape) == 3
        found = (batch, rows, dims.multiply(heads, size)) if flat else (batch, heads, rows, size)
        kept = [self._kept(new, past) for new, past in ((keys, past_key), (values, past_value))]
        total = kept[0][2] if kept[0] is not None else None
        if lengths is not None and (most := dims.bounds(total)[1]) is not None:
            for length in lengths.value or ():
                if not fits(length, 0, most):
                    message = f"expected 0 to {most} in `nonpad_kv_seqlen`, got {show_dim(length)}"
                    raise ShapeError(R.value_out_of_range, message, "input:6", [1, 6])
        if mask is not None and mask.shape is not None:
            self._check_mask(mask.shape, (batch, heads, rows, total), 2 if strict else 1)
        return [
            Tensor(q.dtype, found),
            Tensor(k.dtype if past_key is None else past_key.dtype or k.dtype, kept[0]),
            Tensor(v.dtype if past_value is None else past_value.dtype or v.dtype, kept[1]),
            Tensor(q.dtype, (batch, heads, rows, total)),
        ]

    @staticmethod
    def _kept(new: Shape | None, past: Tensor | None) -> Shape | None:
        if past is None or new is None:
            return new
        before = past.shape[2] if past.shape is not None and len(past.shape) == 4 else None
        return (new[0], new[1], dims.add(before, new[2]), new[3])

    @staticmethod
    def _check_past(past: Tensor | None, new: Shape | None, name: str, index: int) -> None:
        want_rank(past, name, index, 4)
        if past is None or past.shape is None or new is None:
            return
        if not all(dims.compatible(past.shape[k], new[k]) for k in (0, 1, 3)):
            goal = (new[0], new[1], None, new[3])
            message = f"expected shape {show(goal)} for `{name}`, got {show(past.shape)}"
            raise ShapeError(R.shape_mismatch, message, f"input:{index}", [index - 3, index])

    @staticmethod
    def _check(queries: Shape, keys: Shape | None, values: Shape | None) -> None:
        for k, other in ((1, keys), (2, values)):
            if other is not None and not dims.compatible(queries[0], other[0]):
                message = (
                    f"batches of `Q` ({show_dim(queries[0])}) and `{'QKV'[k]}` ({show_dim(other[0])}) do not match"
                )
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
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
        pairs = list(zip(mask[::-1], goal[::-1], strict=False))[1:]
        ends = not mask or last is None or dims.bounds(mask[-1])[0] <= last
        if (
            not least <= len(mask) <= 4
            or not ends
            or not all(dims.can_be(a, 1) or dims.compatible(a, b) for a, b in pairs)
        ):
            message = f"`attn_mask` {show(mask)} does not broadcast to {show(goal)}"
            raise ShapeError(R.shape_mismatch, message, "input:3", [0, 1, 3])

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.attention import attend

        return attend(*arrays, **attrs)


_GATES = {"linear": (), "gated": ("decay",), "delta": ("beta",), "gated_delta": ("decay", "beta")}


class LinearAttention(Operator):
    """Attention as a recurrence over a state of products of keys and values; outputs also the last state."""

    inputs = "query key value past_state? decay? beta?"

    def shape(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        past: Tensor | None = None,
        decay: Tensor | None = None,
        beta: Tensor | None = None,
        *,
        q_heads: int,
        kv_heads: int,
        rule: str,
        **_: Any,
    ) -> list[Tensor]:
        if q_heads < 1 or kv_heads < 1 or q_heads % kv_heads:
            message = f"expected a multiple of the {kv_heads} heads of keys and values for `q_heads`, got {q_heads}"
            raise ShapeError(R.value_out_of_range, message, "attr:q_heads")
        for k, gate in ((4, decay), (5, beta)):
            self._check_rule(k, gate is not None, rule)
        found = Match(self.names)
        for k, tensor in enumerate((query, key, value, past, decay, beta)):
            if tensor is not None:
                found.take(k, _PAST if k == 3 else _PACKED, tensor)
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
        batch, time = query.shape[:2] if query.shape is not None else (None, None)
        state = Tensor(query.dtype if past is None else past.dtype, (batch, kv_heads, depth, width))
        if past is not None:
            merge_shapes(past, state, ("past_state", "state"), (3, 3))
        return [Tensor(query.dtype, (batch, time, dims.multiply(width, q_heads))), state]

    def _check_rule(self, k: int, given: bool, rule: str) -> None:
        gates, name = _GATES.get(rule), self.names[k]
        if gates is not None and given != (name in gates):
            message = f"`update_rule` `{rule}` {'takes no' if given else 'requires'} `{name}`"
            raise ShapeError(R.wrong_input_count, message, f"input:{k}" if given else "node")

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.attention import attend_linearly

        return attend_linearly(*arrays, **attrs)


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

    inputs = "data cos_cache sin_cache position_ids?"
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
        shape = heads_of(data, heads, "data", 0, "heads")
        want_rank(positions, "position_ids", 3, 2)
        if shape is not None and size > (dims.bounds(shape[3])[1] or size):
            message = f"expected at most the head size {show_dim(shape[3])} for `size`, got {size}"
            raise ShapeError(R.value_out_of_range, message, "attr:size", [0])
        for k, tensor in ((1, cos), (2, sin)):
            want_rank(tensor, self.names[k], k, 3 if positions is None else 2)
            turned: Dim = size or (shape[3] if shape is not None else None)
            if tensor.shape is not None and not dims.compatible(tensor.shape[-1], dims.floor_divide(turned, 2)):
                wanted = show_dim(dims.floor_divide(turned, 2))
                message = f"expected {wanted} as the last dimension of `{self.names[k]}`, got {show(tensor.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        rows = merge_shapes(cos, sin, ("cos_cache", "sin_cache"), (1, 2))
        if positions is not None and rows and (most := dims.bounds(rows[0])[1]) is not None:
            for place in positions.value or ():
                if not fits(place, 0, most - 1):
                    message = f"position {show_dim(place)} in `position_ids` is out of range for `cos_cache` {show(cos.shape)}"
                    raise ShapeError(R.value_out_of_range, message, "input:3", [1, 3])
        goal = None if shape is None else (shape[0], shape[2])
        given, place = (cos, 1) if positions is None else (positions, 3)
        if goal is not None and given.shape is not None and not all(map(dims.compatible, given.shape, goal)):
            message = f"expected batch and length {show(goal)} for `{self.names[place]}`, got {show(given.shape)}"
            raise ShapeError(R.shape_mismatch, message, f"input:{place}", [0, place])
        return data

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.attention import rotate

        return rotate(*arrays, **attrs)
