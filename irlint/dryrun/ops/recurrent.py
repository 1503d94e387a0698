"""Recurrent cells and sequences: plain, GRU, LSTM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_dtype, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class Recurrent(Operator):
    """Base of recurrent operators: the dimensions of operands have names, and one name has one length."""

    gates: ClassVar[int] = 1
    states: ClassVar[int] = 1
    needs_hidden: ClassVar[bool] = False  # the runtime refuses a hidden_size that is not the tensors'
    layout: ClassVar[dict[str, str]]  # operand -> names of its dimensions

    def dimensions(
        self,
        operands: Mapping[str, Tensor | None],
        gates_of: dict[str, int],
        directions: int | None,
        layout: Mapping[str, str] | None = None,
    ) -> dict[str, Dim]:
        """Return the length of every name, from all operands."""
        known: dict[str, Dim] = {"directions": directions}
        origin: dict[str, str] = {"directions": "direction"}
        for name, tensor in operands.items():
            if tensor is None or tensor.shape is None:
                continue
            words = (layout or self.layout)[name].split()
            index = self.names.index(name)
            want_rank(tensor, name, index, len(words))
            for k, (word, dim) in enumerate(zip(words, tensor.shape, strict=True)):
                length = dim
                if word == "gated":
                    count = gates_of.get(name, self.gates)
                    if not dims.divisible(dim, count):
                        message = (
                            f"dimension {k} of `{name}` {show(tensor.shape)} is {show_dim(dim)}; expected a multiple of the "
                            f"{count} gates"
                        )
                        raise ShapeError(R.shape_mismatch, message, f"input:{index}", [index])
                    word, length = "hidden", dims.exact_divide(dim, count)
                before = known.get(word)
                if not dims.compatible(before, length):
                    wanted = dims.multiply(before, gates_of.get(name, self.gates)) if words[k] == "gated" else before
                    message = (
                        f"expected {show_dim(wanted)} as dimension {k} of `{name}` "
                        f"({word if words[k] != 'gated' else 'gates times hidden size'}, from `{origin[word]}`), got "
                        f"{show(tensor.shape)}"
                    )
                    raise ShapeError(R.shape_mismatch, message, f"input:{index}", [index])
                if length is not None and before is None:
                    origin[word] = name
                known[word] = dims.merge(before, length) if before is not None else length
        return known

    def check_hidden(self, given: int, hidden: Dim, outputs: list[Tensor]) -> list[Tensor]:
        """Check the redundant hidden size; most runtimes use the tensors."""
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

    def shape(
        self, *tensors: Tensor, hidden_size: int = 0, linear_before_reset: bool = False, clip: float = 0.0, **_: Any
    ) -> list[Tensor]:
        dtype = same_dtype(tensors, self.names)
        operands = dict(zip(self.names, tensors, strict=False))
        known = self.dimensions(operands, self.bias_gates(linear_before_reset), None)
        outputs = [Tensor(dtype, (known.get("batch"), known.get("hidden")))] * self.states
        return self.check_hidden(hidden_size, known.get("hidden"), outputs)

    def bias_gates(self, linear_before_reset: bool) -> dict[str, int]:
        return {}

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.recurrent import run_cell

        return run_cell(type(self).__name__, arrays, **attrs)


_CELL = {
    "X": "batch input",
    "initial_hidden_state": "batch hidden",
    "W": "gated input",
    "R": "gated hidden",
    "B": "gated",
}


class RNNCell(RecurrentCell):
    inputs = "X initial_hidden_state W R B"
    layout = _CELL


class GRUCell(RecurrentCell):
    inputs = "X initial_hidden_state W R B"
    gates = 3
    layout = _CELL

    def bias_gates(self, linear_before_reset: bool) -> dict[str, int]:
        return {"B": 4 if linear_before_reset else 3}


class LSTMCell(RecurrentCell):
    inputs = "X initial_hidden_state initial_cell_state W R B"
    gates = 4
    states = 2
    layout = {**_CELL, "initial_cell_state": "batch hidden"}


class LSTMCellPeephole(RecurrentCell):
    """The first version, with weights that look into the cell; absent ones are made by hidden_size."""

    needs_hidden = True
    inputs = "X initial_hidden_state initial_cell_state W R B? P?"
    gates = 4
    states = 2
    layout = {**_CELL, "initial_cell_state": "batch hidden", "P": "gated"}

    def bias_gates(self, linear_before_reset: bool) -> dict[str, int]:
        return {"P": 3}


class RecurrentSteps(Recurrent):
    """Many steps, forward, backward or both."""

    def shape(
        self,
        *tensors: Tensor,
        hidden_size: int = 0,
        direction: str = "forward",
        linear_before_reset: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        operands = dict(zip(self.names, tensors, strict=True))
        lengths = operands["sequence_lengths"]
        place = self.names.index("sequence_lengths")
        want_dtype(lengths, "sequence_lengths", place, "a numeric type")
        kept = [k for k, name in enumerate(self.names) if name != "sequence_lengths"]
        dtype = same_dtype([tensors[k] for k in kept], [self.names[k] for k in kept], kept)
        both = 2 if direction == "bidirectional" else 1
        known = self.dimensions(operands, self.bias_gates(linear_before_reset), both)
        batch, hidden = known.get("batch"), known.get("hidden")
        whole = Tensor(dtype, (batch, known.get("directions"), known.get("time"), hidden))
        outputs = [whole, *[Tensor(dtype, (batch, known.get("directions"), hidden))] * self.states]
        return self.check_hidden(hidden_size, hidden, outputs)

    def bias_gates(self, linear_before_reset: bool) -> dict[str, int]:
        return {}

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.recurrent import run_sequence

        return run_sequence(type(self).__name__, arrays, **attrs)


_SEQUENCE = {
    "X": "batch time input",
    "initial_hidden_state": "batch directions hidden",
    "sequence_lengths": "batch",
    "W": "directions gated input",
    "R": "directions gated hidden",
    "B": "directions gated",
}


class RNNSequence(RecurrentSteps):
    inputs = "X initial_hidden_state sequence_lengths W R B"
    layout = _SEQUENCE


class GRUSequence(RecurrentSteps):
    inputs = "X initial_hidden_state sequence_lengths W R B"
    gates = 3
    layout = _SEQUENCE

    def bias_gates(self, linear_before_reset: bool) -> dict[str, int]:
        return {"B": 4 if linear_before_reset else 3}


class LSTMSequence(RecurrentSteps):
    inputs = "X initial_hidden_state initial_cell_state sequence_lengths W R B"
    gates = 4
    states = 2
    layout = {**_SEQUENCE, "initial_cell_state": "batch directions hidden"}
