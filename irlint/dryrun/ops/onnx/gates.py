"""Activations with operands: slopes, gates, clipping."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import stretches
from irlint.dryrun.tensor import Entries, Tensor

elementwise: Any = Later("irlint.dryrun.kernels.elementwise")


class SlopeBelowZero(Operator):
    """Leaky ReLU with slopes that broadcast to the data; `by_channel`: a vector of them is one per channel."""

    inputs = "data:S/T slope:_/T -> S/T"

    def shape(self, data: Tensor, slope: Tensor, *, by_channel: bool = False, **_: Any) -> list[Tensor]:
        found = self.match(data, slope)
        shape = self._aligned(slope.shape, len(data.shape or ()), by_channel) if slope.shape is not None else None
        is_number = data.shape == () and all(dims.can_be(dim, 1) for dim in shape or ())
        if data.shape is not None and shape is not None and not is_number and not stretches(shape, data.shape):
            message = f"`slope` {show(slope.shape)} does not broadcast to `data` {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return found.results

    @staticmethod
    def _aligned(shape: Any, rank: int, by_channel: bool) -> Any:
        return (shape[0], *(1,) * (rank - 2)) if by_channel and len(shape) == 1 and rank > 1 else shape

    def run(self, data: Any, slope: Any, *, by_channel: bool = False, **_: Any) -> Any:
        slope = slope.reshape(self._aligned(slope.shape, data.ndim, by_channel))
        return np.where(data < 0, data * slope, data)


class SwishGate(Operator):
    """The first operand times its sigmoid, times the second."""

    inputs = "gate:S/T data:S/T -> S/T"

    def run(self, gate: Any, data: Any, *, alpha: float = 1.0, **_: Any) -> Any:
        return elementwise.swish(gate, alpha) * data


class Clip(Operator):
    """Between two operands, of which each may be absent; as attributes they are float32."""

    inputs = "data:S/T min?:one max?:one -> S/T"

    def shape(self, *operands: Tensor | None, **_: Any) -> list[Tensor]:
        found = self.match(*operands).results
        low, high = (one.entry if one is not None else None for one in (*operands[1:], None, None)[:2])
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
            message = f"`min` {low:g} is larger than `max` {high:g}, so every element becomes {high:g}"
            raise ShapeError(R.value_out_of_range, message, "input:1", (), found)  # onnxruntime 1.32 runs it
        return found

    def value(self, data: Tensor, low: Tensor | None = None, high: Tensor | None = None, **_: Any) -> Entries | None:
        value = data.value
        if value is None:
            return None
        if low is not None:
            value = tuple([values.larger(entry, low.entry) for entry in value])
        if high is not None:
            value = tuple([values.smaller(entry, high.entry) for entry in value])
        return value

    def run(self, data: Any, low: Any = None, high: Any = None, **_: Any) -> Any:
        if data.dtype.kind == "f":
            return self._clipped(data, low, high)
        found = data if low is None else np.maximum(data, np.asarray(low).reshape(()))
        return found if high is None else np.minimum(found, np.asarray(high).reshape(()))

    def run_over(self, place: int, data: Any, low: Any = None, high: Any = None, **_: Any) -> Any:
        return None if place else self._clipped(data, low, high, data)

    @staticmethod
    def _clipped(data: Any, low: Any, high: Any, out: Any = None) -> Any:
        from irlint.dryrun.kernels.elementwise import clipped

        least = data.dtype.type(-np.inf if low is None else np.asarray(low).reshape(())[()])
        most = data.dtype.type(np.inf if high is None else np.asarray(high).reshape(())[()])
        return clipped(data, least, most, out)
