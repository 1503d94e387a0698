"""Recurrent layers over one sequence (steps, size), in one direction or in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import show
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.sample.common import rank_error
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape

# Places of the gates in the order of `kernels.recurrent`
_ORDERS = {"lstm": (1, 0, 3, 2), "gru": (1, 0, 2), "rnn": (0,)}


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
        from irlint.dryrun.kernels.recurrent import directions

        ways = 2 if both else 1
        gates = self.gates_of(data, hidden, cell_state, weight, bias, recurrent, projection, cell=cell)
        given = [(hidden, units), (cell_state, width)][: 2 if cell == "lstm" else 1]
        states = [
            np.zeros((ways, 1, size), np.float32) if state is None else state.reshape(ways, 1, size)
            for state, size in given
        ]
        rows = data.reshape(1, -1, data.shape[-1])
        outputs, *last = directions(rows, states, np.array(rows.shape[1:2]), gates, "reverse" if reverse else "forward")
        return [np.concatenate(list(outputs[:, 0]), 1), *(state[:, 0] for state in last)][:count]

    def gates_of(self, *inputs: Any, cell: str = "", **_: Any) -> Sequence[Any]:
        from irlint.dryrun.kernels.recurrent import STEPS, Gates, ordered, usual

        weight, bias, recurrent, projection = (*inputs[3:7], None)[:4]
        if weight is None or bias is None or recurrent is None or weight.dtype == np.int8:
            return ()
        order, family = _ORDERS[cell], cell.upper()
        gates = []
        for k in range(len(weight)):
            whole = ordered((1, 0, 2, 3) if cell == "gru" else order, bias[k]).reshape(-1)
            into, back = ordered(order, weight[k]), ordered(order, recurrent[k])
            after = None if projection is None else projection[k]
            gates.append(Gates(STEPS[family][0], into, back, whole, usual(family), before=True, projection=after))
        return gates


def _fits(shape: Shape, state: Shape) -> bool:
    """Return whether a state has one row for each direction; lengths of 1 in front are as good."""
    if not all(isinstance(dim, int) for dim in shape):
        return True
    rows = [dim for dim in shape[:-1] if dim != 1]
    return shape[-1] == state[-1] and rows == [dim for dim in state[:-1] if dim != 1]
