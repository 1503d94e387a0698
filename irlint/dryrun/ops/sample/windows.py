"""Windows over one sample (channels, space...): convolution, transposed convolution, pooling, columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.sample.common import Settled, activated, by_channel, made, rank_error
from irlint.dryrun.ops.windows import SAME, Windows, want_channels, want_parts
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

Numbers = Sequence[int]


class SampleConvolution(Operator):
    """Filters (out channels, channels / groups, window...) over data (channels, space...)."""

    inputs = "data weight? bias? scales*"
    place: ClassVar[int] = 1  # of the filters

    def shape(
        self,
        data: Tensor,
        weight: Tensor | None = None,
        *_: Any,
        kernel: Numbers,
        groups: int = 1,
        given: bool = False,
        **attrs: Any,
    ) -> Tensor:
        """`given`: the filters are an input."""
        filters = None if weight is None else weight.shape
        if given:
            if not dims.is_known(filters):
                return Tensor(data.dtype)
            kernel, filters = self.window(filters, len(kernel), groups)
        outer, inner = (None, None) if filters is None else (filters[0], dims.multiply(filters[1], groups))
        is_flat = self.flattens and len(kernel) == 2 and prod(kernel) == 1 and groups == 1
        shape = self._checked(data.shape, inner, len(kernel), groups, is_flat)
        if shape is None:
            return Tensor(data.dtype, None if is_flat else (outer, *(None,) * len(kernel)))
        if is_flat and len(data.shape or ()) == 1:
            return Tensor(data.dtype, (outer,))
        return self.output(shape, outer, Windows(kernel, **attrs), data.dtype, **attrs)

    flattens = True  # a vector is an image of one pixel

    def window(self, filters: Any, space: int, groups: int) -> tuple[Numbers, Shape]:
        """Return the lengths of the window of filters that are an input, and the shape that they would have if they were none."""
        if len(filters) != space + 2:
            raise rank_error("weight", self.place, str(space + 2), filters)
        return filters[2:], filters

    def _checked(self, shape: Shape | None, inner: Dim, space: int, groups: int, is_flat: bool) -> Shape | None:
        """Return the shape of the data with its channels."""
        if shape is None:
            return None
        if len(shape) == 1 and is_flat:
            shape = (shape[0], *(1,) * space)
        elif len(shape) == space and inner == 1:
            shape = (1, *shape)
        if len(shape) != space + 1:
            raise rank_error("data", 0, str(space + 1), shape)
        want_channels(shape[0], inner, "weight", self.place, f" for {groups} groups" if groups > 1 else "")
        want_parts(shape[0], groups, "groups")
        return shape

    def output(self, shape: Shape, outer: Dim, windows: Windows, dtype: str | None, **_: Any) -> Tensor:
        """Return the output for data of a shape, and as many channels."""
        return made((outer, *windows.lengths(shape, "attr:kernel", 1)), "attr:kernel", dtype=dtype)

    def run(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        *scales: Any,
        pad_value: float = 0.0,
        activation: Any = None,
        quantized: int = 0,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.eight_bits import multiplied
        from irlint.dryrun.kernels.windows.convolution import convolve

        space = weight.ndim - 2
        image = data.reshape(-1, *((1,) * space if data.ndim == 1 else data.shape[-space:]))

        def product(data: Any, weight: Any) -> Any:
            return convolve(data[None], weight, pad_value=data.dtype.type(pad_value), **attrs)[0]

        if quantized:
            result = multiplied(product, image, weight, bias, scales, activation, quantized > 100)
        else:
            result = product(image, weight)
            result = activated(result if bias is None else result + by_channel(bias, result), activation)
        return result.reshape(-1) if data.ndim == 1 else result


class Deconvolution(SampleConvolution):
    """Transposed convolution; filters (out channels, channels / groups, window...), or (channels, out channels / groups, ...) if they
    are an input. `target`: the lengths that are cut out of the middle, if there is no padding.
    """

    flattens = False

    def window(self, filters: Any, space: int, groups: int) -> tuple[Numbers, Shape]:
        inner, outer, *window = super().window(filters, space, groups)[1]
        return window, (dims.multiply(outer, groups), dims.floor_divide(inner, groups), *window)  # type: ignore[return-value]

    def output(
        self,
        shape: Shape,
        outer: Dim,
        windows: Windows,
        dtype: str | None,
        extra: Numbers = (),
        target: Numbers = (),
        **_: Any,
    ) -> Tensor:
        lengths: list[Dim] = []
        for k, reach in enumerate(windows.reached(shape[1:])):
            full, cut = dims.add(reach, extra[k]), windows.before[k] + windows.after[k]
            if target and isinstance(full, int) and target[k] > full:
                message = f"`target` {target[k]} is larger than the largest possible output, {full}"
                raise ShapeError(R.value_out_of_range, message, "attr:target", [0])
            if not target and isinstance(full, int) and cut >= full:
                message = f"padding {cut} leaves nothing of length {full}"
                raise ShapeError(R.empty_output, message, "attr:pads_begin", [0])
            lengths.append(target[k] if target else dims.subtract(full, cut))
        return made((outer, *lengths), dtype=dtype)

    def run(  # type: ignore[override]
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        *_: Any,
        extra: Numbers,
        target: Numbers = (),
        odd_first: bool = False,
        groups: int = 1,
        given: bool = False,
        activation: Any = None,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.windows.convolution import convolve_back

        if not given:
            inner, outer = weight.shape[1], weight.shape[0] // groups
            parts = weight.reshape(groups, outer, inner, *weight.shape[2:])
            weight = np.swapaxes(parts, 1, 2).reshape(groups * inner, outer, *weight.shape[2:])
        data = data.reshape(-1, *data.shape[2 - weight.ndim :])
        attrs |= {"output_shape": target, "odd_first": odd_first} if target else {}
        found = convolve_back(data[None], weight, groups=groups, output_padding=extra, **attrs)[0]
        return activated(found if bias is None else found + by_channel(bias, found), activation)


class SamplePool(Operator):
    """The largest or the mean of each window; `whole`: of all space, which leaves the channels."""

    def shape(
        self, data: Tensor, *, kernel: Numbers, whole: bool = False, target: Numbers = (), **attrs: Any
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
            lengths = Windows(kernel, **attrs).lengths(data.shape, "attr:kernel", 1)
        return made((data.shape[0], *lengths), "attr:kernel", dtype=data.dtype)

    def run(
        self,
        data: Any,
        *,
        kernel: Numbers,
        whole: bool = False,
        target: Numbers = (),
        average: bool = False,
        counts_padding: bool = False,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.windows import pooling

        if whole:
            flat = data.reshape(data.shape[0], -1)
            return flat.mean(1) if average else flat.max(1)
        if target:
            goal = [n if t == KEPT else t for n, t in zip(data.shape[1:], target, strict=True)]
            if average:
                return pooling.adaptive_average(data[None], goal)[0]
            return pooling.adaptive_max(data[None], goal, "int64")[0][0]
        if average:
            exclude = not counts_padding and attrs.get("auto_pad") not in SAME
            return pooling.pool_average(data[None], kernel=kernel, exclude_pad=exclude, **attrs)[0]
        return pooling.pool_max(data[None], kernel=kernel, **attrs)[0]


KEPT = 0  # a length that stays as it is


class SampleColumns(Settled):
    """The windows of an image as columns (channels x window, positions)."""

    def result(self, data: Tensor, *, kernel: Numbers, **attrs: Any) -> Tensor:
        shape = data.shape or ()
        if len(shape) != len(kernel) + 1:
            raise rank_error("data", 0, str(len(kernel) + 1), data.shape)
        lengths = Windows(kernel, **attrs).lengths(shape, "attr:kernel", 1)
        return made((dims.multiply(shape[0], prod(kernel)), dims.product(lengths)), dtype=data.dtype)

    def run(self, data: Any, *, kernel: Numbers, pad_value: float = 0.0, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.patches import unfolded

        return unfolded(data[None], Windows(kernel, **attrs), data.dtype.type(pad_value))[0]


class SampleFromColumns(Settled):
    """Columns (channels x window, positions) added up to an image of given lengths."""

    inputs = "data:[R,P]"

    def result(self, data: Tensor, *, target: Numbers, kernel: Numbers, **attrs: Any) -> Tensor:
        found, area = self.match(data), prod(kernel)
        count = prod(Windows(kernel, **attrs).counts(target))
        if not dims.divisible(found["R"], area) or found["P"] != count:
            message = f"columns {show(data.shape)} do not match {count} windows of {area} elements"
            raise ShapeError(R.shape_mismatch, message, "attr:target", [0])
        return made((dims.floor_divide(found["R"], area), *target), "attr:target", dtype=data.dtype)

    def run(self, data: Any, *, target: Numbers, kernel: Numbers, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.patches import folded

        return folded(data[None], Windows(kernel, **attrs), target)[0]
