"""Windows of images as columns, and compared to each other."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_least_rank, want_rank
from irlint.dryrun.ops.windows import dilated, filled, want_window, want_windows, windows
from irlint.dryrun.tensor import Tensor


class Correlation(Operator):
    """Patches of one image compared to moved patches of another."""

    inputs = "data1 data2"

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
        want_rank(a, "data1", 0, 4)
        want_rank(b, "data2", 1, 4)
        if a.shape is None:
            return Tensor(a.dtype, None)
        border = max_displacement + (kernel_size - 1) // 2
        reach = max_displacement // stride2 * 2 + 1
        part = "attr:max_displacement" if max_displacement >= kernel_size // 2 else "attr:kernel_size"
        for axis in (2, 3):  # mxnet 1.9.1 computes with unsigned numbers and refuses, or makes a gigantic output
            want_window(a.shape, axis, 2 * border + 1, pad_size, pad_size, part)
        lengths = [
            dims.ceil_divide(dims.subtract(dims.add(dim, 2 * pad_size), 2 * border), stride1) for dim in a.shape[2:]
        ]
        return Tensor(a.dtype, (a.shape[0], reach * reach, *lengths))

    def run(self, a: Any, b: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.patches import correlate

        return correlate(a, b, **attrs)


class Columns(Operator):
    """Windows of an image as columns of a matrix."""

    def shape(
        self,
        data: Tensor,
        *,
        kernel: Sequence[int],
        stride: Sequence[int] = (),
        dilate: Sequence[int] = (),
        pad: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        space = len(kernel)
        want_least_rank(data, "data", 0, space + 2)
        if data.shape is None:
            return data
        steps, reach, pads = filled(stride, space, 1), filled(dilate, space, 1), filled(pad, space, 0)
        for k in range(space):
            want_window(data.shape, k + 2, dilated(kernel[k], reach[k]), pads[k], pads[k], "attr:kernel")
        counts = [
            windows(dim, dilated(kernel[k], reach[k]), pads[k], pads[k], steps[k])
            for k, dim in enumerate(data.shape[2 : space + 2])
        ]
        return Tensor(data.dtype, (data.shape[0], dims.multiply(data.shape[1], prod(kernel)), dims.product(counts)))

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.patches import to_columns

        first: Any = (..., *(0,) * (data.ndim - len(attrs["kernel"]) - 2))
        return to_columns(data[first], **attrs)


class FromColumns(Operator):
    """Columns of windows added up to an image."""

    def shape(
        self,
        data: Tensor,
        *,
        output_size: Sequence[int],
        kernel: Sequence[int],
        stride: Sequence[int] = (),
        dilate: Sequence[int] = (),
        pad: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        want_rank(data, "data", 0, 3)
        if data.shape is None:
            return data
        windows = 1
        for k, (size, width) in enumerate(zip(output_size, kernel, strict=False)):
            reach = (dilate[k] if dilate else 1) * (width - 1) + 1
            windows *= (size + 2 * (pad[k] if pad else 0) - reach) // (stride[k] if stride else 1) + 1
        if not dims.can_be(data.shape[2], windows):
            message = f"expected {windows} windows for an output of {tuple(output_size)}, got `data` {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "attr:output_size", [0])
        if not dims.divisible(data.shape[1], prod(kernel)):
            message = f"column length of `data` {show(data.shape)} is not a multiple of the window size {tuple(kernel)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return Tensor(data.dtype, (data.shape[0], dims.exact_divide(data.shape[1], prod(kernel)), *output_size))

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.patches import from_columns

        return from_columns(data, **attrs)


class FoldColumns(Operator):
    """Columns of windows (batch, channels times window, positions) added up to images in any number of dimensions."""

    inputs = "data image_shape block_shape"
    reads = (1, 2)

    def shape(
        self,
        data: Tensor,
        image: Tensor,
        block: Tensor,
        *,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        want_rank(data, "data", 0, 3)
        want_rank(image, "image_shape", 1, 1)
        want_rank(block, "block_shape", 2, 1)
        goal, window = values.as_dims(image), values.numbers(block)
        if goal is None:
            return Tensor(data.dtype)
        space = len(goal)
        if block.shape and not dims.can_be(block.shape[0], space):
            message = f"expected {space} numbers in `block_shape` as in `image_shape`, got {show_dim(block.shape[0])}"
            raise ShapeError(R.wrong_value_length, message, "input:2", [1, 2])
        want_windows(
            space,
            "explicit",
            filled(strides, space, 1),
            filled(dilations, space, 1),
            filled(pads_begin, space, 0),
            filled(pads_end, space, 0),
        )
        batch, rows = (None, None) if data.shape is None else data.shape[:2]
        channels = None
        if window is not None:
            area = prod(int(n) for n in window)
            if not area or not dims.divisible(rows, area):
                message = f"columns of `data` {show(data.shape)} are not a multiple of the window {list(window)}"
                raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
            channels = dims.exact_divide(rows, area)
            self._check_columns(data, goal, window, (strides, dilations, pads_begin, pads_end))
        return Tensor(data.dtype, (batch, channels, *map(values.to_dim, goal)))

    @staticmethod
    def _check_columns(data: Tensor, goal: Sequence[Any], window: Sequence[Any], lists: Any) -> None:
        if data.shape is None or not all(map(values.is_number, goal)):
            return
        steps, gaps, begin, end = (
            filled(one, len(goal), usual) for one, usual in zip(lists, (1, 1, 0, 0), strict=True)
        )
        wanted: Any = 1
        for k, length in enumerate(goal):
            wanted = dims.multiply(wanted, windows(length, dilated(window[k], gaps[k]), begin[k], end[k], steps[k]))
        if not dims.compatible(data.shape[2], wanted):
            message = (
                f"columns of `data` {show(data.shape)} do not match the {show_dim(wanted)} windows of {list(goal)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:0", [0, 1, 2])

    def run(
        self,
        data: Any,
        image: Any,
        block: Any,
        *,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        **_: Any,
    ) -> Any:
        goal, kernel = [int(n) for n in image], [int(n) for n in block]
        space = len(goal)
        steps, gaps = filled(strides, space, 1), filled(dilations, space, 1)
        begin, end = filled(pads_begin, space, 0), filled(pads_end, space, 0)
        room = [n + a + b for n, a, b in zip(goal, begin, end, strict=True)]
        counts = [(room[k] - (kernel[k] - 1) * gaps[k] - 1) // steps[k] + 1 for k in range(space)]
        columns = data.reshape(data.shape[0], -1, *kernel, *counts)
        found = np.zeros((*columns.shape[:2], *room), data.dtype)
        for place in np.ndindex(*kernel):
            where = zip(place, gaps, counts, steps, strict=True)
            taps: Any = (..., *(slice(p * d, p * d + (n - 1) * s + 1, s) for p, d, n, s in where))
            tap: Any = (slice(None), slice(None), *place)
            found[taps] += columns[tap]
        inner: Any = (..., *(slice(a, a + n) for a, n in zip(begin, goal, strict=True)))
        return found[inner]
