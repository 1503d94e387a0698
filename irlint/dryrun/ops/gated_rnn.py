"""Recurrent layers whose states, biases and peepholes may be absent, time or batch first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.ops.common import same_dtype, want_dtype
from irlint.dryrun.ops.recurrent import Recurrent
from irlint.dryrun.ops.signed import Signed
from irlint.dryrun.tensor import Tensor

_LAYOUT = {
    "X": "time batch input",
    "W": "directions gated input",
    "R": "directions gated hidden",
    "B": "directions gated",
    "sequence_lens": "batch",
    "initial_h": "directions batch hidden",
    "initial_c": "directions batch hidden",
    "P": "directions gated",
}
_BATCH_FIRST = {
    **_LAYOUT,
    "X": "batch time input",
    "initial_h": "batch directions hidden",
    "initial_c": "batch directions hidden",
}


class GatedLayer(Recurrent):
    """The base: all outputs, the last output, and for LSTM the last cell."""

    layout = _LAYOUT
    kind = ""

    def shape(
        self,
        *tensors: Tensor | None,
        hidden_size: int = 0,
        direction: str = "forward",
        batch_first: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        operands = dict(zip(self.names, tensors, strict=False))
        want_dtype(operands.get("sequence_lens"), "sequence_lens", 4, "int32 or int64")
        kept = [k for k, name in enumerate(self.names[: len(tensors)]) if name != "sequence_lens"]
        dtype = same_dtype([tensors[k] for k in kept], [self.names[k] for k in kept], kept)
        both = 2 if direction == "bidirectional" else 1
        layout = _BATCH_FIRST if batch_first else _LAYOUT
        known = self.dimensions(operands, {"B": 2 * self.gates, "P": 3}, both, layout)
        time, batch, hidden = known.get("time"), known.get("batch"), known.get("hidden")
        if hidden is None and hidden_size:
            hidden = hidden_size
        whole = (batch, time, both, hidden) if batch_first else (time, both, batch, hidden)
        last = (batch, both, hidden) if batch_first else (both, batch, hidden)
        return self.check_hidden(hidden_size, hidden, [Tensor(dtype, whole), *[Tensor(dtype, last)] * self.states])

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.layers import run_layer

        return run_layer(self.kind, dict(zip(self.names, arrays, strict=False)), self.gates, **attrs)


class RNN(GatedLayer):
    inputs = "X W R B? sequence_lens? initial_h?"
    kind = "RNN"


class GRU(GatedLayer):
    inputs = "X W R B? sequence_lens? initial_h?"
    kind = "GRU"
    gates = 3


class LSTM(GatedLayer):
    inputs = "X W R B? sequence_lens? initial_h? initial_c? P?"
    kind = "LSTM"
    gates = 4
    states = 2


class OwnRangeLSTM(Signed):
    """LSTM by integer weights, transposed, with scales and zero points; `names` are those of LSTM's operands and of these."""

    def run(self, *arrays: Any, names: Sequence[str], **attrs: Any) -> Any:
        from irlint.dryrun.kernels.layers import run_layer

        return run_layer("LSTM", dict(zip(names, arrays, strict=False)), 4, **attrs)
