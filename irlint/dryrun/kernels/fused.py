"""Recurrent networks of many layers whose weights lie in one vector."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.kernels.recurrent import STEPS, Gates, activation, directions, ordered, usual
from irlint.dryrun.lazy import np

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
    ways, batch = 2 if bidirectional else 1, data.shape[1]
    is_lstm = mode == "lstm"
    lengths = more[-1] if use_sequence_length else np.full(batch, data.shape[0])
    limits = (lstm_state_clip_min, lstm_state_clip_max)
    gates = [
        _gates(mode, parts, limits)
        for parts in _weights(parameters, mode, num_layers, ways, state_size, data.shape[2], projection_size)
    ]
    states = [state, more[0]] if is_lstm else [state]
    data, last = np.swapaxes(data, 0, 1), []
    for first in range(0, num_layers * ways, ways):
        layer = slice(first, first + ways)
        outputs, *ends = directions(data, [each[layer] for each in states], lengths, gates[layer])
        data = np.concatenate(list(outputs), 2)
        last.append(ends)
    found = [np.swapaxes(data, 0, 1)]
    return found + ([np.concatenate(parts) for parts in zip(*last, strict=True)] if state_outputs else [])


def _gates(mode: str, parts: list[Any], limits: tuple[Any, Any]) -> Gates:
    """Return a layer in one direction, with gates in the order of the steps."""
    into, back, projection, bias, state_bias = parts
    if mode == "gru":
        into, back, bias, state_bias = (ordered((1, 0, 2), array) for array in (into, back, bias, state_bias))
        size = len(bias) // 3 * 2
        both = np.concatenate([(bias + state_bias)[:size], bias[size:], state_bias[size:]])
        return Gates(STEPS["GRU"][0], into, back, both, usual("GRU"), before=True)
    if mode == "lstm":
        into, back, both = (ordered((1, 0, 2, 3), array) for array in (into, back, bias + state_bias))
        known = None if None in limits else limits
        return Gates(STEPS["LSTM"][0], into, back, both, usual("LSTM"), limits=known, projection=projection)
    functions = [activation(mode.removeprefix("rnn_"), 0.0, 0.0)]
    return Gates(STEPS["RNN"][0], into, back, bias + state_bias, functions)


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
