"""Recurrent layers whose weights are one vector."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits, same_dtype, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class FusedRNN(Operator):
    """Many layers of a recurrent network with all weights in one vector; time first."""

    inputs = "data parameters state more*"

    def shape(
        self,
        data: Tensor,
        parameters: Tensor,
        state: Tensor,
        *more: Tensor,
        state_size: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        state_outputs: bool = False,
        projection_size: int | None = None,
        **_: Any,
    ) -> list[Tensor]:
        dtype = same_dtype((data, parameters, state), ("data", "parameters", "state"))
        want_rank(data, "data", 0, 3)
        want_rank(state, "state", 2, 3)
        ways = 2 if bidirectional else 1
        out = projection_size or state_size
        if data.shape is None:
            time, batch, width = None, None, None
        else:
            time, batch, width = data.shape
        if isinstance(width, int):
            wanted = self.parameter_count(mode, num_layers, ways, state_size, width, projection_size)
            if parameters.shape is not None and not (
                len(parameters.shape) == 1 and dims.can_be(parameters.shape[0], wanted)
            ):
                message = f"expected shape [{wanted}] for `parameters`, got {show(parameters.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        goal: Shape = (num_layers * ways, batch, out)
        if state.shape is not None and not all(map(dims.compatible, goal, state.shape)):
            message = f"expected shape {show(goal)} for `state` (layers, batch, size), got {show(state.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        cell: Shape = (num_layers * ways, batch, state_size)
        if mode == "lstm" and more and more[0].shape is not None and not fits(cell, more[0].shape):
            message = f"expected shape {show(cell)} for `state_cell`, got {show(more[0].shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:3", [0, 3])
        found = [Tensor(dtype, (time, batch, ways * out))]
        if state_outputs:
            found.append(Tensor(dtype, goal))
            if mode == "lstm":
                found.append(Tensor(dtype, cell))
        return found

    @staticmethod
    def parameter_count(mode: str, layers: int, ways: int, size: int, width: int, projection: int | None) -> int:
        gates = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}[mode]
        out = projection or size
        projected = ways * projection * size if projection else 0
        first, other = (ways * gates * size * (inner + out + 2) + projected for inner in (width, ways * out))
        return first + (layers - 1) * other if layers > 0 else 0

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.fused import run_fused

        return run_fused(*arrays, **attrs)
