"""Recurrent networks of many layers whose weights lie in one vector."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.special import sigmoid

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def run_fused(
    data: Any,
    parameters: Any,
    state: Any,
    *more: Any,
    state_size: int,
    num_layers: int,
    mode: str,
    bidirectional: bool = False,
    state_outputs: bool = False,
    projection_size: int | None = None,
    use_sequence_length: bool = False,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    **_: Any,
) -> list[Any]:
    """Data (time, batch, width); the vector holds all weights, layer by layer and direction by direction, then all biases."""
    ways = 2 if bidirectional else 1
    out = projection_size or state_size
    cells = more[0] if mode == "lstm" else np.zeros((num_layers * ways, data.shape[1], state_size), data.dtype)
    lengths = more[-1].astype(np.int64) if use_sequence_length else np.full(data.shape[1], data.shape[0])
    weights = _weights(parameters, mode, num_layers, ways, state_size, data.shape[2], projection_size)
    clip = (lstm_state_clip_min, lstm_state_clip_max)
    last: list[Any] = []
    last_cells: list[Any] = []
    for layer in range(num_layers):
        results = []
        for way in range(ways):
            k = layer * ways + way
            inputs = _turned(data, lengths) if way else data
            outputs, h, c = _layer(inputs, weights[k], state[k], cells[k], mode, lengths, clip)
            results.append(_turned(outputs, lengths) if way else outputs)
            last.append(h)
            last_cells.append(c)
        data = np.concatenate(results, 2)
    assert data.shape[2] == ways * out
    if not state_outputs:
        return [data]
    return [data, np.stack(last), *([np.stack(last_cells)] if mode == "lstm" else [])]


def _weights(
    vector: Any, mode: str, layers: int, ways: int, size: int, width: int, projection: int | None
) -> list[list[Any]]:
    """Per layer and direction: input weights, state weights, projection (or None), both biases."""
    rows, out = _GATES[mode] * size, projection or size
    found: list[list[Any]] = []
    at = 0

    def cut(*shape: int) -> Any:
        nonlocal at
        count = int(np.prod(shape))
        at += count
        return vector[at - count : at].reshape(shape)

    for layer in range(layers):
        inner = width if layer == 0 else ways * out
        for _ in range(ways):
            found.append([cut(rows, inner), cut(rows, out), cut(projection, size) if projection else None])
    for part in found:
        part += [cut(rows), cut(rows)]
    return found


def _turned(data: Any, lengths: Any) -> Any:
    """Every sequence backwards, as far as it goes."""
    steps = np.arange(data.shape[0])[:, None]
    order = np.where(steps < lengths, lengths - 1 - steps, steps)
    return data[order, np.arange(data.shape[1])]


def _layer(data: Any, weights: list[Any], h: Any, c: Any, mode: str, lengths: Any, clip: Any) -> tuple[Any, Any, Any]:
    into, back, projection, bias, state_bias = weights
    wide = data @ into.T + bias
    outputs = np.zeros((*data.shape[:2], h.shape[-1]), data.dtype)
    for t in range(data.shape[0]):
        new_h, new_c = _step(wide[t], h @ back.T + state_bias, h, c, mode, clip)
        if projection is not None:
            new_h = new_h @ projection.T
        going = (t < lengths)[:, None]
        h, c = np.where(going, new_h, h), np.where(going, new_c, c)
        outputs[t] = np.where(going, new_h, 0)
    return outputs, h, c


def _step(wide: Any, state: Any, h: Any, c: Any, mode: str, clip: Any) -> tuple[Any, Any]:
    """The next hidden and cell state."""
    if mode == "lstm":
        i, f, g, o = np.split(wide + state, 4, 1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        if clip[0] is not None and clip[1] is not None:
            c = np.clip(c, *clip)
        return sigmoid(o) * np.tanh(c), c
    if mode == "gru":
        (r, z, n), (state_r, state_z, state_n) = np.split(wide, 3, 1), np.split(state, 3, 1)
        update = sigmoid(z + state_z)
        return (1 - update) * np.tanh(n + sigmoid(r + state_r) * state_n) + update * h, c
    return (np.tanh(wide + state) if mode == "rnn_tanh" else np.maximum(wide + state, 0)), c
