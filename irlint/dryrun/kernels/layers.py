"""Recurrent layers in both directions, by the steps of `kernels.recurrent`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from irlint.dryrun.kernels.recurrent import STEPS, Function, activation, clipped, unrolled
from irlint.dryrun.lazy import np
from irlint.dryrun.ops.onnx.scales import QuantizeOwnRange

_PARAMETERS = {"affine": (1.0, 0.0), "leakyrelu": (0.01, 0.0), "elu": (1.0, 0.0), "hardsigmoid": (0.2, 0.5)}
_BETA = ("affine", "hardsigmoid")
_ORDER = (2, 0, 3, 1)  # forget, input, cell, output, where the file has input, output, forget, cell


def run_layer(
    kind: str,
    operands: dict[str, Any],
    gates: int,
    *,
    direction: str = "forward",
    batch_first: bool = False,
    activations: Sequence[str] = (),
    activation_alpha: Sequence[float] = (),
    activation_beta: Sequence[float] = (),
    clip: float = 0.0,
    linear_before_reset: bool = False,
    input_forget: bool = False,
    **_: Any,
) -> list[Any]:
    x, w, r = operands["X"], operands["W"], operands["R"]
    x = x if batch_first else np.swapaxes(x, 0, 1)
    ways, size, batch = w.shape[0], min(r.shape[1:]), x.shape[0]
    lengths = operands.get("sequence_lens")
    lengths = np.full(batch, x.shape[1]) if lengths is None else lengths
    begun = (lengths > 0)[:, None]  # onnxruntime 1.32: the states after no step are 0, whatever they were before
    step, usual = STEPS[kind]
    functions = _functions(activations or usual * ways, activation_alpha, activation_beta)
    found = []
    for way in range(ways):
        chosen = functions[way * len(usual) : (way + 1) * len(usual)]
        weights = _weights(kind, operands, "W", way, size)
        recurrent = _weights(kind, operands, "R", way, size)
        bias = _bias(kind, operands.get("B"), way, gates, size, linear_before_reset, x.dtype)
        hidden = begun * _state(operands.get("initial_h"), way, batch, size, batch_first, x.dtype)
        cell = None
        if kind == "LSTM":
            cell = begun * _state(operands.get("initial_c"), way, batch, size, batch_first, x.dtype)
        peephole = operands.get("P")
        if kind == "LSTM" and (peephole is not None or input_forget):
            looks = np.zeros(3 * size, x.dtype) if peephole is None else peephole[way]
            step = partial(_looking, looks, input_forget)
        backward = direction == "reverse" or way == 1
        found.append(
            unrolled(
                x, hidden, cell, lengths, weights, recurrent, bias, step, chosen, clip, linear_before_reset, backward
            )
        )
    outputs = np.stack([y for y, _, _ in found], 2)  # batch, time, directions, hidden
    if not batch_first:
        outputs = outputs.transpose(1, 2, 0, 3)
    axis = 1 if batch_first else 0
    result = [outputs, np.stack([h for _, h, _ in found], axis)]
    if kind == "LSTM":
        result.append(np.stack([c for _, _, c in found], axis))
    return result


def _functions(names: Sequence[str], alphas: Sequence[float], betas: Sequence[float]) -> list[Function]:
    """Return the activations; those with parameters take them in turn."""
    alpha, beta, found = iter(alphas), iter(betas), []
    for name in names:
        word = name.lower()
        usual = _PARAMETERS.get(word)
        first = next(alpha, usual[0]) if usual else 0.0
        second = next(beta, usual[1]) if usual and word in _BETA else 0.0
        found.append(activation(name, first, second))
    return found


class OwnRangeWeights:
    """Integers times scales. Products quantise the other operand by its own range, as `OwnRangeLSTM` does at every step."""

    __array_ufunc__ = None  # NumPy leaves `data @ weights` to __rmatmul__

    def __init__(self, numbers: Any, scales: Any) -> None:
        self.numbers, self.scales = numbers, scales

    @property
    def T(self) -> OwnRangeWeights:
        return OwnRangeWeights(self.numbers.T, self.scales)

    def __rmatmul__(self, data: Any) -> Any:
        codes, scale, zero = QuantizeOwnRange().run(data)
        return ((codes.astype(np.float64) - zero) @ self.numbers * (scale * self.scales)).astype(np.float32)


def _weights(kind: str, operands: dict[str, Any], name: str, way: int, size: int) -> Any:
    """Return the weights of one direction, the gates in the order of the steps."""
    scale = operands.get(f"{name}_scale")
    if scale is None:
        return _ordered(kind, operands[name][way], size)
    numbers = operands[name][way].astype(np.float64) - operands[f"{name}_zero_point"][way]
    scales = np.broadcast_to(scale[way], numbers.shape[1])
    return OwnRangeWeights(_ordered(kind, numbers.T, size), _ordered(kind, scales, size))


def _ordered(kind: str, weights: Any, size: int) -> Any:
    """Return rows in the order of the steps' gates."""
    if kind != "LSTM":
        return weights
    return np.concatenate([weights[k * size : (k + 1) * size] for k in _ORDER])


def _bias(kind: str, given: Any, way: int, gates: int, size: int, before: bool, dtype: Any) -> Any:
    if given is None:
        return np.zeros((gates + (kind == "GRU" and before)) * size, dtype)
    one, other = np.split(given[way], 2)
    if kind == "GRU" and before:
        both = one + other
        return np.concatenate([both[: 2 * size], one[2 * size :], other[2 * size :]])
    return _ordered(kind, one + other, size)


def _state(given: Any, way: int, batch: int, size: int, batch_first: bool, dtype: Any) -> Any:
    if given is None:
        return np.zeros((batch, size), dtype)
    return given[:, way] if batch_first else given[way]


def _looking(
    looks: Any,
    coupled: bool,
    inputs: Any,
    h: Any,
    c: Any,
    r: Any,
    b: Any,
    f: list[Function],
    clip: float,
    _: bool,
) -> tuple[Any, Any]:
    """A step of LSTM whose gates look into the cell; `coupled` input and forget gates add up to 1."""
    size = h.shape[-1]
    forget, into, new, out = np.split(inputs + h @ r.T + b, 4, -1)
    look_in, look_out, look_forget = looks[:size], looks[size : 2 * size], looks[2 * size :]
    opened = f[0](clipped(into + look_in * c, clip))
    kept = 1 - opened if coupled else f[0](clipped(forget + look_forget * c, clip))
    cell = kept * c + opened * f[1](clipped(new, clip))
    return f[0](clipped(out + look_out * cell, clip)) * f[2](cell), cell
