"""Convolutions with bias whose window is that of the weight, plain, transposed, causal, of integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.arrays import narrowed, widened
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_each, want_rank, want_scalar
from irlint.dryrun.ops.convolution import Convolution, DeformableConvolution
from irlint.dryrun.ops.windows import SAME, dilated, filled, want_per_axis, want_some, want_windows
from irlint.dryrun.signature import Match, parse
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def want_kernel(weight: Tensor, kernel: Sequence[int] | None, index: int = 1) -> None:
    """Raise unless an attribute that repeats the window of the weight agrees with it."""
    if kernel is None or weight.shape is None:
        return
    if len(weight.shape) < 3:
        want_rank(weight, "weight", index, len(kernel) + 2)
    if len(kernel) != len(weight.shape) - 2:
        message = f"expected {len(weight.shape) - 2} numbers in `kernel` for `weight` {show(weight.shape)}, got {list(kernel)}"
        raise ShapeError(R.wrong_value_length, message, "attr:kernel", [index])
    if not all(map(dims.can_be, weight.shape[2:], kernel)):
        message = f"`kernel` {list(kernel)} does not match the window {show(weight.shape[2:])} of `weight`"
        raise ShapeError(R.shape_mismatch, message, "attr:kernel", [index])


def want_bias(bias: Tensor | None, channels: Dim, index: int) -> None:
    want_rank(bias, "bias", index, 1)
    if bias is not None and bias.shape is not None and not dims.compatible(bias.shape[0], channels):
        wanted = show_dim(channels)
        message = f"expected shape [{wanted}] for `bias` (one number per output channel), got {show(bias.shape)}"
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", [1, index])


class _Weighted(Convolution):
    inputs = "data weight"
    filters_name = "weight"


def filtered(data: Tensor, weight: Tensor, kernel: Sequence[int] | None, groups: int, **attrs: Any) -> Shape | None:
    """Return the shape of a convolution."""
    if groups < 1:
        raise too_low("groups", "at least 1", groups)
    want_kernel(weight, kernel)
    if weight.shape is None and data.shape is not None and kernel is not None:
        weight = Tensor(weight.dtype, (None, None, *kernel))
    return Convolution.result(_PLAIN, data, weight, groups=groups, **attrs)


def biased(result: Any, bias: Any) -> Any:
    """Return the result of a convolution, which is overwritten, plus one number per channel."""
    if bias is None:
        return result
    bias = bias.reshape((-1,) + (1,) * (result.ndim - 2))
    return np.add(result, bias, out=result if np.result_type(result, bias) == result.dtype else None)


class FilterBias(Operator):
    """Convolution plus bias."""

    inputs = "data weight bias?"
    prepares = (1,)

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        kernel: Sequence[int] | None = None,
        groups: int = 1,
        **attrs: Any,
    ) -> Tensor:
        dtype = same_dtype((data, weight, bias), self.names)
        result = filtered(data, weight, kernel, groups, **attrs)
        want_bias(bias, weight.shape[0] if weight.shape else None, 2)
        return Tensor(dtype, result)

    def prepare(self, data: Any, weight: Any, *_: Any, **__: Any) -> dict[str, Any]:
        return {"filters": widened(weight)} if weight.dtype == np.float16 else {}

    def run(self, data: Any, weight: Any, bias: Any = None, *, filters: Any = None, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.convolution import convolve

        found = convolve(data, weight if filters is None else filters, wide=True, **attrs)
        if bias is None or data.dtype != np.float16:
            return narrowed(found) if data.dtype == np.float16 else biased(found, bias)
        from irlint.dryrun.kernels.products import blocks

        result = np.empty(found.shape, np.float16)
        for part, out, more in blocks(found, result, widened(bias).reshape((-1,) + (1,) * (found.ndim - 2))):
            part += more
            out[...] = narrowed(part)
        return result


class FilterIntegers(Operator):
    """Convolution of 8-bit integers less their zero points, in 32 bits."""

    inputs = "data weight data_zero_point? weight_zero_point?"
    prepares = (1, 3)

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        zero: Tensor | None = None,
        weight_zero: Tensor | None = None,
        *,
        kernel: Sequence[int] | None = None,
        groups: int = 1,
        **attrs: Any,
    ) -> Tensor:
        same_dtype((data, zero), ("data", "data_zero_point"), (0, 2))
        same_dtype((weight, weight_zero), ("weight", "weight_zero_point"), (1, 3))
        want_scalar(zero, "data_zero_point", 2)
        want_rank(weight_zero, "weight_zero_point", 3, 0, 1)
        want_each(weight, weight_zero, ("weight", "weight_zero_point"), (1, 3), 0)
        return Tensor("int32", filtered(data, weight, kernel, groups, **attrs))

    def prepare(self, data: Any, weight: Any, zero: Any = None, weight_zero: Any = None, **_: Any) -> dict[str, Any]:
        from irlint.dryrun.kernels.convolution import whole_filters

        return whole_filters(weight, weight_zero)

    def run(self, data: Any, weight: Any, zero: Any = None, weight_zero: Any = None, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.convolution import convolve_whole
        from irlint.dryrun.kernels.products import less

        ready = {} if "filters" in attrs else self.prepare(data, weight, zero, weight_zero)
        return convolve_whole(less(data, zero, 0), **ready, **attrs).astype(np.int32)


class TransposedFilter(Operator):
    """Transposed convolution plus bias; weights are (in channels, out channels / groups, window...). A wanted length decides about
    the padding."""

    inputs = "data weight bias?"

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        kernel: Sequence[int] | None = None,
        groups: int = 1,
        **attrs: Any,
    ) -> Tensor:
        dtype = same_dtype((data, weight, bias), self.names)
        if groups < 1:
            raise too_low("groups", "at least 1", groups)
        want_kernel(weight, kernel)
        rank = data.rank if data.rank is not None else weight.rank
        if rank is None:
            return Tensor(dtype)
        want_rank(data, "data", 0, rank)
        want_rank(weight, "weight", 1, rank)
        channels: Dim = None
        if weight.shape is not None:
            channels = dims.multiply(weight.shape[1], groups)
            if data.shape is not None and not dims.compatible(data.shape[1], weight.shape[0]):
                message = f"channels of `data` ({show_dim(data.shape[1])}) and `weight` ({show_dim(weight.shape[0])}) do not match"
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
            if isinstance(weight.shape[0], int) and weight.shape[0] % groups:
                message = f"input channels of `weight` ({weight.shape[0]}) are not a multiple of the {groups} groups"
                raise ShapeError(R.shape_mismatch, message, "attr:groups", [1])
        want_bias(bias, channels, 2)
        window = kernel if weight.shape is None else weight.shape[2:]
        for axis, length in enumerate(window or (), 2):
            if isinstance(length, int):
                want_some(axis, length, "input:1")
        lengths = self._lengths(data.shape, tuple(window or (None,) * (rank - 2)), rank - 2, **attrs)
        return Tensor(dtype, (data.shape[0] if data.shape else None, channels, *lengths))

    @staticmethod
    def _lengths(
        shape: Shape | None,
        kernel: Sequence[Dim],
        space: int,
        *,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        output_padding: Sequence[int] = (),
        output_shape: Sequence[int] = (),
        auto_pad: str = "explicit",
        **_: Any,
    ) -> list[Dim]:
        strides, dilations = filled(strides, space, 1), filled(dilations, space, 1)
        begin, end, extra = filled(pads_begin, space, 0), filled(pads_end, space, 0), filled(output_padding, space, 0)
        want_windows(space, auto_pad, strides, dilations, begin, end)
        want_per_axis("output_padding", extra, space, least=0)
        for k, (stride, dilation) in enumerate(zip(strides, dilations, strict=True)):
            if extra[k] >= max(stride, dilation):
                message = (
                    f"expected less than stride or dilation for `output_padding` {list(extra)} along spatial axis {k}"
                )
                raise ShapeError(R.value_out_of_range, message, "attr:output_padding")
        sizes = shape[2:] if shape is not None else (None,) * space
        reached = [
            dims.add(dims.multiply(dims.subtract(dim, 1), strides[k]), dilated(kernel[k], dilations[k]))
            for k, dim in enumerate(sizes)
        ]
        if output_shape:
            want_per_axis("output_shape", output_shape, space)
            for k, reach in enumerate(reached):
                if isinstance(reach, int) and output_shape[k] - reach >= strides[k]:
                    message = (
                        f"expected at most {reach + strides[k] - 1} in `output_shape` {list(output_shape)} along spatial "
                        f"axis {k}, as all windows reach {reach} elements"
                    )
                    raise ShapeError(R.value_out_of_range, message, "attr:output_shape", [0, 1])
            return list(output_shape)
        found: list[Dim] = []
        for k in range(space):
            if auto_pad in SAME:
                found.append(_same_length(sizes[k], strides[k], dilated(kernel[k], dilations[k]), extra[k]))
            else:
                total = extra[k] - (0 if auto_pad == "valid" else begin[k] + end[k])
                found.append(dims.add(reached[k], total) if total >= 0 else dims.subtract(reached[k], -total))
            if isinstance(length := found[k], int) and length <= 0:
                message = f"expected at least 1 element along spatial axis {k} of the output, got {length}"
                raise ShapeError(R.empty_output, message, "attr:pads_begin", [0])
        return found

    def run(self, data: Any, weight: Any, bias: Any = None, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.convolution import convolve_back

        placed = self._placed(data.shape[2:], weight.shape[2:], attrs)
        return biased(
            convolve_back(data, weight, **{**attrs, **placed, "auto_pad": "explicit", "output_shape": None}), bias
        )

    @staticmethod
    def _placed(sizes: Sequence[int], kernel: Sequence[int], attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the padding that leaves the wanted lengths."""
        goal, auto_pad = attrs.get("output_shape", ()), attrs["auto_pad"]
        extra = list(filled(attrs.get("output_padding", ()), len(sizes), 0))
        if not goal and auto_pad not in SAME:
            none = (0,) * len(sizes)
            pads = [
                none if auto_pad == "valid" else filled(attrs[name], len(sizes), 0)
                for name in ("pads_begin", "pads_end")
            ]
            return {"pads_begin": pads[0], "pads_end": pads[1], "output_padding": extra}
        strides, dilations = filled(attrs["strides"], len(sizes), 1), filled(attrs["dilations"], len(sizes), 1)
        is_wanted, goal = bool(goal), list(goal[-len(sizes) :]) or [n * s for n, s in zip(sizes, strides, strict=True)]
        begin, end = [], []
        for k, size in enumerate(sizes):
            reach = (size - 1) * strides[k] + (kernel[k] - 1) * dilations[k] + 1 + extra[k]
            total = max(reach - goal[k], 0)
            extra[k] += max(goal[k] - reach, 0) if is_wanted else 0
            # onnxruntime 1.32: without auto_pad, too, the odd element is cut at the beginning
            before = total // 2 if auto_pad == "same_upper" else total - total // 2
            begin.append(before)
            end.append(total - before)
        return {"pads_begin": begin, "pads_end": end, "output_padding": extra}


def _same_length(size: Dim, stride: int, window: Dim, extra: int) -> Dim:
    """Return the length of a transposed convolution with padding of its own: windows that do not reach each other leave the end away."""
    if not isinstance(window, int):
        return None
    return dims.subtract(dims.multiply(size, stride), max(stride - window - extra, 0))


class CausalFilter(Operator):
    """Each channel filtered by what came before, of which the last elements are the state for the next run."""

    inputs = "input weight bias? past_state?"

    def shape(
        self, data: Tensor, weight: Tensor, bias: Tensor | None = None, past: Tensor | None = None, **_: Any
    ) -> list[Tensor]:
        dtype = same_dtype((data, weight, bias, past), self.names)
        found, length = Match(self.names), weight.shape[2] if weight.rank == 3 and weight.shape is not None else None
        if length == 0:
            message = f"expected a window of at least 1 element for `weight`, got {show(weight.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        for k, tensor in enumerate((data, weight, bias, past)):
            if tensor is not None:
                found.take(k, _CAUSAL[k], tensor)
        channels, kept = data.shape[1] if data.shape else None, dims.subtract(length, 1)
        if past is not None and past.shape is not None and not dims.compatible(past.shape[2], kept):
            message = (
                f"expected {show_dim(kept)} as the last dimension of `past_state`, one less than the window of `weight`, "
                f"got {show(past.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:3", [1, 3])
        state = (data.shape[0] if data.shape else None, channels, kept)
        return [Tensor(dtype, data.shape), Tensor(dtype, state)]

    def run(self, data: Any, weight: Any, bias: Any = None, past: Any = None, *, activation: str, **_: Any) -> Any:
        from irlint.dryrun.kernels.elementwise import swish

        size = weight.shape[2]
        if past is None:
            past = np.zeros((*data.shape[:2], size - 1), data.dtype)
        whole = np.concatenate([past, data], 2)
        length = data.shape[2]
        found: Any = 0 if bias is None else bias[:, None]
        for k in range(size):
            found = found + whole[:, :, k : k + length] * weight[:, 0, k, None]
        found = np.asarray(found, data.dtype)
        state = whole[:, :, whole.shape[2] - (size - 1) :]
        return [swish(found) if activation in ("silu", "swish") else found, state]


class DeformedFilter(Operator):
    """Convolution whose taps are moved by offsets, and weighted by a mask."""

    inputs = "data weight offset bias? mask?"

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        offset: Tensor,
        bias: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        kernel: Sequence[int] | None = None,
        **attrs: Any,
    ) -> Tensor:
        want_kernel(weight, kernel)
        want_bias(bias, weight.shape[0] if weight.shape else None, 3)
        try:
            return _DEFORMED.shape(data, offset, weight, mask, **attrs)
        except ShapeError as error:
            order = {0: 0, 1: 2, 2: 1, 3: 4}
            error.inputs = tuple(order[k] for k in error.inputs)
            if error.part.startswith("input:"):
                error.part = f"input:{order[int(error.part[6:])]}"
            raise

    def run(self, data: Any, weight: Any, offset: Any, bias: Any = None, mask: Any = None, **attrs: Any) -> Any:
        attrs.pop("kernel", None)
        return biased(_DEFORMED.run(data, offset, weight, mask, **attrs), bias)


_CAUSAL = parse("[B,C,_] [C,1,_] [C] [B,C,_]").operands
_PLAIN = _Weighted()
_DEFORMED = DeformableConvolution()
