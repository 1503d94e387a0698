"""Recurrent layers in both directions, by the steps of `kernels.recurrent`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.kernels.products import less, whole_matrix, whole_product
from irlint.dryrun.kernels.recurrent import STEPS, Function, Gates, activation, directions, ordered
from irlint.dryrun.lazy import np
from irlint.dryrun.ops.onnx.scales import QuantizeOwnRange

_PARAMETERS = {"affine": (1.0, 0.0), "leakyrelu": (0.01, 0.0), "elu": (1.0, 0.0), "hardsigmoid": (0.2, 0.5)}
_BETA = ("affine", "hardsigmoid")
_ORDER = (2, 0, 3, 1)  # forget, input, cell, output, where the file has input, output, forget, cell


def run_layer(
    kind: str,
    operands: dict[str, Any],
    count: int,
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
    names = STEPS[kind][1]
    functions = _functions(activations or names * ways, activation_alpha, activation_beta)
    gates = [
        one._replace(
            functions=functions[way * len(names) : (way + 1) * len(names)],
            clip=clip,
            peepholes=None if operands.get("P") is None else operands["P"][way],
            coupled=input_forget,
        )
        for way, one in enumerate(gates_of(kind, operands, count, linear_before_reset, x.dtype))
    ]
    given = [operands.get(name) for name in ("initial_h", "initial_c")[: 1 + (kind == "LSTM")]]
    states = [np.zeros((ways, batch, size), x.dtype) if state is None else state for state in given]
    if batch_first:
        states = [
            state if origin is None else np.swapaxes(state, 0, 1) for state, origin in zip(states, given, strict=True)
        ]
    begun = (lengths > 0)[:, None]  # onnxruntime 1.32: the states after no step are 0, whatever they were before
    states = [np.where(begun, state, 0) for state in states]
    outputs, *last = directions(x, states, lengths, gates, direction)
    if batch_first:
        return [outputs.transpose(1, 2, 0, 3), *(np.swapaxes(state, 0, 1) for state in last)]
    return [outputs.transpose(2, 0, 1, 3), *last]


def gates_of(kind: str, operands: dict[str, Any], count: int, before: bool, dtype: Any) -> list[Gates]:
    """Return the weights of each direction of a layer with `count` gates, in the order of the steps."""
    ways, size = operands["W"].shape[0], min(operands["R"].shape[1:])
    bias = operands.get("B")
    return [
        Gates(
            STEPS[kind][0],
            _weights(kind, operands, "W", way),
            _weights(kind, operands, "R", way),
            _bias(kind, bias, way, count, size, before, dtype),
            (),
            before=before,
        )
        for way in range(ways)
    ]


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

    def __init__(self, matrix: Any, most: Any, scales: Any) -> None:
        """`most` is the largest sum of sizes for one number of the result."""
        self.matrix, self.most, self.scales = matrix, most, scales

    @property
    def T(self) -> OwnRangeWeights:
        return OwnRangeWeights(self.matrix.T, self.most, self.scales)

    def __rmatmul__(self, data: Any) -> Any:
        codes, scale, zero = QuantizeOwnRange().run(data)
        total = whole_product(less(codes, zero, -2), self.matrix, self.most)
        return (total * (scale * self.scales)).astype(np.float32, copy=False)


def _weights(kind: str, operands: dict[str, Any], name: str, way: int) -> Any:
    """Return the weights of one direction, the gates in the order of the steps."""
    scale = operands.get(f"{name}_scale")
    if scale is None:
        return _ordered(kind, operands[name][way])
    numbers = whole_matrix(operands[name][way], operands[f"{name}_zero_point"][way])
    scales = np.broadcast_to(scale[way], numbers["matrix"].shape[1])
    return OwnRangeWeights(_ordered(kind, numbers["matrix"].T), numbers["most"], _ordered(kind, scales))


def _ordered(kind: str, weights: Any) -> Any:
    return ordered(_ORDER, weights) if kind == "LSTM" else weights


def _bias(kind: str, given: Any, way: int, gates: int, size: int, before: bool, dtype: Any) -> Any:
    if given is None:
        return np.zeros((gates + (kind == "GRU" and before)) * size, dtype)
    one, other = np.split(given[way], 2)
    if kind == "GRU" and before:
        both = one + other
        return np.concatenate([both[: 2 * size], one[2 * size :], other[2 * size :]])
    return _ordered(kind, one + other)
