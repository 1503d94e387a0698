"""Recurrent layers over one sequence (steps, size), in one direction or in both."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import show
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.sample.common import rank_error
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class SampleRecurrent(Operator):
    """`cell` is lstm, gru or rnn; weights are (directions, gates x units, ...), with the gates in the order i f o g, or r z n.

    Outputs: what each step outputs, then the last hidden state, and the cell state of lstm.
    """

    inputs = "data hidden? cell? weight? bias? recurrent? projection? scales*"

    def shape(
        self,
        *tensors: Any,
        cell: str,
        units: int,
        width: int,
        both: bool,
        count: int,
        **_: Any,
    ) -> list[Tensor]:
        data, hidden, cell_state, weight = (*tensors, None, None, None)[:4]
        self._check(data, weight)
        directions = 2 if both else 1
        steps = None if not data.shape else 1 if len(data.shape) == 1 else data.shape[-2]
        found: list[Shape] = [(steps, units * directions)]
        for k, (tensor, size) in enumerate(((hidden, units), (cell_state, width)), 1):
            state: Shape = (directions, size)
            given = None if tensor is None else tensor.shape
            if given is not None and not _fits(given, state):
                message = f"expected shape {show(state)} for `{self.names[k]}`, got {show(given)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
            found.append(given or state)
        return [Tensor(data.dtype, shape) for shape in found[:count]]

    @staticmethod
    def _check(data: Tensor, weight: Tensor | None) -> None:
        shape = data.shape
        if shape is None:
            return
        if len(shape) > 2 and shape[0] != 1:
            raise rank_error("data", 0, "2", shape)
        size = weight.shape[2] if weight is not None and weight.shape is not None else None
        if isinstance(size, int) and isinstance(shape[-1], int) and size != shape[-1]:
            message = f"rows of `data` {show(shape)} ({shape[-1]}) and `weight` ({size}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:3", [0])

    def run(
        self,
        data: Any,
        hidden: Any = None,
        cell_state: Any = None,
        weight: Any = None,
        bias: Any = None,
        recurrent: Any = None,
        projection: Any = None,
        *scales: Any,
        cell: str,
        units: int,
        width: int,
        both: bool,
        reverse: bool,
        count: int,
        **_: Any,
    ) -> list[Any]:
        if scales or weight.dtype == np.int8:
            raise NoKernel
        data = data.reshape(-1, data.shape[-1])
        directions = 2 if both else 1
        h = np.zeros((directions, units), np.float32) if hidden is None else hidden.reshape(-1, units).copy()
        c = np.zeros((directions, width), np.float32) if cell_state is None else cell_state.reshape(-1, width).copy()
        outputs = []
        for k in range(directions):
            backwards = k == 1 or reverse
            inputs = data[::-1] if backwards else data
            wide = inputs @ weight[k].T
            made = []
            for row in wide:
                h[k], c[k] = _STEPS[cell](
                    row, h[k], c[k], recurrent[k], bias[k], None if projection is None else projection[k]
                )
                made.append(h[k].copy())
            outputs.append(np.stack(made[::-1] if backwards else made))
        return [np.concatenate(outputs, 1), h, c][:count]


def _fits(shape: Shape, state: Shape) -> bool:
    """Return whether a state has one row for each direction; lengths of 1 in front are as good."""
    if not all(isinstance(dim, int) for dim in shape):
        return True
    rows = [dim for dim in shape[:-1] if dim != 1]
    return shape[-1] == state[-1] and rows == [dim for dim in state[:-1] if dim != 1]


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _lstm(row: Any, h: Any, c: Any, recurrent: Any, bias: Any, projection: Any) -> tuple[Any, Any]:
    i, f, o, g = np.split(row + bias.reshape(-1) + recurrent @ h, 4)
    c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
    h = _sigmoid(o) * np.tanh(c)
    return (h if projection is None else projection @ h), c


def _gru(row: Any, h: Any, c: Any, recurrent: Any, bias: Any, _: Any) -> tuple[Any, Any]:
    r, z, n = np.split(row, 3)
    hr, hz, hn = np.split(recurrent @ h, 3)
    reset, update = _sigmoid(r + hr + bias[0]), _sigmoid(z + hz + bias[1])
    new = np.tanh(n + bias[2] + reset * (hn + bias[3]))
    return (1 - update) * new + update * h, c


def _rnn(row: Any, h: Any, c: Any, recurrent: Any, bias: Any, _: Any) -> tuple[Any, Any]:
    return np.tanh(row + bias.reshape(-1) + recurrent @ h), c


_STEPS = {"lstm": _lstm, "gru": _gru, "rnn": _rnn}
