"""Convolutions of training frameworks: with bias, redundant kernel and filter attributes, channels first or last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, want_least
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_rank
from irlint.dryrun.ops.openvino.convolution import grouped_channels
from irlint.dryrun.ops.windows import Windows, filled, want_channels, want_parts, want_per_axis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


def _first(tensor: Tensor) -> Tensor:
    """Move channels from the last to the second axis."""
    shape = tensor.shape
    return tensor if shape is None or len(shape) < 2 else Tensor(tensor.dtype, (shape[0], shape[-1], *shape[1:-1]))


def _check_weight(weight: Tensor, kernel: Sequence[int], units: int | None, at: int) -> None:
    """Check the weight against the attributes."""
    shape = weight.shape
    if shape is None:
        return
    want_rank(weight, "weight", 1, len(kernel) + 2)
    if not all(map(dims.can_be, shape[2:], kernel)):
        message = f"window of `weight` {show(shape[2:])} does not match `kernel` {list(kernel)}"
        raise ShapeError(R.shape_mismatch, message, "input:1", [1])
    if units is not None and not dims.can_be(shape[at], units):
        message = f"output channels of `weight` ({show_dim(shape[at])}) do not match the expected {units}"
        raise ShapeError(R.shape_mismatch, message, "input:1", [1])


class _Biased(Operator):
    """The base: windows of a weight slid over data, plus bias."""

    outer: ClassVar[int] = 0  # the axis of the weight that has the output channels

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        kernel: Sequence[int],
        units: int | None = None,
        channels_last: bool = False,
        groups: int = 1,
        out_dtype: str | None = None,
        **attrs: Any,
    ) -> Tensor:
        image, filters = (_first(data), _first(weight)) if channels_last else (data, weight)
        filters = self.plain(filters, groups)
        _check_weight(filters, kernel, units, self.outer)
        outer = units if units is not None or not filters.shape else filters.shape[self.outer]
        found = self.match(data, weight, bias, units=outer)
        # the bias may have the wanted type, too
        dtype = out_dtype or same_dtype((Tensor(found.dtype("T")), bias), (self.names[0], self.names[2]), (0, 2))
        shape = image.shape or (None,) * (len(kernel) + 2)
        want_least(1, groups=groups)
        want_parts((*shape, None)[1], groups, "groups", "input channels")
        want_parts(outer, groups, "groups", "output channels")
        want_rank(image, "data", 0, len(kernel) + 2)
        windows = Windows(kernel, **attrs)
        windows.check()
        lengths = self.lengths(windows, image, filters, groups, **attrs)
        return Tensor(dtype, (shape[0], *lengths, outer) if channels_last else (shape[0], outer, *lengths))

    def plain(self, weight: Tensor, groups: int) -> Tensor:
        """Return the weight with all output channels on one axis."""
        return weight

    def lengths(self, windows: Windows, image: Tensor, weight: Tensor, groups: int, **attrs: Any) -> Sequence[Dim]:
        """Return the lengths of the result along axes of space; raise unless the channels fit."""
        raise NotImplementedError

    def run(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        *,
        channels_last: bool = False,
        out_dtype: str | None = None,
        **attrs: Any,
    ) -> Any:
        if out_dtype is not None:
            data, weight = data.astype(out_dtype), weight.astype(out_dtype)
        if channels_last:
            data, weight = np.moveaxis(data, -1, 1), np.moveaxis(weight, -1, 1)
        result = self.computed(data, weight, bias, **attrs)
        return np.moveaxis(result, 1, -1) if channels_last else result

    def computed(self, data: Any, weight: Any, bias: Any, **attrs: Any) -> Any:
        raise NotImplementedError


class ConvolutionBias(_Biased):
    """Convolution plus bias."""

    inputs = "data:[_,_,*_=1..3]/T weight:_/T bias?:[units]"

    def shape(self, data: Tensor, *rest: Any, **attrs: Any) -> Tensor:
        found = super().shape(data, *rest, **attrs)
        for k, dim in enumerate(found.shape or ()):
            if isinstance(dim, int) and dim <= 0 and data.shape is not None and 0 not in data.shape:
                message = f"output {show(found.shape)} for input {show(data.shape)} is empty along axis {k}"
                raise ShapeError(R.empty_output, message, "input:0", [0])
        return found

    def lengths(self, windows: Windows, image: Tensor, weight: Tensor, groups: int, **attrs: Any) -> Sequence[Dim]:
        if weight.shape is not None and image.shape is not None:
            grouped_channels(image.shape[1], weight.shape[1], weight.shape[0], groups, "weight")
        if image.shape is None:
            return windows.counts((None,) * windows.space)
        is_explicit = windows.auto_pad == "explicit"
        return windows.lengths(image.shape, "attr:kernel" if is_explicit else "input:1", strict=is_explicit)

    def computed(self, data: Any, weight: Any, bias: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve

        return convolve(data, weight, bias, **attrs)


class DeconvolutionBias(_Biased):
    """Transposed convolution plus bias."""

    inputs = "data:_/T weight:_/T bias?:[units]"
    outer = 1

    def plain(self, weight: Tensor, groups: int) -> Tensor:
        if weight.shape is None or len(weight.shape) < 2:
            return weight
        inner, outer, *window = weight.shape
        return Tensor(None, (inner, dims.multiply(outer, groups), *window))

    def lengths(
        self,
        windows: Windows,
        image: Tensor,
        weight: Tensor,
        groups: int,
        output_padding: Sequence[int] = (),
        target_shape: Sequence[int] = (),
        **_: Any,
    ) -> Sequence[Dim]:
        extra = filled(output_padding, windows.space, 0)
        want_per_axis("output_padding", extra, windows.space, least=0)
        channels, *space = (image.shape or (None,) * (windows.space + 2))[1:]
        want_channels(channels, None if weight.shape is None else weight.shape[0], "weight")
        if not any(target_shape):
            return windows.spread(space, extra)
        reached = windows.reached(space)
        return [_target(target_shape[k], reached[k], windows.strides[k], k) for k in range(windows.space)]

    def computed(self, data: Any, weight: Any, bias: Any, *, target_shape: Sequence[int] = (), **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve_back

        if any(target_shape):  # mxnet 1.9.1 ignores `pad` and `adj`
            attrs |= {"output_shape": target_shape, "output_padding": (), "odd_first": True}
        return convolve_back(data, weight, bias=bias, **attrs)


class DeconvolutionThenPad(DeconvolutionBias):
    """TVM's transposed convolution: `output_padding` appends zeros, to which neither data nor bias is added."""

    def computed(self, *arrays: Any, output_padding: Sequence[int] = (), **attrs: Any) -> Any:
        result = super().computed(*arrays, **attrs)
        extra = filled(output_padding, result.ndim - 2, 0)
        return np.pad(result, [(0, 0), (0, 0), *((0, count) for count in extra)])


def _target(length: int, reach: Dim, stride: int, axis: int) -> int:
    """Return a length that is asked for, as far as mxnet 1.9.1 can cut it out of what the windows reach.

    It refuses one beyond that ("too big target shape"), and with a stride of 1 one that leaves an odd number to cut off,
    because what one side has more than the other must be smaller than the stride.
    """
    if isinstance(reach, int) and length > reach:
        message = f"`target_shape` {length} on spatial axis {axis} is larger than the largest possible output, {reach}"
        raise ShapeError(R.value_out_of_range, message, "attr:target_shape", [0])
    if isinstance(reach, int) and (reach - length) % 2 >= stride:
        message = f"`target_shape` {length} on spatial axis {axis} is not possible for size {reach} and stride {stride}"
        raise ShapeError(R.value_out_of_range, message, "attr:target_shape", [0])
    return length
