"""Recurrent cells and sequences; all of a sequence's inputs are multiplied by the weights at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np

Function = Callable[[Any], Any]


def _sigmoid(x: Any) -> Any:
    found = np.negative(x)
    np.exp(found, out=found)
    found += 1
    return np.reciprocal(found, out=found)


def activation(name: str, alpha: float, beta: float) -> Function:
    functions: dict[str, Function] = {
        "sigmoid": _sigmoid,
        "tanh": np.tanh,
        "relu": lambda x: np.maximum(x, 0),
        "hardsigmoid": lambda x: np.clip(alpha * x + beta, 0, 1),
        "softsign": lambda x: x / (1 + np.abs(x)),
        "softplus": lambda x: np.logaddexp(x, 0),
        "elu": lambda x: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))),
        "leakyrelu": lambda x: np.where(x > 0, x, alpha * x),
        "affine": lambda x: alpha * x + beta,
    }
    if name.lower() not in functions:
        raise NoKernel
    return functions[name.lower()]


def _functions(
    names: Sequence[str], alphas: Sequence[float], betas: Sequence[float], usual: Sequence[str]
) -> list[Function]:
    chosen = list(names) or list(usual)
    return [
        activation(name, alphas[k] if k < len(alphas) else 0.2, betas[k] if k < len(betas) else 0.5)
        for k, name in enumerate(chosen)
    ]


def clipped(x: Any, clip: float) -> Any:
    return np.clip(x, -clip, clip) if clip > 0 else x


def _rnn(inputs: Any, h: Any, c: Any, r: Any, b: Any, f: list[Function], clip: float, _: bool) -> tuple[Any, Any]:
    return f[0](clipped(inputs + h @ r.T + b, clip)), c


def _lstm(inputs: Any, h: Any, c: Any, r: Any, b: Any, f: list[Function], clip: float, _: bool) -> tuple[Any, Any]:
    """Gates in the order forget, input, cell, output."""
    gates, size = h @ r.T, h.shape[-1]
    gates += inputs
    gates += b
    gates = clipped(gates, clip)
    both = f[0](gates[..., : 2 * size])
    cell = both[..., :size] * c
    cell += both[..., size:] * f[1](gates[..., 2 * size : 3 * size])
    return f[0](gates[..., 3 * size :]) * f[2](cell), cell


def _gru(inputs: Any, h: Any, c: Any, r: Any, b: Any, f: list[Function], clip: float, before: bool) -> tuple[Any, Any]:
    """Gates in the order update, reset, new; with `before` the new gate's state is weighted, then reset."""
    size = h.shape[-1]
    state = h @ r[: 2 * size].T
    update = f[0](clipped(inputs[..., :size] + state[..., :size] + b[..., :size], clip))
    reset = f[0](clipped(inputs[..., size : 2 * size] + state[..., size:] + b[..., size : 2 * size], clip))
    last = r[2 * size :]
    inner = (reset * h) @ last.T if not before else reset * (h @ last.T + b[..., 3 * size :])
    new = f[1](clipped(inputs[..., 2 * size :] + inner + b[..., 2 * size : 3 * size], clip))
    return (1 - update) * new + update * h, c


STEPS = {"RNN": (_rnn, ("tanh",)), "LSTM": (_lstm, ("sigmoid", "tanh", "tanh")), "GRU": (_gru, ("sigmoid", "tanh"))}


def run_cell(
    kind: str,
    arrays: Sequence[Any],
    *,
    activations: Sequence[str] = (),
    activations_alpha: Sequence[float] = (),
    activations_beta: Sequence[float] = (),
    clip: float = 0.0,
    linear_before_reset: bool = False,
    **_: Any,
) -> Any:
    family = kind[: kind.index("C")]
    if kind == "LSTMCellPeephole":
        f = _functions(activations, activations_alpha, activations_beta, STEPS["LSTM"][1])
        x, h, c, w, r, b, p = (*arrays, None, None)[:7]
        return _peephole(x, h, c, w, r, b, p, f, clip)
    step, usual = STEPS[family]
    f = _functions(activations, activations_alpha, activations_beta, usual)
    x, h = arrays[0], arrays[1]
    c = arrays[2] if family == "LSTM" else None
    w, r, b = arrays[-3:]
    new, cell = step(x @ w.T, h, c, r, b, f, clip, linear_before_reset)
    return [new, cell] if family == "LSTM" else new


def _peephole(
    x: Any,
    h: Any,
    c: Any,
    w: Any,
    r: Any,
    b: Any,
    p: Any,
    f: list[Function],
    clip: float,
) -> list[Any]:
    """Gates in the order forget, input, cell, output, whatever order the file names; p looks into the cell."""
    gates = x @ w.T + h @ r.T + (0 if b is None else b)
    parts = dict(zip("fico", np.split(gates, 4, -1), strict=True))
    looks = np.split(p, 3) if p is not None else (0, 0, 0)  # input, output, forget
    forget = f[0](clipped(parts["f"] + looks[2] * c, clip))
    into = f[0](clipped(parts["i"] + looks[0] * c, clip))
    cell = forget * c + into * f[1](clipped(parts["c"], clip))
    return [f[0](clipped(parts["o"] + looks[1] * cell, clip)) * f[2](cell), cell]


def run_sequence(
    kind: str,
    arrays: Sequence[Any],
    *,
    direction: str = "forward",
    activations: Sequence[str] = (),
    activations_alpha: Sequence[float] = (),
    activations_beta: Sequence[float] = (),
    clip: float = 0.0,
    linear_before_reset: bool = False,
    **_: Any,
) -> Any:
    family = kind[: kind.index("S", 1)] if not kind.startswith("LSTM") else "LSTM"
    step, usual = STEPS[family]
    f = _functions(activations, activations_alpha, activations_beta, usual)
    x, h0 = arrays[0], arrays[1]
    c0 = arrays[2] if family == "LSTM" else None
    lengths, w, r, b = arrays[-4:]
    found = []
    for way in range(w.shape[0]):
        backward = direction == "reverse" or way == 1
        cells = None if c0 is None else c0[:, way]
        found.append(
            unrolled(
                x, h0[:, way], cells, lengths, w[way], r[way], b[way], step, f, clip, linear_before_reset, backward
            )
        )
    outputs = [np.stack([y for y, _, _ in found], 1), np.stack([h for _, h, _ in found], 1)]
    if family == "LSTM":
        outputs.append(np.stack([c for _, _, c in found], 1))
    return outputs


def unrolled(
    x: Any,
    h: Any,
    c: Any,
    lengths: Any,
    w: Any,
    r: Any,
    b: Any,
    step: Any,
    f: list[Function],
    clip: float,
    before: bool,
    backward: bool,
) -> tuple[Any, Any, Any]:
    """One direction of a sequence: all outputs, the last state, the last cell."""
    time = x.shape[1]
    weighted = x @ w.T
    outputs = np.zeros((x.shape[0], time, h.shape[-1]), x.dtype)
    limit = np.minimum(lengths.astype(np.int64), time)
    rows = np.arange(x.shape[0])
    if x.shape[0] and (limit == time).all():  # no sequence ends early
        for t in range(time - 1, -1, -1) if backward else range(time):
            h, c = step(weighted[:, t], h, c, r, b, f, clip, before)
            outputs[:, t] = h
        return outputs, h.astype(x.dtype), c if c is None else c.astype(x.dtype)
    for t in range(int(limit.max(initial=0))):
        place = np.where(t < limit, limit - 1 - t, 0) if backward else np.full(x.shape[0], t)
        new, cell = step(weighted[rows, place], h, c, r, b, f, clip, before)
        going = (t < limit)[:, None]
        h = np.where(going, new, h)
        c = None if c is None else np.where(going, cell, c)
        alive = t < limit
        outputs[rows[alive], place[alive]] = new[alive]
    return outputs, h.astype(x.dtype), c if c is None else c.astype(x.dtype)


def run_fused(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel
