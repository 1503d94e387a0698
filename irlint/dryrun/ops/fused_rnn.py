"""Recurrent layers whose weights are one vector."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class FusedRNN(Operator):
    """Many layers of a recurrent network with all weights in one vector; time first."""

    inputs = "data:[T,N,I]/E parameters:_/E state:[layers,N,units]/E more*"

    def shape(
        self,
        *tensors: Tensor,
        state_size: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        state_outputs: bool = False,
        projection_size: int | None = None,
        **_: Any,
    ) -> list[Tensor]:
        ways = 2 if bidirectional else 1
        layers, out = num_layers * ways, projection_size or state_size
        found = self.match(*tensors[:3], layers=layers, units=out)
        dtype, width, parameters = found.dtype("E"), found["I"], tensors[1].shape
        if isinstance(width, int) and parameters is not None:
            wanted = self.parameter_count(mode, num_layers, ways, state_size, width, projection_size)
            if not fits((wanted,), parameters):
                message = f"expected shape [{wanted}] for `parameters`, got {show(parameters)}"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        cell: Shape = (layers, found["N"], state_size)
        given = tensors[3].shape if mode == "lstm" and len(tensors) > 3 else None
        if given is not None and not fits(cell, given):
            message = f"expected shape {show(cell)} for `state_cell`, got {show(given)}"
            raise ShapeError(R.shape_mismatch, message, "input:3", [0, 3])
        outputs = [(found["T"], found["N"], ways * out), (layers, found["N"], out), cell]
        count = 1 if not state_outputs else 3 if mode == "lstm" else 2
        return [Tensor(dtype, shape) for shape in outputs[:count]]

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
