"""Convolutions with bias whose window is that of the weight, plain, transposed, causal, of integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_each, want_rank
from irlint.dryrun.ops.openvino.convolution import Convolution, DeformableConvolution
from irlint.dryrun.ops.windows import SAME, Windows, filled, want_output, want_per_axis, want_some
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

halves: Any = Later("irlint.dryrun.running.arrays")


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


class FilterBias(Convolution):
    """Convolution plus bias."""

    prepares: ClassVar[tuple[int, ...]] = (1,)
    inputs = "data:[N,C,*S=1..3]/T weight:[O,I,*#S=1..3]/T bias?:[O]/T -> _/T"

    def shape(self, *operands: Any, kernel: Sequence[int] | None = None, groups: int = 1, **attrs: Any) -> Tensor:
        data, weight, *rest = operands
        if groups < 1:
            raise too_low("groups", "at least 1", groups)
        want_kernel(weight, kernel)
        if weight.shape is None and data.shape is not None and kernel is not None:
            weight = Tensor(weight.dtype, (None, None, *kernel))
        return super().shape(data, weight, *rest, groups=groups, **attrs)

    def prepare(self, data: Any, weight: Any, *_: Any, **__: Any) -> dict[str, Any]:
        return {"filters": halves.widened(weight)} if weight.dtype == np.float16 else {}

    def run(self, *arrays: Any, filters: Any = None, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve

        data, weight, bias = (*arrays, None)[:3]
        found = convolve(data, weight if filters is None else filters, wide=True, **attrs)
        if bias is None or data.dtype != np.float16:
            return halves.narrowed(found) if data.dtype == np.float16 else biased(found, bias)
        from irlint.dryrun.kernels.products import blocks

        result = np.empty(found.shape, np.float16)
        for part, out, more in blocks(found, result, halves.widened(bias).reshape((-1,) + (1,) * (found.ndim - 2))):
            part += more
            out[...] = halves.narrowed(part)
        return result


def filtered(data: Tensor, weight: Tensor, kernel: Sequence[int] | None, groups: int, **attrs: Any) -> Shape | None:
    """Return the shape of a convolution."""
    return _PLAIN.shape(data, weight, kernel=kernel, groups=groups, **attrs).shape


def biased(result: Any, bias: Any) -> Any:
    """Return the result of a convolution, which is overwritten, plus one number per channel."""
    if bias is None:
        return result
    bias = bias.reshape((-1,) + (1,) * (result.ndim - 2))
    return np.add(result, bias, out=result if np.result_type(result, bias) == result.dtype else None)


class FilterIntegers(FilterBias):
    """Convolution of 8-bit integers less their zero points, in 32 bits."""

    prepares = (1, 3)
    inputs = (
        "data:[N,C,*S=1..3]/D weight:[O,I,*#S=1..3]/W data_zero_point?:one/D weight_zero_point?:[]|[_]/W -> _/int32"
    )

    def shape(self, *operands: Any, **attrs: Any) -> Tensor:
        result = super().shape(*operands, **attrs)
        want_each(operands[1], (*operands, None, None)[3], ("weight", "weight_zero_point"), (1, 3), 0)
        return result

    def prepare(self, data: Any, weight: Any, zero: Any = None, weight_zero: Any = None, **_: Any) -> dict[str, Any]:
        from irlint.dryrun.kernels.windows.convolution import whole_filters

        return whole_filters(weight, weight_zero)

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.products import less
        from irlint.dryrun.kernels.windows.convolution import convolve_whole

        data, weight, zero, weight_zero = (*arrays, None, None)[:4]
        ready = {} if "filters" in attrs else self.prepare(data, weight, zero, weight_zero)
        return (
            convolve_whole(less(data, zero, 0), **ready, **attrs).astype(np.int64).astype(np.int32)
        )  # sums wrap around, as onnxruntime 1.32 has them


class TransposedFilter(Operator):
    """Transposed convolution plus bias; weights are (in channels, out channels / groups, window...). A wanted length decides about
    the padding."""

    inputs = "data:[N,C,*S]/T weight:[C,O,*#S]/T bias?:[groups*O]/T -> _/T"

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        kernel: Sequence[int] | None = None,
        groups: int = 1,
        output_padding: Sequence[int] = (),
        output_shape: Sequence[int] = (),
        **attrs: Any,
    ) -> Tensor:
        if groups < 1:
            raise too_low("groups", "at least 1", groups)
        want_kernel(weight, kernel)
        found = self.match(data, weight, bias, groups=groups)
        if weight.shape is not None and isinstance(weight.shape[0], int) and weight.shape[0] % groups:
            message = f"input channels of `weight` ({weight.shape[0]}) are not a multiple of the {groups} groups"
            raise ShapeError(R.shape_mismatch, message, "attr:groups", [1])
        space = found["#S"]
        if not isinstance(space, int):
            return Tensor(found.dtype("T"))
        windows = Windows((kernel if weight.shape is None else weight.shape[2:]) or (None,) * space, **attrs)
        windows.check()
        for axis, length in enumerate(windows.kernel, 2):
            want_some(axis, length, "input:1")
        extra = filled(output_padding, space, 0)
        want_per_axis("output_padding", extra, space, least=0)
        for k, (more, *steps) in enumerate(zip(extra, windows.strides, windows.dilations, strict=True)):
            if more >= max(steps):
                message = (
                    f"expected less than stride or dilation for `output_padding` {list(extra)} along spatial axis {k}"
                )
                raise ShapeError(R.value_out_of_range, message, "attr:output_padding")
        sizes = data.shape[2:] if data.shape is not None else (None,) * space
        if output_shape:
            lengths = self._wanted(windows, sizes, output_shape)
        elif windows.auto_pad in SAME:
            lengths = list(map(_same_length, sizes, windows.strides, windows.reach, extra))
        else:
            lengths = windows.spread(sizes, extra)
        if not output_shape:
            want_output(lengths, 1)
        return Tensor(found.dtype("T"), (found["N"], dims.multiply(found["O"], groups), *lengths))

    @staticmethod
    def _wanted(windows: Windows, sizes: Sequence[Dim], wanted: Sequence[int]) -> Sequence[Dim]:
        want_per_axis("output_shape", wanted, windows.space)
        for k, reach in enumerate(windows.reached(sizes)):
            most = reach + windows.strides[k] - 1 if isinstance(reach, int) else wanted[k]
            if wanted[k] > most:
                message = (
                    f"expected at most {most} in `output_shape` {list(wanted)} along spatial axis {k}, as all windows "
                    f"reach {reach} elements"
                )
                raise ShapeError(R.value_out_of_range, message, "attr:output_shape", [0, 1])
        return wanted

    def run(self, data: Any, weight: Any, bias: Any = None, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve_back

        placed = self._placed(data.shape[2:], weight.shape[2:], attrs)
        return biased(
            convolve_back(data, weight, **{**attrs, **placed, "auto_pad": "explicit", "output_shape": None}), bias
        )

    @staticmethod
    def _placed(sizes: Sequence[int], kernel: Sequence[int], attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the padding that leaves the wanted lengths."""
        windows, wanted = Windows(kernel, **attrs), attrs.get("output_shape", ())
        extra = list(filled(attrs.get("output_padding", ()), len(sizes), 0))
        begin, end = windows.pads(sizes)
        if wanted or windows.auto_pad in SAME:
            goal = list(wanted[-len(sizes) :]) or [n * s for n, s in zip(sizes, windows.strides, strict=True)]
            for k, reach in enumerate(windows.reached(sizes)):
                total = max(reach + extra[k] - goal[k], 0)
                # onnxruntime 1.32: without auto_pad, too, the odd element is cut at the beginning
                begin[k] = total // 2 if windows.auto_pad == "same_upper" else total - total // 2
                end[k] = total - begin[k]
                extra[k] = max(extra[k], goal[k] - reach) if wanted else extra[k]
        return {"pads_begin": begin, "pads_end": end, "output_padding": extra}


def _same_length(size: Dim, stride: int, window: Dim, extra: int) -> Dim:
    """Return the length of a transposed convolution with padding of its own: windows that do not reach each other leave the end away."""
    if not isinstance(window, int):
        return None
    return dims.subtract(dims.multiply(size, stride), max(stride - window - extra, 0))


class CausalFilter(Operator):
    """Each channel filtered by what came before, of which the last elements are the state for the next run."""

    inputs = "input:[B,C,L]/T weight:[C,1,_]/T bias?:[C]/T past_state?:[B,C,kept]/T -> [B,C,L]/T [B,C,kept]/T"

    def shape(
        self, data: Tensor, weight: Tensor, bias: Tensor | None = None, past: Tensor | None = None, **_: Any
    ) -> list[Tensor]:
        if weight.rank == 3 and weight.shape is not None and weight.shape[2] == 0:
            message = f"expected a window of at least 1 element for `weight`, got {show(weight.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        kept = dims.subtract(weight.shape[2], 1) if weight.rank == 3 and weight.shape is not None else None
        return self.match(data, weight, bias, past, kept=kept).results

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


class DeformedFilter(DeformableConvolution):
    """Convolution whose taps are moved by offsets, and weighted by a mask."""

    inputs = "data:[N,C,_,_]/T weight:[O,I,_,_]/T offset:[N,_,_,_]/T bias?:[O] mask?:[N,_,_,_] -> _/T=numbers"
    place = 1
    fields = ((2, 2), (4, 1))

    def shape(self, *operands: Tensor, kernel: Sequence[int] | None = None, **attrs: Any) -> Tensor:
        want_kernel(operands[1], kernel)
        return super().shape(*operands, **attrs)

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        data, weight, offset, bias, mask = (*arrays, None, None)[:5]
        return biased(super().run(data, offset, weight, mask, **attrs), bias)


_PLAIN = FilterBias()
