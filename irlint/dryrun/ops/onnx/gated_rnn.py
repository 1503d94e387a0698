"""Recurrent layers whose states, biases and peepholes may be absent, time or batch first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from irlint.dryrun.ops.openvino.recurrent import Recurrent
from irlint.dryrun.ops.shared.signed import Signed


def _layer(gates: int, states: int, batch_first: bool = False) -> str:
    """Return what the operands of a layer have to do with each other."""
    data, state = ("N,L,I", "N,direction,H") if batch_first else ("L,N,I", "direction,N,H")
    whole = "N,L,direction,H" if batch_first else "L,direction,N,H"
    weights = f"W:[direction,{gates}*H,I]/T R:[direction,{gates}*H,H]/T B?:[direction,{2 * gates}*H]/T"
    cell = f" initial_c?:[{state}]/T P?:[direction,3*H]/T" if states == 2 else ""
    operands = f"X:[{data}]/T {weights} sequence_lens?:[N]/index initial_h?:[{state}]/T{cell}"
    return f"{operands} -> [{whole}]/T" + f" [{state}]/T" * states


class GatedLayer(Recurrent):
    """The base: all outputs, the last output, and for LSTM the last cell."""

    gates: ClassVar[int] = 1
    states: ClassVar[int] = 1

    def says(self, batch_first: bool) -> str:
        return _layer(self.gates, self.states, batch_first)

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.layers import run_layer

        return run_layer(type(self).__name__, dict(zip(self.names, arrays, strict=False)), self.gates, **attrs)

    def gates_of(self, *arrays: Any, linear_before_reset: bool = False, **_: Any) -> Sequence[Any]:
        from irlint.dryrun.kernels.layers import gates_of

        operands = dict(zip(self.names, arrays, strict=False))
        if operands["W"] is None or operands["R"] is None or operands.get("P") is not None:
            return ()
        return gates_of(type(self).__name__, operands, self.gates, linear_before_reset, operands["W"].dtype)


class RNN(GatedLayer):
    inputs = _layer(1, 1)


class GRU(GatedLayer):
    inputs = _layer(3, 1)
    gates = 3


class LSTM(GatedLayer):
    inputs = _layer(4, 2)
    gates = 4
    states = 2


class OwnRangeLSTM(Signed):
    """LSTM by integer weights, transposed, with scales and zero points; `names` are those of LSTM's operands and of these."""

    def run(self, *arrays: Any, names: Sequence[str], **attrs: Any) -> Any:
        from irlint.dryrun.kernels.layers import run_layer

        return run_layer("LSTM", dict(zip(names, arrays, strict=False)), 4, **attrs)
