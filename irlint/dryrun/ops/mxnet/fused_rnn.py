"""Recurrent layers whose weights are one vector."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_shape
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class FusedRNN(Operator):
    """Many layers of a recurrent network with all weights in one vector; time first."""

    inputs = "data:[T,N,I]/E parameters:_/E state:[layers,N,units]/E more*"
    kernel = "fused.run_fused"

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
        ways, is_lstm = 2 if bidirectional else 1, mode == "lstm"
        layers, out = num_layers * ways, projection_size or state_size
        found = self.match(*tensors[:3], layers=layers, units=out)
        width = found["I"]
        if isinstance(width, int):
            count = self.parameter_count(mode, num_layers, ways, state_size, width, projection_size)
            want_shape(tensors[1], "parameters", 1, (count,), related=[0])
        cell: Shape = (layers, found["N"], state_size)
        for tensor in tensors[3:4] if is_lstm else ():
            want_shape(tensor, "state_cell", 3, cell, related=[0])
        outputs = [(found["T"], found["N"], ways * out), (layers, found["N"], out), cell]
        return [Tensor(found.dtype("E"), shape) for shape in outputs[: 1 + state_outputs * (1 + is_lstm)]]

    @staticmethod
    def parameter_count(mode: str, layers: int, ways: int, size: int, width: int, projection: int | None) -> int:
        gates = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}[mode]
        out = projection or size
        projected = ways * projection * size if projection else 0
        first, other = (ways * gates * size * (inner + out + 2) + projected for inner in (width, ways * out))
        return first + (layers - 1) * other if layers > 0 else 0
