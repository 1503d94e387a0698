"""Convolutions with bias whose window is that of the weight, plain, transposed, causal, of integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, want_least
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_each, want_rank
from irlint.dryrun.ops.openvino.convolution import Convolution, DeformableConvolution
from irlint.dryrun.ops.windows import SAME, Windows, filled, want_output, want_parts, want_per_axis, want_some
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
        want_least(1, groups=groups)
        want_kernel(weight, kernel)
        if weight.shape is None and data.shape is not None and kernel is not None:
            weight = Tensor(weight.dtype, (None, None, *kernel))
        return super().shape(data, weight, *rest, groups=groups, **attrs)

    def prepare(self, data: Any, weight: Any, *_: Any, **__: Any) -> dict[str, Any]:
        return {"filters": halves.widened(weight)} if weight.dtype == np.float16 else {}

    def run(self, data: Any, weight: Any, bias: Any = None, *, filters: Any = None, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve

        return convolve(data, weight if filters is None else filters, bias, **attrs)


def filtered(data: Tensor, weight: Tensor, kernel: Sequence[int] | None, groups: int, **attrs: Any) -> Shape | None:
    """Return the shape of a convolution."""
    return _PLAIN.shape(data, weight, kernel=kernel, groups=groups, **attrs).shape


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
        want_least(1, groups=groups)
        want_kernel(weight, kernel)
        found = self.match(data, weight, bias, groups=groups)
        inner = None if weight.shape is None else weight.shape[0]
        want_parts(inner, groups, "groups", "input channels of `weight`", 1, f"the {groups} groups")
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
        lengths = self._lengths(windows, sizes, extra, output_shape)
        if output_shape:
            self._want_reach(windows, sizes, output_shape)
        else:
            want_output(lengths, 1)
        return Tensor(found.dtype("T"), (found["N"], dims.multiply(found["O"], groups), *lengths))

    @staticmethod
    def _lengths(windows: Windows, sizes: Sequence[Dim], extra: Sequence[int], wanted: Sequence[int]) -> Sequence[Dim]:
        if wanted:
            return wanted
        if windows.auto_pad in SAME:
            return list(map(_same_length, sizes, windows.strides, windows.reach, extra))
        return windows.spread(sizes, extra)

    @staticmethod
    def _want_reach(windows: Windows, sizes: Sequence[Dim], wanted: Sequence[int]) -> None:
        want_per_axis("output_shape", wanted, windows.space)
        for k, reach in enumerate(windows.reached(sizes)):
            most = reach + windows.strides[k] - 1 if isinstance(reach, int) else wanted[k]
            if wanted[k] > most:
                message = (
                    f"expected at most {most} in `output_shape` {list(wanted)} along spatial axis {k}, as all windows "
                    f"reach {reach} elements"
                )
                raise ShapeError(R.value_out_of_range, message, "attr:output_shape", [0, 1])

    def run(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        *,
        output_padding: Sequence[int] = (),
        output_shape: Sequence[int] = (),
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve_back

        windows, sizes, how = Windows(weight.shape[2:], **attrs), data.shape[2:], attrs.get("auto_pad", "")
        extra = filled(output_padding, windows.space, 0)
        lengths = self._lengths(windows, sizes, extra, output_shape[-windows.space :])
        # onnxruntime 1.32: without auto_pad, too, the odd element is cut at the beginning
        odd_first = how != "same_upper" if output_shape or how in SAME else None
        return convolve_back(data, weight, lengths, bias=bias, output_padding=extra, odd_first=odd_first, **attrs)


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
        return super().run(data, offset, weight, mask, bias, **attrs)


_PLAIN = FilterBias()
