"""Recurrent cells and sequences: plain, GRU, LSTM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.matching import Match
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor


class Recurrent(Operator):
    """Base of recurrent operators. Of the letters, N is the batch, L the length, I the size of inputs, H that of the hidden state."""

    needs_hidden: ClassVar[bool] = False  # the runtime refuses a hidden_size that is not the tensors'

    def shape(
        self,
        *tensors: Tensor | None,
        hidden_size: int = 0,
        direction: str = "forward",
        linear_before_reset: bool = False,
        batch_first: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        given = {"direction": 2 if direction == "bidirectional" else 1, "biases": 4 if linear_before_reset else 3}
        says = self.says(batch_first)
        found = self.match(*tensors, says=says, **given)
        if says and found["H"] is None and hidden_size:
            found.lengths["H"] = hidden_size, -1
        return self._checked(hidden_size, found)

    def says(self, batch_first: bool) -> str:
        """Return what the operands have to do with each other, where that is up to attributes."""
        return ""

    def _checked(self, given: int, found: Match) -> list[Tensor]:
        """Check the redundant hidden size and return the results; most runtimes use the tensors."""
        hidden, outputs = found["H"], found.results
        if (not given and not self.needs_hidden) or dims.can_be(hidden, given):
            return outputs
        raise ShapeError(
            R.shape_mismatch,
            f"`hidden_size` {given} does not match the hidden size of the weights and states, {show_dim(hidden)}",
            "attr:hidden_size",
            [self.names.index("R")],
            outputs=None if self.needs_hidden else outputs,
        )


class RecurrentCell(Recurrent):
    """One step."""

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.recurrent import run_cell

        return run_cell(type(self).__name__, arrays, **attrs)


class RNNCell(RecurrentCell):
    inputs = "X:[N,I]/T initial_hidden_state:[N,H]/T W:[H,I]/T R:[H,H]/T B:[H]/T -> [N,H]/T"


class GRUCell(RecurrentCell):
    inputs = "X:[N,I]/T initial_hidden_state:[N,H]/T W:[3*H,I]/T R:[3*H,H]/T B:[biases*H]/T -> [N,H]/T"


_LSTM = "X:[N,I]/T initial_hidden_state:[N,H]/T initial_cell_state:[N,H]/T W:[4*H,I]/T R:[4*H,H]/T"


class LSTMCell(RecurrentCell):
    inputs = f"{_LSTM} B:[4*H]/T -> [N,H]/T [N,H]/T"


class LSTMCellPeephole(RecurrentCell):
    """The first version, with weights that look into the cell; absent ones are made by hidden_size."""

    inputs = f"{_LSTM} B?:[4*H]/T P?:[3*H]/T -> [N,H]/T [N,H]/T"
    needs_hidden = True


class RecurrentSteps(Recurrent):
    """Many steps, forward, backward or both."""

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.recurrent import run_sequence

        return run_sequence(type(self).__name__, arrays, **attrs)

    def gates_of(self, *arrays: Any, linear_before_reset: bool = False, **_: Any) -> Sequence[Any]:
        from irlint.dryrun.kernels.recurrent import gates_of

        return gates_of(type(self).__name__, arrays[-3:], linear_before_reset)


def _sequence(gates: int, biases: str, states: int = 1) -> str:
    """Return what the operands of a sequence have to do with each other."""
    state = "[N,direction,H]/T"
    cell = f"initial_cell_state:{state} " if states == 2 else ""
    operands = f"X:[N,L,I]/T initial_hidden_state:{state} {cell}sequence_lengths:[N]/numbers"
    weights = f"W:[direction,{gates}*H,I]/T R:[direction,{gates}*H,H]/T B:[direction,{biases}*H]/T"
    return f"{operands} {weights} -> [N,direction,L,H]/T" + f" {state}" * states


class RNNSequence(RecurrentSteps):
    inputs = _sequence(1, "1")


class GRUSequence(RecurrentSteps):
    inputs = _sequence(3, "biases")


class LSTMSequence(RecurrentSteps):
    inputs = _sequence(4, "4", 2)
