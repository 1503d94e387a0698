"""Windows over one sample (channels, space...): convolution, transposed convolution, pooling, columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.samples import Settled, activated, by_channel, made, rank_error
from irlint.dryrun.ops.windows import SAME, dilated, pad_spatial, same_pads, view_of_windows, want_window
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

Numbers = Sequence[int]
_SAME = (*SAME, "same_mixed")
Pads = tuple[str, Numbers, Numbers]  # how, and what before and after each axis


def _padding(lengths: Sequence[int], kernel: Numbers, strides: Numbers, dilations: Numbers, pads: Pads) -> Any:
    """Return the padding in numbers. "full" fills up the last window, "same_mixed" has the odd one in front of all axes but depth."""
    how, begin, end = pads
    if how in _SAME:
        pairs = [same_pads(*sizes) for sizes in zip(lengths, kernel, strides, dilations, strict=True)]
        small, large = map(list, zip(*pairs, strict=True))
        front = {"same_upper": len(pairs), "same_mixed": 1}.get(how, 0)
        return small[:front] + large[front:], large[:front] + small[front:]
    if how == "full":
        reach = [n + b + e - k for n, b, e, k in zip(lengths, begin, end, kernel, strict=True)]
        end = [e + -total % stride for e, total, stride in zip(end, reach, strides, strict=True)]
    return begin, end


def _lengths(shape: Shape, kernel: Numbers, strides: Numbers, dilations: Numbers, pads: Pads, part: str) -> list[Dim]:
    """Return the numbers of windows along each axis."""
    found: list[Dim] = []
    for k, size in enumerate(kernel, len(shape) - len(kernel)):
        dim, at = shape[k], k - len(shape) + len(kernel)
        if not isinstance(dim, int):
            found.append(None)
            continue
        begin, end = _padding(
            [dim], [size], [strides[at]], [dilations[at]], (pads[0], pads[1][at : at + 1], pads[2][at : at + 1])
        )
        reach = dilated(size, dilations[at])
        want_window(shape, k, reach, begin[0], end[0], part)
        assert isinstance(reach, int)
        found.append((dim + begin[0] + end[0] - reach) // strides[at] + 1)
    return found


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
        if not dims.compatible(shape[0], inner):
            split = f" for {groups} groups" if groups > 1 else ""
            message = f"channels of `data` ({show_dim(shape[0])}) and `weight` ({show_dim(inner)}{split}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0])
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
        lengths = _lengths(shape, kernel, strides, dilations, pads, "attr:kernel")
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
        begin, end = _padding(data.shape[1:], kernel, strides, dilations, pads)

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
        lengths: list[Dim] = []
        for k, dim in enumerate(shape[1:]):
            if not isinstance(dim, int):
                lengths.append(None)
                continue
            full = (dim - 1) * strides[k] + (kernel[k] - 1) * dilations[k] + 1 + extra[k]
            cut = pads[1][k] + pads[2][k]
            if target:
                if target[k] > full:
                    message = f"`target` {target[k]} is larger than the largest possible output, {full}"
                    raise ShapeError(R.value_out_of_range, message, "attr:target", [0])
                full, cut = target[k], 0
            elif cut >= full:
                raise ShapeError(R.empty_output, f"padding {cut} leaves nothing of length {full}", "attr:pads", [0])
            lengths.append(full - cut)
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
            lengths = _lengths(data.shape, kernel, strides, (1,) * space, pads, "attr:kernel")
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
        begin, end = _padding(data.shape[1:], kernel, strides, (1,) * len(kernel), pads)
        attrs = {"kernel": kernel, "strides": strides, "pads_begin": begin, "pads_end": end}
        if average:
            exclude = not counts_padding and pads[0] not in _SAME
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
        lengths = _lengths(shape, kernel, strides, dilations, pads, "attr:kernel")
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
        begin, end = _padding(data.shape[1:], kernel, strides, dilations, pads)
        padded = pad_spatial(data, begin, end, data.dtype.type(pad_value))
        counts = [
            (n - (k - 1) * d - 1) // s + 1
            for n, k, d, s in zip(padded.shape[1:], kernel, dilations, strides, strict=True)
        ]
        view = view_of_windows(padded, kernel, strides, dilations, counts)
        space = len(kernel)
        order = (0, *range(space + 1, 2 * space + 1), *range(1, space + 1))
        return view.transpose(order).reshape(data.shape[0] * prod(kernel), -1)


class SampleFromColumns(Settled):
    """Columns (channels x window, positions) added up to an image of given lengths."""

    def result(
        self,
        data: Tensor,
        *,
        target: Numbers,
        kernel: Numbers,
        strides: Numbers,
        dilations: Numbers,
        pads: Pads,
        **_: Any,
    ) -> Tensor:
        shape: Any = data.shape
        if len(shape) != 2:
            raise rank_error("data", 0, "2", shape)
        counts = _counted(target, kernel, strides, dilations, pads)
        if shape[0] % prod(kernel) or shape[1] != prod(counts):
            message = f"columns {show(shape)} do not match {prod(counts)} windows of {prod(kernel)} elements"
            raise ShapeError(R.shape_mismatch, message, "attr:target", [0])
        return made((shape[0] // prod(kernel), *target), "attr:target", dtype=data.dtype)

    def run(
        self,
        data: Any,
        *,
        target: Numbers,
        kernel: Numbers,
        strides: Numbers,
        dilations: Numbers,
        pads: Pads,
        **_: Any,
    ) -> Any:
        begin, end = pads[1:]
        counts = _counted(target, kernel, strides, dilations, pads)
        parts = data.reshape(-1, *kernel, *counts)
        sizes = [n + b + e for n, b, e in zip(target, begin, end, strict=True)]
        found = np.zeros((parts.shape[0], *sizes), data.dtype)
        for tap in np.ndindex(*kernel):
            steps = zip(tap, dilations, counts, strides, strict=True)
            place: Any = (slice(None), *(slice(t * d, t * d + (c - 1) * s + 1, s) for t, d, c, s in steps))
            picked: Any = (slice(None), *tap)
            found[place] += parts[picked]
        return pad_spatial(found, [-n for n in begin], [-n for n in end])


def _counted(target: Numbers, kernel: Numbers, strides: Numbers, dilations: Numbers, pads: Pads) -> list[int]:
    sizes = zip(target, pads[1], pads[2], kernel, dilations, strides, strict=True)
    return [(n + b + e - (k - 1) * d - 1) // s + 1 for n, b, e, k, d, s in sizes]
