"""Windows over one sample (channels, space...): convolution, transposed convolution, pooling, columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.convolution import want_channels
from irlint.dryrun.ops.samples import Settled, activated, by_channel, made, rank_error
from irlint.dryrun.ops.windows import SAME, Windows, pad_spatial
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim

Numbers = Sequence[int]
Pads = tuple[str, Numbers, Numbers]  # how, and what before and after each axis


def windows_of(kernel: Numbers, strides: Numbers, dilations: Numbers, pads: Pads) -> Windows:
    """Return windows with padding as ncnn has it: "full" fills up the last one."""
    how, begin, end = pads
    return Windows(
        kernel,
        strides=strides,
        dilations=dilations,
        pads_begin=begin,
        pads_end=end,
        auto_pad="explicit" if how == "full" else how,
        rounding_type="full" if how == "full" else "floor",
    )


class _Filtered(Operator):
    """The base: filters (channels / groups, ..., window...) over data."""

    inputs = "data weight? bias? scales*"

    @staticmethod
    def channels(weight: Tensor | None, groups: int) -> tuple[Dim, Dim]:
        """Return the numbers of input and output channels; None if unknown."""
        raise NotImplementedError

    def checked(self, data: Tensor, weight: Tensor | None, space: int, groups: int, flat: bool) -> tuple[Any, Dim]:
        """Return the shape of the data with its channels, and the number of output channels."""
        inner, outer = self.channels(weight, groups)
        shape = data.shape
        if shape is None:
            return None, outer
        if len(shape) == 1 and flat:
            shape = (shape[0], *(1,) * space)
        elif len(shape) == space and inner == 1:
            shape = (1, *shape)
        if len(shape) != space + 1:
            raise rank_error("data", 0, str(space + 1), data.shape)
        want_channels(shape[0], inner, "weight", split=f" for {groups} groups" if groups > 1 else "")
        if type(shape[0]) is int and shape[0] % groups:
            message = f"channels of `data` ({shape[0]}) are not a multiple of `groups` ({groups})"
            raise ShapeError(R.shape_mismatch, message, "attr:groups", [0])
        return shape, outer


class SampleConvolution(_Filtered):
    """Filters (out channels, channels / groups, window...)."""

    @staticmethod
    def channels(weight: Tensor | None, groups: int) -> tuple[Dim, Dim]:
        if weight is None or weight.shape is None:
            return None, None
        return dims.multiply(weight.shape[1], groups), weight.shape[0]

    def shape(
        self,
        data: Tensor,
        weight: Tensor | None = None,
        *_: Any,
        kernel: Numbers,
        strides: Numbers,
        dilations: Numbers,
        pads: Pads,
        groups: int = 1,
        given: bool = False,
        **__: Any,
    ) -> Tensor:
        if given:  # the filters are an input
            if weight is None or not dims.is_known(weight.shape):
                return Tensor(data.dtype)
            if len(weight.shape or ()) != len(kernel) + 2:
                raise rank_error("weight", 1, str(len(kernel) + 2), weight.shape)
            kernel = weight.shape[2:]  # type: ignore[index,assignment]
        flat = len(kernel) == 2 and prod(kernel) == 1 and groups == 1
        shape, outer = self.checked(data, weight, len(kernel), groups, flat)
        if shape is None:
            return Tensor(data.dtype, None if flat else (outer, *(None,) * len(kernel)))
        if data.shape is not None and len(data.shape) == 1 and flat:
            return Tensor(data.dtype, (outer,))
        lengths = windows_of(kernel, strides, dilations, pads).lengths(shape, "attr:kernel", 1)
        return made((outer, *lengths), "attr:kernel", dtype=data.dtype)

    def run(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        *scales: Any,
        kernel: Numbers,
        strides: Numbers,
        dilations: Numbers,
        pads: Pads,
        pad_value: float = 0.0,
        groups: int = 1,
        activation: Any = None,
        quantized: int = 0,
        **_: Any,
    ) -> Any:
        from irlint.dryrun.kernels.convolution import convolve
        from irlint.dryrun.kernels.eight_bits import multiplied

        rank, space = data.ndim, len(kernel)
        kernel = weight.shape[2:]
        data = data.reshape(-1, *(1,) * space) if rank == 1 else data.reshape(-1, *data.shape[-space:])
        begin, end = windows_of(kernel, strides, dilations, pads).pads(data.shape[1:])

        def product(data: Any, weight: Any) -> Any:
            padded = pad_spatial(data, begin, end, data.dtype.type(pad_value))
            return convolve(padded[None], weight, strides=strides, dilations=dilations, groups=groups)[0]

        if quantized:
            result = multiplied(product, data, weight, bias, scales, activation, quantized > 100)
        else:
            result = product(data, weight)
            if bias is not None:
                result = result + by_channel(bias, result)
            result = activated(result, activation)
        return result.reshape(-1) if rank == 1 else result


class Deconvolution(_Filtered):
    """Transposed convolution; filters (out channels, channels / groups, window...), or (channels, out channels / groups, ...) if they
    are an input. `target`: the lengths that are cut out of the middle, if there is no padding.
    """

    @staticmethod
    def channels(weight: Tensor | None, groups: int) -> tuple[Dim, Dim]:
        return SampleConvolution.channels(weight, groups)

    def shape(
        self,
        data: Tensor,
        weight: Tensor | None = None,
        *_: Any,
        kernel: Numbers,
        strides: Numbers,
        dilations: Numbers,
        pads: Pads,
        extra: Numbers,
        target: Numbers = (),
        groups: int = 1,
        given: bool = False,
        **__: Any,
    ) -> Tensor:
        if given:
            if weight is None or not dims.is_known(weight.shape):
                return Tensor(data.dtype)
            if len(weight.shape or ()) != len(kernel) + 2:
                raise rank_error("weight", 1, str(len(kernel) + 2), weight.shape)
            inner, outer, *space = weight.shape  # type: ignore[misc]
            kernel = space  # type: ignore[assignment]
            weight = Tensor(None, (dims.multiply(outer, groups), dims.floor_divide(inner, groups), *space))
        shape, outer = self.checked(data, weight, len(kernel), groups, False)
        if shape is None:
            return Tensor(data.dtype, (outer, *(None,) * len(kernel)))
        windows = windows_of(kernel, strides, dilations, pads)
        lengths = [dims.add(reach, more) for reach, more in zip(windows.reached(shape[1:]), extra, strict=True)]
        for k, full in enumerate(lengths):
            cut = windows.before[k] + windows.after[k]
            if target and isinstance(full, int) and target[k] > full:
                message = f"`target` {target[k]} is larger than the largest possible output, {full}"
                raise ShapeError(R.value_out_of_range, message, "attr:target", [0])
            if not target and isinstance(full, int) and cut >= full:
                raise ShapeError(R.empty_output, f"padding {cut} leaves nothing of length {full}", "attr:pads", [0])
            lengths[k] = target[k] if target else dims.subtract(full, cut)
        return made((outer, *lengths), dtype=data.dtype)

    def run(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        *_: Any,
        kernel: Numbers,
        strides: Numbers,
        dilations: Numbers,
        pads: Pads,
        extra: Numbers,
        target: Numbers = (),
        groups: int = 1,
        given: bool = False,
        activation: Any = None,
        **__: Any,
    ) -> Any:
        from irlint.dryrun.kernels.convolution import convolve_back

        space = len(kernel)
        if not given:
            inner, outer = weight.shape[1], weight.shape[0] // groups
            parts = weight.reshape(groups, outer, inner, *weight.shape[2:])
            weight = np.swapaxes(parts, 1, 2).reshape(groups * inner, outer, *weight.shape[2:])
        kernel = weight.shape[2:]
        data = data.reshape(-1, *data.shape[-space:])
        full = convolve_back(data[None], weight, strides=strides, dilations=dilations, groups=groups)[0]
        full = np.pad(full, [(0, 0), *((0, n) for n in extra)])
        begin, end = pads[1], pads[2]
        if target:
            cut = [n - t for n, t in zip(full.shape[1:], target, strict=True)]
            halves = [c // 2 for c in cut]
            begin = halves if pads[0] != "same_lower" else [c - h for c, h in zip(cut, halves, strict=True)]
            end = [c - b for c, b in zip(cut, begin, strict=True)]
        if bias is not None:
            full = full + by_channel(bias, full)
        return activated(pad_spatial(full, [-n for n in begin], [-n for n in end]), activation)


class SamplePool(Operator):
    """The largest or the mean of each window; `whole`: of all space, which leaves the channels."""

    def shape(
        self,
        data: Tensor,
        *,
        kernel: Numbers,
        strides: Numbers = (),
        pads: Pads = ("explicit", (), ()),
        whole: bool = False,
        target: Numbers = (),
        **_: Any,
    ) -> Tensor:
        space = len(kernel)
        if data.shape is None:
            return Tensor(data.dtype, (None,) if whole else (None,) * (space + 1))
        if len(data.shape) != space + 1:
            raise rank_error("data", 0, str(space + 1), data.shape)
        if whole:
            return Tensor(data.dtype, data.shape[:1])
        if target:
            lengths = [dim if goal == KEPT else goal for dim, goal in zip(data.shape[1:], target, strict=True)]
        else:
            lengths = windows_of(kernel, strides, (), pads).lengths(data.shape, "attr:kernel", 1)
        return made((data.shape[0], *lengths), "attr:kernel", dtype=data.dtype)

    def run(
        self,
        data: Any,
        *,
        kernel: Numbers,
        strides: Numbers = (),
        pads: Pads = ("explicit", (), ()),
        whole: bool = False,
        target: Numbers = (),
        average: bool = False,
        counts_padding: bool = False,
        **_: Any,
    ) -> Any:
        from irlint.dryrun.kernels import pooling

        if whole:
            flat = data.reshape(data.shape[0], -1)
            return flat.mean(1) if average else flat.max(1)
        if target:
            goal = [n if t == KEPT else t for n, t in zip(data.shape[1:], target, strict=True)]
            return (
                pooling.adaptive_average(data[None], goal)
                if average
                else pooling.adaptive_max(data[None], goal, "int64")[0]
            )[0]
        begin, end = windows_of(kernel, strides, (), pads).pads(data.shape[1:])
        attrs: dict[str, Any] = {"kernel": kernel, "strides": strides, "pads_begin": begin, "pads_end": end}
        if average:
            exclude = not counts_padding and pads[0] not in SAME
            return pooling.pool_average(data[None], exclude_pad=exclude, **attrs)[0]
        return pooling.pool_max(data[None], **attrs)[0]


KEPT = 0  # a length that stays as it is


class SampleColumns(Settled):
    """The windows of an image as columns (channels x window, positions)."""

    def result(
        self, data: Tensor, *, kernel: Numbers, strides: Numbers, dilations: Numbers, pads: Pads, **_: Any
    ) -> Tensor:
        shape = data.shape or ()
        if len(shape) != len(kernel) + 1:
            raise rank_error("data", 0, str(len(kernel) + 1), data.shape)
        lengths = windows_of(kernel, strides, dilations, pads).lengths(shape, "attr:kernel", 1)
        return made((dims.multiply(shape[0], prod(kernel)), dims.product(lengths)), dtype=data.dtype)

    def run(
        self,
        data: Any,
        *,
        kernel: Numbers,
        strides: Numbers,
        dilations: Numbers,
        pads: Pads,
        pad_value: float = 0.0,
        **_: Any,
    ) -> Any:
        from irlint.dryrun.kernels.patches import unfolded

        windows = windows_of(kernel, strides, dilations, pads)
        return unfolded(data[None], windows, data.dtype.type(pad_value))[0]


class SampleFromColumns(Settled):
    """Columns (channels x window, positions) added up to an image of given lengths."""

    inputs = "data:[R,P]"

    def result(self, data: Tensor, *, target: Numbers, **attrs: Any) -> Tensor:
        found = self.match(data)
        windows = self._windows(**attrs)
        area, count = prod(windows.kernel), prod(windows.counts(target))
        if found["R"] % area or found["P"] != count:
            message = f"columns {show(data.shape)} do not match {count} windows of {area} elements"
            raise ShapeError(R.shape_mismatch, message, "attr:target", [0])
        return made((dims.floor_divide(found["R"], area), *target), "attr:target", dtype=data.dtype)

    @staticmethod
    def _windows(*, kernel: Numbers, strides: Numbers, dilations: Numbers, pads: Pads, **_: Any) -> Windows:
        return windows_of(kernel, strides, dilations, ("explicit", *pads[1:]))

    def run(self, data: Any, *, target: Numbers, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.patches import folded

        return folded(data[None], self._windows(**attrs), target)[0]
