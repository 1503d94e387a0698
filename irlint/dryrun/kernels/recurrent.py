"""Recurrent cells and sequences; all of a sequence's inputs are multiplied by the weights at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np
from irlint.records import NamedTuple

Function = Callable[[Any], Any]
_LARGE = 1 << 18  # products from which on OpenBLAS multiplies a few rows by a transposed matrix 2 to 7 times as slowly


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


Step = Callable[[Any, Any, Any, "Gates"], "tuple[Any, Any]"]


class Gates(NamedTuple):
    """One direction of a layer: weights of inputs and of states, biases, activations, and what they are clipped to (0: not). `before`: the
    state of GRU's new gate is weighted, then reset. Peepholes, in the order input, output, forget, look into the cell; with `coupled` input
    and forget gates add up to 1. The cell of LSTM is kept within `limits`, and outputs of a step are multiplied by `projection`.
    """

    step: Step
    w: Any
    r: Any
    b: Any
    functions: Sequence[Function]
    clip: float = 0.0
    before: bool = False
    peepholes: Any = None
    coupled: bool = False
    limits: tuple[float, float] | None = None
    projection: Any = None

    def clipped(self, x: Any) -> Any:
        return np.clip(x, -self.clip, self.clip) if self.clip > 0 else x


def _rnn(inputs: Any, h: Any, c: Any, g: Gates) -> tuple[Any, Any]:
    return g.functions[0](g.clipped(inputs + h @ g.r.T + g.b)), c


def _lstm(inputs: Any, h: Any, c: Any, g: Gates) -> tuple[Any, Any]:
    """Gates in the order forget, input, cell, output."""
    if g.peepholes is not None or g.coupled:
        return _looking(inputs, h, c, g)
    f = g.functions
    gates, size = h @ g.r.T, c.shape[-1]
    gates += inputs
    gates += g.b
    gates = g.clipped(gates)
    both = f[0](gates[..., : 2 * size])
    cell = both[..., :size] * c
    cell += both[..., size:] * f[1](gates[..., 2 * size : 3 * size])
    cell = cell if g.limits is None else np.clip(cell, *g.limits)
    return f[0](gates[..., 3 * size :]) * f[2](cell), cell


def _looking(inputs: Any, h: Any, c: Any, g: Gates) -> tuple[Any, Any]:
    f, looks = g.functions, (0, 0, 0) if g.peepholes is None else np.split(g.peepholes, 3)
    forget, into, new, out = np.split(inputs + h @ g.r.T + g.b, 4, -1)
    opened = f[0](g.clipped(into + looks[0] * c))
    kept = 1 - opened if g.coupled else f[0](g.clipped(forget + looks[2] * c))
    cell = kept * c + opened * f[1](g.clipped(new))
    return f[0](g.clipped(out + looks[1] * cell)) * f[2](cell), cell


def _gru(inputs: Any, h: Any, c: Any, g: Gates) -> tuple[Any, Any]:
    """Gates in the order update, reset, new."""
    f, r, b, size = g.functions, g.r, g.b, h.shape[-1]
    state = h @ r[: 2 * size].T
    update = f[0](g.clipped(inputs[..., :size] + state[..., :size] + b[..., :size]))
    reset = f[0](g.clipped(inputs[..., size : 2 * size] + state[..., size:] + b[..., size : 2 * size]))
    last = r[2 * size :]
    inner = (reset * h) @ last.T if not g.before else reset * (h @ last.T + b[..., 3 * size :])
    new = f[1](g.clipped(inputs[..., 2 * size :] + inner + b[..., 2 * size : 3 * size]))
    return (1 - update) * new + update * h, c


STEPS: dict[str, tuple[Step, tuple[str, ...]]] = {
    "RNN": (_rnn, ("tanh",)), "LSTM": (_lstm, ("sigmoid", "tanh", "tanh")), "GRU": (_gru, ("sigmoid", "tanh")),
}  # fmt: skip


def usual(family: str) -> list[Function]:
    """Return the activations that a family has unless others are given."""
    return [activation(name, 0.2, 0.5) for name in STEPS[family][1]]


def ordered(order: Sequence[int], weights: Any) -> Any:
    """Return rows of gates in the order of the steps: each number is the place of a gate in the file."""
    parts = np.split(weights, len(order))
    return np.concatenate([parts[k] for k in order])


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
    family = kind.partition("Cell")[0]
    step, names = STEPS[family]
    f = _functions(activations, activations_alpha, activations_beta, names)
    x, h, *rest = arrays
    c = rest.pop(0) if family == "LSTM" else None
    w, r, b, p = (*rest, None, None)[:4]
    b = np.zeros(len(w), x.dtype) if b is None else b
    new, cell = step(x @ w.T, h, c, Gates(step, w, r, b, f, clip, linear_before_reset, p))
    return [new, cell] if family == "LSTM" else new


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
    names = STEPS[kind.partition("Sequence")[0]][1]
    f = _functions(activations, activations_alpha, activations_beta, names)
    lengths, *weights = arrays[-4:]
    x, *states = arrays[:-4]
    gates = [one._replace(functions=f, clip=clip) for one in gates_of(kind, weights, linear_before_reset)]
    outputs, *last = directions(x, [np.moveaxis(state, 1, 0) for state in states], lengths, gates, direction)
    return [np.moveaxis(array, 0, 1) for array in (outputs, *last)]


def gates_of(kind: str, weights: Sequence[Any], before: bool) -> list[Gates]:
    """Return the weights of each direction of a sequence."""
    step = STEPS[kind.partition("Sequence")[0]][0]
    if any(one is None for one in weights):
        return []
    return [Gates(step, w, r, b, (), before=before) for w, r, b in zip(*weights, strict=True)]


def directions(
    x: Any, states: Sequence[Any], lengths: Any, gates: Sequence[Gates], direction: str = "forward"
) -> list[Any]:
    """Return all outputs (directions, batch, time, size), and the last states (directions, batch, size): hidden ones, and cells if any."""
    hidden, cells = states if len(states) > 1 else (states[0], None)
    found = [
        unrolled(x, hidden[k], None if cells is None else cells[k], lengths, each, direction == "reverse" or k == 1)
        for k, each in enumerate(gates)
    ]
    return [np.stack(parts) for parts in list(zip(*found, strict=True))[: 1 + len(states)]]


def unrolled(x: Any, h: Any, c: Any, lengths: Any, gates: Gates, backward: bool) -> tuple[Any, Any, Any]:
    """Return all outputs of one direction of a sequence, the last state, the last cell."""
    time, step, rows = x.shape[1], gates.step, np.arange(x.shape[0])
    weighted = x @ gates.w.T
    if isinstance(gates.r, np.ndarray) and len(rows) > 1 and len(rows) * gates.r.size > _LARGE:
        gates = gates._replace(r=np.asfortranarray(gates.r))
    outputs = np.zeros((x.shape[0], time, h.shape[-1]), x.dtype)
    limit = np.minimum(lengths.astype(np.int64), time)
    is_whole = bool(x.shape[0]) and bool((limit == time).all())  # no sequence ends early
    for t in range(int(limit.max(initial=0))):
        if is_whole:
            t = time - 1 - t if backward else t
            h, c = step(weighted[:, t], h, c, gates)
            h = h if gates.projection is None else h @ gates.projection.T
            outputs[:, t] = h
            continue
        place = np.where(t < limit, limit - 1 - t, 0) if backward else np.full(x.shape[0], t)
        new, cell = step(weighted[rows, place], h, c, gates)
        new = new if gates.projection is None else new @ gates.projection.T
        alive = t < limit
        h = np.where(alive[:, None], new, h)
        c = None if c is None else np.where(alive[:, None], cell, c)
        outputs[rows[alive], place[alive]] = new[alive]
    return outputs, h.astype(x.dtype), c if c is None else c.astype(x.dtype)
