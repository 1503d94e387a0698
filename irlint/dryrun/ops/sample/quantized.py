"""Floats to integers of 8 bits and back, with a scale for all or one per channel."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.sample.common import activated, by_channel, want_size
from irlint.dryrun.ops.shaped import Alike
from irlint.dryrun.tensor import Tensor


def _spread(scale: Any, data: Any) -> Any:
    return scale[0] if scale.size == 1 or data.ndim == 1 else by_channel(scale, data)


class _Scaled(Alike):
    result: str | None = None

    def shape(self, data: Tensor, *weights: Any, **attrs: Any) -> Tensor:
        return Tensor(self.result, super().shape(data, *weights, **attrs).shape)

    def check(self, data: Tensor, *weights: Any, **_: Any) -> None:
        shape = data.shape or ()
        for k, weight in enumerate(weights, 1):
            size = weight.shape[0] if weight is not None and weight.shape else 1
            if size != 1 and len(shape) > 1:
                want_size(size, shape[0], self.names[min(k, len(self.names) - 1)], data, f"input:{k}")


class SampleQuantize(_Scaled):
    inputs = "data scale"
    result = "int8"

    def run(self, data: Any, scale: Any, **_: Any) -> Any:
        from irlint.dryrun.kernels.eight_bits import to_int8

        return to_int8(data, _spread(scale, data))


class SampleDequantize(_Scaled):
    inputs = "data scale bias?"
    result = "float32"

    def run(self, data: Any, scale: Any, bias: Any = None, **_: Any) -> Any:
        found = data.astype(np.float32) * _spread(scale, data)
        return found if bias is None else found + _spread(bias, data)


class SampleRequantize(_Scaled):
    inputs = "data scale_in scale_out bias?"
    result = "int8"

    def run(
        self, data: Any, scale_in: Any, scale_out: Any, bias: Any = None, *, activation: Any = None, **_: Any
    ) -> Any:
        from irlint.dryrun.kernels.eight_bits import to_int8

        found = data.astype(np.float32) * _spread(scale_in, data)
        found = activated(found if bias is None else found + _spread(bias, data), activation)
        return to_int8(found, _spread(scale_out, data))
