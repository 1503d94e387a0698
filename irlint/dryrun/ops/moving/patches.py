"""Windows of images as columns, and compared to each other."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_least_rank
from irlint.dryrun.ops.windows import Windows
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class Correlation(Operator):
    """Patches of one image compared to moved patches of another."""

    inputs = "data1:[N,C,_,_] data2:[_,_,_,_]"
    kernel = "windows/patches.correlate"

    def shape(
        self,
        a: Tensor,
        b: Tensor,
        *,
        kernel_size: int = 1,
        max_displacement: int = 1,
        stride1: int = 1,
        stride2: int = 1,
        pad_size: int = 0,
        **_: Any,
    ) -> Tensor:
        self.match(a, b)
        if a.shape is None:
            return Tensor(a.dtype, None)
        border = max_displacement + (kernel_size - 1) // 2
        reach = max_displacement // stride2 * 2 + 1
        part = "attr:max_displacement" if max_displacement >= kernel_size // 2 else "attr:kernel_size"
        pads = (pad_size, pad_size)
        windows = Windows((2 * border + 1,) * 2, strides=(stride1, stride1), pads_begin=pads, pads_end=pads)
        # mxnet 1.9.1 computes with unsigned numbers and refuses a window that is too large, or makes a gigantic output
        return Tensor(a.dtype, (a.shape[0], reach * reach, *windows.lengths(a.shape, part)))


def _windows_by_pad(
    kernel: Sequence[int], stride: Sequence[int] = (), dilate: Sequence[int] = (), pad: Sequence[int] = (), **_: Any
) -> Windows:
    """Return windows with the same padding before and after the data."""
    return Windows(kernel, strides=stride, dilations=dilate, pads_begin=pad, pads_end=pad)


class Columns(Operator):
    """Windows of an image as columns of a matrix."""

    def shape(self, data: Tensor, *, kernel: Sequence[int], **attrs: Any) -> Tensor:
        want_least_rank(data, "data", 0, len(kernel) + 2)
        if data.shape is None:
            return data
        counts = _windows_by_pad(kernel, **attrs).lengths(data.shape, "attr:kernel")
        return Tensor(data.dtype, (data.shape[0], dims.multiply(data.shape[1], prod(kernel)), dims.product(counts)))

    def run(self, data: Any, *, kernel: Sequence[int], **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.patches import unfolded

        first: Any = (..., *(0,) * (data.ndim - len(kernel) - 2))
        return unfolded(data[first], _windows_by_pad(kernel, **attrs))


class _Folded(Operator):
    """The base: columns of windows (batch, channels times window, positions) added up to images."""

    inputs = "data:[N,R,P] image_shape:[_] block_shape:[_]"
    reads: ClassVar[tuple[int, ...]] = (1, 2)

    @staticmethod
    def channels(data: Tensor, windows: Windows | None, part: str) -> Dim:
        """Return the number of channels; raise unless the columns are as long as so many windows."""
        if windows is None:
            return None
        rows, area = None if data.shape is None else data.shape[-2], prod(windows.kernel)
        if area < 1 or not dims.divisible(rows, area):
            message = f"columns of `data` {show(data.shape)} are not a multiple of the window {list(windows.kernel)}"
            raise ShapeError(R.shape_mismatch, message, part, [0])
        return dims.exact_divide(rows, area)

    @staticmethod
    def want_columns(data: Tensor, goal: Sequence[Any] | None, windows: Windows | None, part: str) -> None:
        """Raise unless there are as many columns as windows in an image of given lengths."""
        if windows is None or data.shape is None or goal is None or not all(map(values.is_number, goal)):
            return
        wanted = dims.product(windows.counts(goal))
        if not dims.compatible(data.shape[-1], wanted):
            message = (
                f"columns of `data` {show(data.shape)} do not match the {show_dim(wanted)} windows of {list(goal)}"
            )
            raise ShapeError(R.shape_mismatch, message, part, [0])

    def run(self, data: Any, image: Any, block: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.windows.patches import folded

        lengths, windows = [int(n) for n in image], Windows([int(n) for n in block], **attrs)
        found = folded(data.reshape(-1, *data.shape[-2:]), windows, lengths)
        return found.reshape(*data.shape[:-2], *found.shape[1:])


def _want_numbers(tensor: Tensor, count: int, name: str, place: int, related: Sequence[int]) -> None:
    if tensor.shape and not dims.can_be(tensor.shape[0], count):
        message = f"expected {count} numbers in `{name}`, got {show_dim(tensor.shape[0])}"
        raise ShapeError(R.wrong_value_length, message, f"input:{place}", related)


class FoldColumns(_Folded):
    """Images in any number of dimensions."""

    def shape(self, data: Tensor, image: Tensor, block: Tensor, **attrs: Any) -> Tensor:
        found = self.match(data, image, block)
        goal, window = values.as_dims(image), values.numbers(block)
        if goal is None:
            return Tensor(data.dtype)
        _want_numbers(block, len(goal), "block_shape", 2, [1, 2])
        Windows(goal, **attrs).check()
        windows = None if window is None else Windows(list(map(int, window)), **attrs)
        channels = self.channels(data, windows, "input:2")
        self.want_columns(data, goal, windows, "input:0")
        return Tensor(data.dtype, (found["N"], channels, *map(values.to_dim, goal)))


class Col2Im(_Folded):
    """Images of two dimensions, of one batch or several."""

    inputs = "data:[R,P]|[N,R,P] output_size:[_]/index kernel_size:[_]/index"

    def shape(self, data: Tensor, size: Tensor, kernel: Tensor, **attrs: Any) -> Tensor:
        self.match(data, size, kernel)
        for k, tensor in ((1, size), (2, kernel)):
            _want_numbers(tensor, 2, self.names[k], k, [k])
        Windows((None, None), **attrs).check()
        if data.shape is None:
            return data
        goal, window = values.as_dims(size), values.numbers(kernel)
        windows = None if window is None else Windows(list(map(int, window)), **attrs)
        channels = self.channels(data, windows, "input:2")
        self.want_columns(data, goal, windows, "input:0")
        return Tensor(data.dtype, (*data.shape[:-2], channels, *map(values.to_dim, goal or (None, None))))


class FromColumns(_Folded):
    """Images whose lengths and windows are attributes."""

    inputs = "data:[N,R,P]"
    reads = ()

    def shape(self, data: Tensor, *, output_size: Sequence[int], kernel: Sequence[int], **attrs: Any) -> Tensor:
        self.match(data)
        if data.shape is None:
            return data
        windows = _windows_by_pad(kernel, **attrs)
        self.want_columns(data, output_size, windows, "attr:output_size")
        return Tensor(data.dtype, (data.shape[0], self.channels(data, windows, "input:0"), *output_size))

    def run(self, data: Any, *, output_size: Sequence[int], kernel: Sequence[int], **attrs: Any) -> Any:  # type: ignore[override]
        from irlint.dryrun.kernels.windows.patches import folded

        return folded(data, _windows_by_pad(kernel, **attrs), output_size)
