"""Operators that move blocks between space, depth and batch, and windows into columns and back."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_shapes, normalise_axis, same_dtype, want_dtype, want_least_rank, want_rank
from irlint.dryrun.ops.windows import SAME, dilated, filled, resolve_pads, want_per_axis, windows
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def want_multiple(shape: Shape, axis: int, by: int, part: str, what: str) -> None:
    if not dims.divisible(shape[axis], by):
        message = f"dimension {axis} of {show(shape)} is {show_dim(shape[axis])}; expected a multiple of {operand(what)} ({by})"
        raise ShapeError(R.shape_mismatch, message, part, [0])


def _want_block(data: Tensor, block_size: int, plane: bool) -> None:
    """Check the block size; with `plane` there are exactly two spatial axes."""
    want_least_rank(data, "data", 0, 3)
    if plane:
        want_rank(data, "data", 0, 4)
    if block_size <= 0:
        raise too_low("block_size", "at least 1", block_size)


class DepthToSpace(Operator):
    """Channels laid out as blocks in space."""

    def shape(self, data: Tensor, *, block_size: int, plane: bool = False, **_: Any) -> Tensor:
        _want_block(data, block_size, plane)
        if data.shape is None:
            return data
        area = block_size ** (len(data.shape) - 2)
        want_multiple(data.shape, 1, area, "attr:block_size", "the block volume")
        space = tuple(dims.multiply(dim, block_size) for dim in data.shape[2:])
        return Tensor(data.dtype, (data.shape[0], dims.exact_divide(data.shape[1], area), *space))

    def run(self, data: Any, *, block_size: int, mode: str = "blocks_first", **_: Any) -> Any:
        count = data.ndim - 2
        blocks, depth = (block_size,) * count, data.shape[1] // block_size**count
        if mode == "blocks_first":
            parts = data.reshape(data.shape[0], *blocks, depth, *data.shape[2:])
            channel, first = count + 1, 1
        else:
            parts = data.reshape(data.shape[0], depth, *blocks, *data.shape[2:])
            channel, first = 1, 2
        order = [0, channel]
        for k in range(count):
            order += [count + 2 + k, first + k]
        space = [n * block_size for n in data.shape[2:]]
        return parts.transpose(order).reshape(data.shape[0], depth, *space)


class SpaceToDepth(Operator):
    """Blocks in space laid out as channels."""

    def shape(self, data: Tensor, *, block_size: int, plane: bool = False, **_: Any) -> Tensor:
        _want_block(data, block_size, plane)
        if data.shape is None:
            return data
        for axis in range(2, len(data.shape)):
            want_multiple(data.shape, axis, block_size, "attr:block_size", "block_size")
        space = tuple(dims.exact_divide(dim, block_size) for dim in data.shape[2:])
        return Tensor(data.dtype, (data.shape[0], dims.multiply(data.shape[1], block_size ** len(space)), *space))

    def run(self, data: Any, *, block_size: int, mode: str = "blocks_first", **_: Any) -> Any:
        count = data.ndim - 2
        split: list[int] = []
        for n in data.shape[2:]:
            split += [n // block_size, block_size]
        parts = data.reshape(*data.shape[:2], *split)
        inner, outer = [3 + 2 * k for k in range(count)], [2 + 2 * k for k in range(count)]
        order = [0, *inner, 1, *outer] if mode == "blocks_first" else [0, 1, *inner, *outer]
        space = [n // block_size for n in data.shape[2:]]
        return parts.transpose(order).reshape(data.shape[0], data.shape[1] * block_size**count, *space)


class _Batch(Operator):
    """Base of BatchToSpace and SpaceToBatch: blocks and borders per axis."""

    reads = (1, 2, 3)
    cuts = False  # borders below zero cut off

    def checked(self, data: Tensor, *lists: Tensor) -> list[list[Any] | None]:
        found: list[list[Any] | None] = []
        first: Tensor | None = None
        same_dtype(lists, self.names[1:], (1, 2, 3))
        for k, tensor in enumerate(lists, 1):
            want_dtype(tensor, self.names[k], k, "an integer type")
            want_rank(tensor, self.names[k], k, 0, 1)
            if first is not None:
                merge_shapes(first, tensor, (self.names[1], self.names[k]), (1, k), "do not match")
            first = first if first is not None and first.shape is not None else tensor
            value = tensor.value
            found.append(None if value is None or not all(map(values.is_number, value)) else list(value))
        want_least_rank(data, "data", 0, 2)
        count = first.shape[0] if first is not None and first.shape else None
        if data.shape is not None and not dims.can_be(count, len(data.shape)):
            message = (
                f"expected one number per dimension of `data` {show(data.shape)} in `{self.names[1]}`, got "
                f"{show_dim(count)}"
            )
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        blocks = found[0]
        if blocks is not None and any(block < 1 for block in blocks):
            raise ShapeError(
                R.value_out_of_range, f"expected at least 1 in `block_shape`, got {blocks}", "input:1", [1]
            )
        for k, edges in enumerate(found[1:], 2):
            if edges is not None and not self.cuts and any(edge < 0 for edge in edges):
                raise ShapeError(
                    R.value_out_of_range,
                    f"expected no negative number in `{self.names[k]}`, got {edges}",
                    f"input:{k}",
                    [k],
                )
        return found


class BatchToSpace(_Batch):
    """Batches laid out as blocks in space, then cropped."""

    inputs = "data block_shape crops_begin crops_end"

    def shape(self, data: Tensor, block: Tensor, begin: Tensor, end: Tensor, **_: Any) -> Tensor:
        blocks, first, last = self.checked(data, block, begin, end)
        if data.shape is None:
            return Tensor(data.dtype, None)
        if blocks is None or len(blocks) != len(data.shape):
            return Tensor(data.dtype, (None,) * len(data.shape))
        volume = prod(blocks)
        want_multiple(data.shape, 0, volume, "input:1", "the block volume")
        result: list[Dim] = [dims.exact_divide(data.shape[0], volume)]
        for k in range(1, len(data.shape)):
            length = dims.multiply(data.shape[k], blocks[k])
            if first is None or last is None:
                result.append(None if k >= len(data.shape) else dims.interval(0, dims.bounds(length)[1]))
                continue
            cut = first[k] + last[k]
            high = dims.bounds(length)[1]
            if high is not None and cut > high:
                message = f"crops {first[k]} and {last[k]} exceed dimension {k} of length {show_dim(length)}"
                raise ShapeError(R.empty_output, message, "input:2", [0, 1, 2, 3])
            result.append(dims.subtract(length, cut))
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, block: Any, begin: Any, end: Any, **_: Any) -> Any:
        blocks = [int(n) for n in block]
        rank = data.ndim
        batch = data.shape[0] // prod(blocks[1:])
        parts = data.reshape(*blocks[1:], batch, *data.shape[1:])
        order = [rank - 1]
        for k in range(1, rank):
            order += [rank - 1 + k, k - 1]
        lengths = [n * b for n, b in zip(data.shape[1:], blocks[1:], strict=True)]
        result = parts.transpose(order).reshape(batch, *lengths)
        cut = [slice(int(a), n - int(b)) for a, b, n in zip(begin, end, result.shape, strict=True)]
        return result[tuple(cut)]


class SpaceToBatch(_Batch):
    """Space padded, then its blocks laid out as batches."""

    inputs = "data block_shape pads_begin pads_end"
    cuts = True

    def shape(self, data: Tensor, block: Tensor, begin: Tensor, end: Tensor, **_: Any) -> Tensor:
        blocks, first, last = self.checked(data, block, begin, end)
        if data.shape is None:
            return Tensor(data.dtype, None)
        if blocks is None or len(blocks) != len(data.shape):
            return Tensor(data.dtype, (None,) * len(data.shape))
        result: list[Dim] = [dims.multiply(data.shape[0], prod(blocks))]
        for k in range(1, len(data.shape)):
            if first is None or last is None or min(first[k], last[k]) < 0:
                result.append(None)
                continue
            length = dims.add(data.shape[k], first[k] + last[k])
            if not dims.divisible(length, blocks[k]):
                message = (
                    f"dimension {k} of {show(data.shape)}, padded by {first[k]} and {last[k]}, is {show_dim(length)}; "
                    f"expected a multiple of the block ({blocks[k]})"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1, 2, 3])
            result.append(dims.exact_divide(length, blocks[k]))
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, block: Any, begin: Any, end: Any, **_: Any) -> Any:
        blocks = [int(n) for n in block]
        edges = [(int(a), int(b)) for a, b in zip(begin, end, strict=True)]
        data = data[tuple(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(edges, data.shape, strict=True))]
        data = np.pad(data, [(max(a, 0), max(b, 0)) for a, b in edges])
        rank = data.ndim
        split = [data.shape[0]]
        for n, b in zip(data.shape[1:], blocks[1:], strict=True):
            split += [n // b, b]
        order = [2 * k for k in range(1, rank)] + [0] + [2 * k - 1 for k in range(1, rank)]
        return (
            data.reshape(split)
            .transpose(order)
            .reshape(
                data.shape[0] * prod(blocks[1:]), *(n // b for n, b in zip(data.shape[1:], blocks[1:], strict=True))
            )
        )


class ShuffleChannels(Operator):
    """Groups along an axis interleaved."""

    def shape(self, data: Tensor, *, axis: int = 1, group: int = 1, **_: Any) -> Tensor:
        if group < 1:
            raise too_low("group", "at least 1", group)
        if data.shape is None:
            return data
        want_least_rank(data, "data", 0, 1)
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        want_multiple(data.shape, at, group, "attr:group", "group")
        return data

    def run(self, data: Any, *, axis: int = 1, group: int = 1, **_: Any) -> Any:
        at = axis % data.ndim
        parts = data.reshape(*data.shape[:at], group, data.shape[at] // group, *data.shape[at + 1 :])
        return np.swapaxes(parts, at, at + 1).reshape(data.shape)


class ReorgYolo(Operator):
    """Every stride-th pixel laid out as channels."""

    def shape(self, data: Tensor, *, stride: int = 0, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        stride = stride or 0
        if stride < 1:
            raise too_low("stride", "at least 1", stride)
        if data.shape is None:
            return Tensor(data.dtype, (None,) * 4)
        for axis in (2, 3):
            want_multiple(data.shape, axis, stride, "attr:stride", "stride")
        batch, channels, height, width = data.shape
        if isinstance(channels, int) and channels < stride * stride:
            message = f"expected at least {stride * stride} channels for stride {stride}, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "attr:stride", [0])
        return Tensor(
            data.dtype,
            (
                batch,
                dims.multiply(channels, stride * stride),
                dims.floor_divide(height, stride),
                dims.floor_divide(width, stride),
            ),
        )

    def run(self, data: Any, *, stride: int, **_: Any) -> Any:
        step = stride
        batch, channels, height, width = data.shape
        inner = channels // (step * step)
        parts = data.reshape(batch, inner, height, step, width, step)
        return parts.transpose(0, 3, 5, 1, 2, 4).reshape(batch, channels * step * step, height // step, width // step)


class ExtractImagePatches(Operator):
    """Windows of an image laid out as channels."""

    def shape(
        self,
        data: Tensor,
        *,
        sizes: Sequence[int],
        strides: Sequence[int],
        rates: Sequence[int],
        auto_pad: str = "valid",
        **_: Any,
    ) -> Tensor:
        want_rank(data, "data", 0, 4)
        for name, numbers in (("sizes", sizes), ("strides", strides), ("rates", rates)):
            want_per_axis(name, numbers, 2, least=1)
        if auto_pad not in (*SAME, "valid"):
            message = f"unknown value `{auto_pad}` for `auto_pad`; expected one of `valid`, `same_upper`, `same_lower`"
            raise ShapeError(R.value_not_in_enum, message, "attr:auto_pad")
        if data.shape is None:
            return Tensor(data.dtype, (None,) * 4)
        lengths: list[Dim] = []
        for dim, size, stride, rate in zip(data.shape[2:], sizes, strides, rates, strict=True):
            if auto_pad in SAME:
                lengths.append(dims.ceil_divide(dim, stride))
                continue
            reach = dilated(size, rate)
            short = isinstance(dim, int) and isinstance(reach, int) and dim < reach
            lengths.append(0 if short else windows(dim, reach, 0, 0, stride))
        depth = dims.multiply(data.shape[1], sizes[0] * sizes[1])
        if 0 in lengths and all(isinstance(n, int) for n in lengths):
            lengths = [0 if n == 0 else n for n in lengths]
        return Tensor(data.dtype, (data.shape[0], depth, *lengths))

    def run(
        self,
        data: Any,
        *,
        sizes: Sequence[int],
        strides: Sequence[int],
        rates: Sequence[int],
        auto_pad: str = "valid",
        **_: Any,
    ) -> Any:
        from irlint.dryrun.ops.windows import pad_spatial, view_of_windows

        begin, end = resolve_pads(data.shape[2:], sizes, strides, rates, (), (), auto_pad)
        goal: Any = self.shape(
            Tensor("float32", data.shape), sizes=sizes, strides=strides, rates=rates, auto_pad=auto_pad
        ).shape
        if not all(goal):
            return np.zeros(goal, data.dtype)
        view = view_of_windows(pad_spatial(data, begin, end), sizes, strides, rates, goal[2:])
        return view.transpose(0, 4, 5, 1, 2, 3).reshape(goal)


class Col2Im(Operator):
    """Columns of windows added up to an image."""

    inputs = "data output_size kernel_size"
    reads = (1, 2)

    def shape(
        self,
        data: Tensor,
        output_size: Tensor,
        kernel_size: Tensor,
        *,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        for k, tensor in ((1, output_size), (2, kernel_size)):
            want_dtype(tensor, self.names[k], k, "int32 or int64")
            want_rank(tensor, self.names[k], k, 1)
            if tensor.shape and not dims.can_be(tensor.shape[0], 2):
                message = f"expected 2 numbers in `{self.names[k]}`, got {show_dim(tensor.shape[0])}"
                raise ShapeError(R.wrong_value_length, message, f"input:{k}", [k])
        want_rank(data, "data", 0, 2, 3)
        for name, numbers, least in (
            ("strides", strides, 1),
            ("dilations", dilations, 1),
            ("pads_begin", pads_begin, 0),
            ("pads_end", pads_end, 0),
        ):
            if numbers:
                want_per_axis(name, numbers, 2, least=least)
        goal, kernel = values.as_dims(output_size), values.as_dims(kernel_size)
        if data.shape is None:
            return Tensor(data.dtype, None)
        lead, columns = data.shape[-2], data.shape[-1]
        channels: Dim = None
        if kernel is not None and kernel_size.value is not None and all(map(values.is_number, kernel)):
            channels = self._channels(data, lead, kernel)
            if goal is not None and all(map(values.is_number, goal)):
                self._check_columns(data, columns, goal, kernel, strides, dilations, pads_begin, pads_end)
        batch = data.shape[:-2]
        space = (None, None) if goal is None else tuple(map(values.to_dim, goal))
        return Tensor(data.dtype, (*batch, channels, *space))

    @staticmethod
    def _channels(data: Tensor, lead: Dim, kernel: Sequence[Any]) -> Dim:
        area = kernel[0] * kernel[1]
        if area < 1 or not dims.divisible(lead, area):
            message = (
                f"column length of `data` ({show_dim(lead)}) is not a multiple of the window size {kernel[0]} x "
                f"{kernel[1]}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        return dims.exact_divide(lead, area)

    @staticmethod
    def _check_columns(
        data: Tensor, columns: Dim, goal: Any, kernel: Any, strides: Any, dilations: Any, begin: Any, end: Any
    ) -> None:
        wanted: Dim = 1
        for k in range(2):
            reach = dilated(kernel[k], filled(dilations, 2, 1)[k])
            pads = filled(begin, 2, 0)[k], filled(end, 2, 0)[k]
            wanted = dims.multiply(wanted, windows(goal[k], reach, *pads, filled(strides, 2, 1)[k]))
        if not dims.compatible(columns, wanted):
            message = (
                f"columns of `data` ({show_dim(columns)}) do not match the {show_dim(wanted)} windows of "
                f"{list(kernel)} in an image of {list(goal)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:0", [0, 1, 2])

    def run(self, data: Any, output_size: Any, kernel_size: Any, **attrs: Any) -> Any:
        strides, dilations = filled(attrs.get("strides", ()), 2, 1), filled(attrs.get("dilations", ()), 2, 1)
        begin, end = filled(attrs.get("pads_begin", ()), 2, 0), filled(attrs.get("pads_end", ()), 2, 0)
        goal, kernel = [int(n) for n in output_size], [int(n) for n in kernel_size]
        batched = data if data.ndim == 3 else data[None]
        counts = [
            (goal[k] + begin[k] + end[k] - (dilations[k] * (kernel[k] - 1) + 1)) // strides[k] + 1 for k in range(2)
        ]
        columns = batched.reshape(batched.shape[0], batched.shape[1] // prod(kernel), *kernel, *counts)
        image = np.zeros((*columns.shape[:2], *(goal[k] + begin[k] + end[k] for k in range(2))), data.dtype)
        for i in range(kernel[0]):
            for j in range(kernel[1]):
                rows = slice(i * dilations[0], i * dilations[0] + strides[0] * (counts[0] - 1) + 1, strides[0])
                cols = slice(j * dilations[1], j * dilations[1] + strides[1] * (counts[1] - 1) + 1, strides[1])
                image[:, :, rows, cols] += columns[:, :, i, j]
        image = image[:, :, begin[0] : begin[0] + goal[0], begin[1] : begin[1] + goal[1]]
        return image if data.ndim == 3 else image[0]
