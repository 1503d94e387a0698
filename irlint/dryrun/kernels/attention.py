"""Attention with heads, masks and caches; attention as a recurrence; rotary positions."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.arrays import cast


def by_heads(array: Any, heads: int) -> Any:
    """Return (batch, heads, length, size) of what may have its heads side by side."""
    if array.ndim == 4:
        return array
    return array.reshape(*array.shape[:2], heads, -1).transpose(0, 2, 1, 3)


def side_by_side(array: Any) -> Any:
    return array.transpose(0, 2, 1, 3).reshape(array.shape[0], array.shape[2], -1)


def shares(scores: Any, sink: Any = None) -> Any:
    """Return softmax along the last axis; zeros for a row without any key. `sink` is the score of one more key, whose value is 0."""
    top = np.max(scores, -1, keepdims=True, initial=-np.inf)
    top = top if sink is None else np.maximum(top, sink)
    top = np.where(np.isneginf(top), 0, top)
    powers = np.exp(scores - top)
    total = np.sum(powers, -1, keepdims=True)
    total = total if sink is None else total + np.exp(sink - top)
    return powers / np.where(total == 0, 1, total)


def attend(
    q: Any,
    k: Any,
    v: Any,
    mask: Any = None,
    past_key: Any = None,
    past_value: Any = None,
    lengths: Any = None,
    *,
    q_heads: int = 0,
    kv_heads: int = 0,
    scale: float | None = None,
    causal: bool = False,
    softcap: float = 0.0,
    precision: str | None = None,
    mode: int = 0,
    left: int = -1,
    right: int = -1,
    sink: Any = None,
    strict: bool = False,
    **_: Any,
) -> list[Any]:
    """`mode` is how far the scores that are the last output are computed; `left` and `right` bound a window of keys. `strict`: as
    onnxruntime's kernel, which has finite scores for what is masked, and does not hide later keys from one query behind a cache."""
    flat, dtype = q.ndim == 3, q.dtype
    q, k, v = by_heads(q, q_heads), by_heads(k, kv_heads), by_heads(v, kv_heads)
    k = k if past_key is None else np.concatenate([past_key, k], 2)
    v = v if past_value is None else np.concatenate([past_value, v], 2)
    present = k, v
    times = q.shape[1] // k.shape[1]
    if times > 1:
        k, v = np.repeat(k, times, 1), np.repeat(v, times, 1)
    root = dtype.type(np.sqrt(1 / np.sqrt(q.shape[3]) if scale is None else scale))
    scores = np.matmul(q * root, np.swapaxes(k, -1, -2) * root)
    kept = scores
    if softcap > 0:
        scores = np.tanh(scores / softcap) * softcap
        kept = scores if mode == 1 else kept
    causal = causal and not (strict and past_key is not None and q.shape[2] == 1)
    bias = _bias(scores.shape, mask, past_key, lengths, causal, left, right, dtype)
    scores = scores + bias
    if mode == 2:
        kept = np.maximum(scores, np.finfo(dtype).min) if strict else scores
    if precision is not None:
        scores = cast(scores, precision)
    found = np.where(np.isneginf(np.max(bias, -1, keepdims=True, initial=-np.inf)), 0, shares(scores, sink))
    kept = found if mode == 3 else kept
    result = np.matmul(found.astype(dtype), v)
    return [side_by_side(result) if flat else result, *present, np.asarray(kept, dtype)]


def _bias(shape: Any, mask: Any, past: Any, lengths: Any, causal: bool, left: int, right: int, dtype: Any) -> Any:
    """Return what is added to the scores: minus infinity where a key does not count."""
    rows, total = shape[-2:]
    away, stays = dtype.type(-np.inf), dtype.type(0)
    bias: Any = np.zeros((rows, total), dtype)
    if mask is not None:
        short = total - mask.shape[-1]
        if short > 0:
            sides = [(0, 0)] * (mask.ndim - 1) + [(0, short)]
            mask = np.pad(mask, sides, constant_values=False if mask.dtype == bool else -np.inf)
        bias = bias + (np.where(mask, stays, away) if mask.dtype == bool else mask)
    first: Any = 0 if past is None else past.shape[2]
    if past is None and lengths is not None:
        first = (lengths.reshape(-1, 1, 1, 1) - rows).astype(np.int64)
    distance = np.arange(rows)[:, None] + first - np.arange(total)
    allowed = np.ones(distance.shape, bool)
    if causal:
        allowed &= distance >= 0
    if left >= 0:
        allowed &= distance <= left
    if right >= 0:
        allowed &= -distance <= right
    if not allowed.all():
        bias = bias + np.where(allowed, stays, away)
    if lengths is not None:
        inside = np.arange(total) < lengths.reshape(-1, 1, 1, 1)
        bias = bias + np.where(inside, stays, away)
    return bias


def attend_linearly(
    query: Any,
    key: Any,
    value: Any,
    past: Any = None,
    decay: Any = None,
    beta: Any = None,
    *,
    q_heads: int,
    kv_heads: int,
    scale: float = 0.0,
    **_: Any,
) -> list[Any]:
    """A state that decays by `decay`, and, with `beta`, takes only what it does not know yet."""
    batch, time = query.shape[:2]
    q, k, v = (
        by_heads(array.astype(np.float32), heads)
        for array, heads in ((query, q_heads), (key, kv_heads), (value, kv_heads))
    )
    depth, width = q.shape[3], v.shape[3]
    state = np.zeros((batch, kv_heads, depth, width), np.float32) if past is None else past.astype(np.float32)
    fading = None if decay is None else np.exp(by_heads(decay.astype(np.float32), kv_heads))
    share = None if beta is None else by_heads(beta.astype(np.float32), beta.shape[2])
    factor = scale or 1 / np.sqrt(depth)
    outputs = np.empty((batch, q_heads, time, width), np.float32)
    for t in range(time):
        if fading is not None:
            state = state * fading[:, :, t, :, None]
        new = v[:, :, t]
        if share is not None:
            new = share[:, :, t] * (new - np.einsum("bhdm,bhd->bhm", state, k[:, :, t]))
        state = state + k[:, :, t, :, None] * new[:, :, None, :]
        read = np.repeat(state, q_heads // kv_heads, 1)
        outputs[:, :, t] = factor * np.einsum("bhd,bhdm->bhm", q[:, :, t], read)
    return [side_by_side(outputs).astype(query.dtype), state.astype(query.dtype if past is None else past.dtype)]


def rotate(
    data: Any,
    cos: Any,
    sin: Any,
    positions: Any = None,
    *,
    heads: int = 0,
    size: int = 0,
    interleaved: bool = False,
    **_: Any,
) -> Any:
    flat = data.ndim == 3
    parts = by_heads(data, heads)
    size = size or parts.shape[3]
    if positions is not None:
        cos, sin = cos[positions], sin[positions]
    cos, sin = cos[:, None], sin[:, None]
    turned = parts[..., :size]
    one, other = (turned[..., ::2], turned[..., 1::2]) if interleaved else np.split(turned, 2, -1)
    real, imaginary = cos * one - sin * other, sin * one + cos * other
    found = (
        np.stack([real, imaginary], -1).reshape(turned.shape) if interleaved else np.concatenate([real, imaginary], -1)
    )
    found = np.concatenate([found, parts[..., size:]], -1)
    return side_by_side(found) if flat else found
