"""Convolutions of training frameworks: with bias, redundant kernel and filter attributes, channels first or last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_rank
from irlint.dryrun.ops.openvino.convolution import grouped_channels
from irlint.dryrun.ops.windows import Windows, filled, want_channels, want_per_axis
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


def _widened(data: Any, weight: Any, dtype: str | None) -> tuple[Any, Any]:
    return (data, weight) if dtype is None else (data.astype(dtype), weight.astype(dtype))


class ConvolutionBias(Operator):
    """Convolution plus bias."""

    inputs = "data:[_,_,*_=1..3]/T weight:_/T bias?:[units]"

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
        outer = units if units is not None or not weight.shape else weight.shape[0]
        image, filters = (_first(data), _first(weight)) if channels_last else (data, weight)
        _check_weight(filters, kernel, units, 0)
        dtype = self.result_type(data, weight, bias, outer, out_dtype)
        self.check_groups(image, outer, groups)
        want_rank(image, "data", 0, len(kernel) + 2)
        windows = Windows(kernel, **attrs)
        windows.check()
        batch, channels, *space = image.shape or (None,) * (len(kernel) + 2)
        if filters.shape is not None:
            grouped_channels(channels, filters.shape[1], outer, groups, "weight")
        is_explicit = windows.auto_pad == "explicit"
        part = "attr:kernel" if is_explicit else "input:1"
        lengths = (
            windows.counts(space) if image.shape is None else windows.lengths(image.shape, part, strict=is_explicit)
        )
        result = (batch, *lengths, outer) if channels_last else (batch, outer, *lengths)
        for k, dim in enumerate(result):
            if isinstance(dim, int) and dim <= 0 and data.shape is not None and 0 not in data.shape:
                message = f"output {show(result)} for input {show(data.shape)} is empty along axis {k}"
                raise ShapeError(R.empty_output, message, "input:0", [0])
        return Tensor(dtype, result)

    def result_type(
        self, data: Tensor, weight: Tensor, bias: Tensor | None, units: Dim, wanted: str | None
    ) -> str | None:
        """Return the element type of the result: the operands', or the wanted one, which the bias may have, too."""
        found = self.match(data, weight, bias, units=units)
        return wanted or same_dtype((Tensor(found.dtype("T")), bias), (self.names[0], self.names[2]), (0, 2))

    @staticmethod
    def check_groups(image: Tensor, units: Dim, groups: int) -> None:
        if groups < 1:
            raise too_low("groups", "at least 1", groups)
        channels = image.shape[1] if image.shape is not None and len(image.shape) > 1 else None
        for what, count in (("input", channels), ("output", units)):
            if isinstance(count, int) and count % groups:
                message = f"{what} channels ({count}) are not a multiple of `groups` ({groups})"
                raise ShapeError(R.shape_mismatch, message, "attr:groups", [0])

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
        from irlint.dryrun.kernels.windows.convolution import convolve

        data, weight = _widened(data, weight, out_dtype)
        if channels_last:
            data, weight = np.moveaxis(data, -1, 1), np.moveaxis(weight, -1, 1)
        result = convolve(data, weight, **attrs)
        return _biased(result, bias, channels_last)


def _biased(result: Any, bias: Any, channels_last: bool) -> Any:
    if bias is not None:
        result += bias.reshape((-1,) + (1,) * (result.ndim - 2))
    return np.moveaxis(result, 1, -1) if channels_last else result


class DeconvolutionBias(ConvolutionBias):
    """Transposed convolution plus bias."""

    inputs = "data:_/T weight:_/T bias?:[units]"

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        kernel: Sequence[int],
        units: int | None = None,
        output_padding: Sequence[int] = (),
        target_shape: Sequence[int] = (),
        groups: int = 1,
        channels_last: bool = False,
        out_dtype: str | None = None,
        **attrs: Any,
    ) -> Tensor:
        given = (data, weight, bias)
        if channels_last:
            data, weight = _first(data), _first(weight)
        want_rank(data, "data", 0, len(kernel) + 2)
        inner: Dim = None
        if weight.shape is not None and len(weight.shape) > 1:
            inner, outer, *window = weight.shape
            weight = Tensor(None, (inner, dims.multiply(outer, groups), *window))
        _check_weight(weight, kernel, units, 1)
        dtype = self.result_type(*given, units, out_dtype)
        windows, extra = Windows(kernel, **attrs), filled(output_padding, len(kernel), 0)
        windows.check()
        want_per_axis("output_padding", extra, windows.space, least=0)
        self.check_groups(data, units, groups)
        if data.shape is None:
            return Tensor(dtype, None)
        batch, channels, *space = data.shape
        want_channels(channels, inner, "weight")
        if any(target_shape):
            reached = windows.reached(space)
            lengths = [_target(target_shape[k], reached[k], windows.strides[k], k) for k in range(windows.space)]
        else:
            lengths = windows.spread(space, extra)
        return Tensor(dtype, (batch, *lengths, units) if channels_last else (batch, units, *lengths))

    def run(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        *,
        target_shape: Sequence[int] = (),
        channels_last: bool = False,
        out_dtype: str | None = None,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve_back

        data, weight = _widened(data, weight, out_dtype)
        if channels_last:
            data, weight = np.moveaxis(data, -1, 1), np.moveaxis(weight, -1, 1)
        if any(target_shape):
            attrs |= _padding_for(target_shape, data.shape[2:], **attrs)
        result = convolve_back(data, weight, **attrs)
        return _biased(result, bias, channels_last)


class DeconvolutionThenPad(DeconvolutionBias):
    """TVM's transposed convolution: `output_padding` appends zeros, to which neither data nor bias is added."""

    def run(self, *arrays: Any, output_padding: Sequence[int] = (), **attrs: Any) -> Any:
        result = super().run(*arrays, **attrs)
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


def _padding_for(target: Sequence[int], sizes: Sequence[int], *, kernel: Sequence[int], **attrs: Any) -> dict[str, Any]:
    """Return the padding that follows from a length that is asked for, as mxnet 1.9.1 does; it ignores `pad` and `adj`."""
    cut = [reach - n for reach, n in zip(Windows(kernel, **attrs).reached(sizes), target, strict=False)]
    begin = [(c + 1) // 2 for c in cut]
    return {"pads_begin": begin, "pads_end": [c - b for c, b in zip(cut, begin, strict=True)], "output_padding": ()}
