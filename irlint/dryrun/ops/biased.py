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
from irlint.dryrun.ops.convolution import Convolution
from irlint.dryrun.ops.windows import dilated, filled, want_per_axis, want_window
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def _first(shape: Shape | None) -> Shape | None:
    """Move channels from the last to the second axis."""
    return shape if shape is None or len(shape) < 2 else (shape[0], shape[-1], *shape[1:-1])


def _last(shape: Shape) -> Shape:
    return (shape[0], *shape[2:], shape[1])


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


def _check_bias(bias: Tensor | None, channels: Dim) -> None:
    want_rank(bias, "bias", 2, 1)
    if bias is not None and bias.shape is not None and not dims.compatible(bias.shape[0], channels):
        message = (
            f"expected shape [{show_dim(channels)}] for `bias` (one number per output channel), got {show(bias.shape)}"
        )
        raise ShapeError(R.shape_mismatch, message, "input:2", [2])


def _result_dtype(
    data: Tensor, weight: Tensor, bias: Tensor | None, wanted: str | None, names: Sequence[str]
) -> str | None:
    """Return the element type of the result: the operands', or the wanted one, which the bias may have, too."""
    if wanted is None:
        return same_dtype((data, weight, bias), names)
    same_dtype((data, weight), names)
    return wanted


def _widened(data: Any, weight: Any, dtype: str | None) -> tuple[Any, Any]:
    return (data, weight) if dtype is None else (data.astype(dtype), weight.astype(dtype))


class ConvolutionBias(Operator):
    """Convolution plus bias."""

    inputs = "data weight bias?"

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
        dtype = _result_dtype(data, weight, bias, out_dtype, self.names)
        image = Tensor(data.dtype, _first(data.shape)) if channels_last else data
        filters = Tensor(weight.dtype, _first(weight.shape)) if channels_last else weight
        _check_weight(filters, kernel, units, 0)
        _check_bias(bias, units if units is not None else filters.shape[0] if filters.shape is not None else None)
        self._check_groups(image, units, groups)
        self._check_windows(image, kernel, **attrs)
        if filters.shape is None:
            filters = Tensor(weight.dtype, (units, None, *kernel))
        result = Convolution.result(_PLAIN, image, filters, groups=groups, **attrs)
        if result is None:
            return Tensor(dtype, None)
        for k, dim in enumerate(result):
            if isinstance(dim, int) and dim <= 0 and data.shape is not None and 0 not in data.shape:
                message = f"output {show(result)} for input {show(data.shape)} is empty along axis {k}"
                raise ShapeError(R.empty_output, message, "input:0", [0])
        return Tensor(dtype, _last(result) if channels_last else result)

    @staticmethod
    def _check_windows(
        image: Tensor,
        kernel: Sequence[int],
        *,
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        auto_pad: str = "explicit",
        **_: Any,
    ) -> None:
        """Errors refer to the `kernel` attribute, not to the weight."""
        count = len(kernel)
        want_rank(image, "data", 0, count + 2)
        if image.shape is None or auto_pad != "explicit":
            return
        pads = zip(filled(pads_begin, count, 0), filled(pads_end, count, 0), strict=False)
        for k, (size, step, (before, after)) in enumerate(zip(kernel, filled(dilations, count, 1), pads, strict=False)):
            want_window(image.shape, k + 2, dilated(size, step), before, after, "attr:kernel")

    @staticmethod
    def _check_groups(image: Tensor, units: int | None, groups: int) -> None:
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
        from irlint.dryrun.kernels.convolution import convolve

        data, weight = _widened(data, weight, out_dtype)
        if channels_last:
            data, weight = np.moveaxis(data, -1, 1), np.moveaxis(weight, -1, 1)
        result = convolve(data, weight, **attrs)
        return _biased(result, bias, channels_last)


def _biased(result: Any, bias: Any, channels_last: bool) -> Any:
    if bias is not None:
        result += bias.reshape((-1,) + (1,) * (result.ndim - 2))
    return np.moveaxis(result, 1, -1) if channels_last else result


_PLAIN = Convolution()


class DeconvolutionBias(Operator):
    """Transposed convolution plus bias."""

    inputs = "data weight bias?"

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        kernel: Sequence[int],
        units: int | None = None,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        output_padding: Sequence[int] = (),
        target_shape: Sequence[int] = (),
        groups: int = 1,
        channels_last: bool = False,
        out_dtype: str | None = None,
        **_: Any,
    ) -> Tensor:
        dtype = _result_dtype(data, weight, bias, out_dtype, self.names)
        if channels_last:
            data, weight = (Tensor(tensor.dtype, _first(tensor.shape)) for tensor in (data, weight))
        space = len(kernel)
        want_rank(data, "data", 0, space + 2)
        if weight.shape is not None:
            per_group = Tensor(
                None,
                (weight.shape[0], dims.multiply(weight.shape[1], groups), *weight.shape[2:])
                if len(weight.shape) > 1
                else weight.shape,
            )
            _check_weight(per_group, kernel, units, 1)
        _check_bias(bias, units)
        strides, dilations = filled(strides, space, 1), filled(dilations, space, 1)
        begin, end, extra = filled(pads_begin, space, 0), filled(pads_end, space, 0), filled(output_padding, space, 0)
        for name, numbers, least in (
            ("strides", strides, 1),
            ("dilations", dilations, 1),
            ("pads_begin", begin, 0),
            ("output_padding", extra, 0),
        ):
            want_per_axis(name, numbers, space, least=least)
        ConvolutionBias._check_groups(data, units, groups)
        if data.shape is None:
            return Tensor(dtype, None)
        if weight.shape is not None and not dims.compatible(weight.shape[0], data.shape[1]):
            message = (
                f"channels of `data` ({show_dim(data.shape[1])}) and `weight` ({show_dim(weight.shape[0])}) do "
                "not match"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        lengths: list[Dim] = []
        for k, dim in enumerate(data.shape[2:]):
            reach = dims.add(dims.multiply(dims.subtract(dim, 1), strides[k]), dilated(kernel[k], dilations[k]))
            if any(target_shape):
                lengths.append(_target(target_shape[k], reach, strides[k], k))
                continue
            total = extra[k] - begin[k] - end[k]
            lengths.append(dims.add(reach, total) if total >= 0 else dims.subtract(reach, -total))
        result = (data.shape[0], units, *lengths)
        return Tensor(dtype, _last(result) if channels_last else result)

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
        from irlint.dryrun.kernels.convolution import convolve_back

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


def _padding_for(
    target: Sequence[int],
    sizes: Sequence[int],
    *,
    kernel: Sequence[int],
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
    **_: Any,
) -> dict[str, Any]:
    """Return the padding that follows from a length that is asked for, as mxnet 1.9.1 does; it ignores `pad` and `adj`."""
    space = len(kernel)
    steps, gaps = filled(strides, space, 1), filled(dilations, space, 1)
    cut = [(n - 1) * s + (k - 1) * d + 1 - t for n, s, k, d, t in zip(sizes, steps, kernel, gaps, target, strict=False)]
    begin = [(c + 1) // 2 for c in cut]
    return {"pads_begin": begin, "pads_end": [c - b for c, b in zip(cut, begin, strict=True)], "output_padding": ()}
