"""Operators that move blocks between space, depth and batch, and windows into columns and back."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError, want_least
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, want_rank
from irlint.dryrun.ops.moving.padding import padded
from irlint.dryrun.ops.windows import Windows, want_per_axis
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def want_multiple(shape: Shape, axis: int, by: int, part: str, what: str) -> None:
    if not dims.divisible(shape[axis], by):
        message = f"dimension {axis} of {show(shape)} is {show_dim(shape[axis])}; expected a multiple of {operand(what)} ({by})"
        raise ShapeError(R.shape_mismatch, message, part, [0])


def to_space(data: Any, blocks: Sequence[int], blocks_first: bool = True) -> Any:
    """Return channels laid out as blocks in space."""
    count, depth = len(blocks), data.shape[1] // prod(blocks)
    front, channel, first = ((*blocks, depth), count + 1, 1) if blocks_first else ((depth, *blocks), 1, 2)
    order = [0, channel, *(axis for k in range(count) for axis in (count + 2 + k, first + k))]
    lengths = [n * size for n, size in zip(data.shape[2:], blocks, strict=True)]
    parts = data.reshape(data.shape[0], *front, *data.shape[2:]).transpose(order)
    return parts.reshape(data.shape[0], depth, *lengths)


def to_depth(data: Any, blocks: Sequence[int], blocks_first: bool = True) -> Any:
    """Return blocks in space laid out as channels."""
    counts = [n // size for n, size in zip(data.shape[2:], blocks, strict=True)]
    parts = data.reshape(*data.shape[:2], *(n for pair in zip(counts, blocks, strict=True) for n in pair))
    inner, outer = range(3, parts.ndim, 2), range(2, parts.ndim, 2)
    order = [0, *inner, 1, *outer] if blocks_first else [0, 1, *inner, *outer]
    return parts.transpose(order).reshape(data.shape[0], data.shape[1] * prod(blocks), *counts)


class _Blocks(Operator):
    """The base of operators that lay out channels as blocks in space, and back; with `plane` there are exactly two spatial axes."""

    inputs = "data:[N,C,*S=1..]"
    moved: ClassVar[Any] = None

    def shape(self, data: Tensor, *, block_size: int, plane: bool = False, **_: Any) -> Tensor:
        self.match(data)
        if plane:
            want_rank(data, "data", 0, 4)
        want_least(1, block_size=block_size)
        return data if data.shape is None else Tensor(data.dtype, self.made(data.shape, block_size))

    def made(self, shape: Shape, size: int) -> Shape:
        raise NotImplementedError

    def run(self, data: Any, *, block_size: int, mode: str = "blocks_first", **_: Any) -> Any:
        return self.moved(data, (block_size,) * (data.ndim - 2), mode == "blocks_first")


class DepthToSpace(_Blocks):
    """Channels laid out as blocks in space."""

    moved = staticmethod(to_space)

    def made(self, shape: Shape, size: int) -> Shape:
        area = size ** (len(shape) - 2)
        want_multiple(shape, 1, area, "attr:block_size", "the block volume")
        return (shape[0], dims.exact_divide(shape[1], area), *(dims.multiply(dim, size) for dim in shape[2:]))


class SpaceToDepth(_Blocks):
    """Blocks in space laid out as channels."""

    moved = staticmethod(to_depth)

    def made(self, shape: Shape, size: int) -> Shape:
        for axis in range(2, len(shape)):
            want_multiple(shape, axis, size, "attr:block_size", "block_size")
        space = [dims.exact_divide(dim, size) for dim in shape[2:]]
        return (shape[0], dims.multiply(shape[1], size ** len(space)), *space)


class _Batch(Operator):
    """Base of BatchToSpace and SpaceToBatch: blocks and borders per axis."""

    reads = (1, 2, 3)
    cuts = False  # borders below zero cut off

    def shape(self, data: Tensor, *lists: Tensor, **_: Any) -> Tensor:
        blocks, first, last = self.checked(data, *lists)
        if data.shape is None or blocks is None or len(blocks) != len(data.shape):
            return Tensor(data.dtype, None if data.shape is None else (None,) * len(data.shape))
        batch = self.batch(data.shape, prod(blocks))
        edges = [None] * len(blocks) if first is None or last is None else list(zip(first, last, strict=False))
        lengths = (self.length(data.shape, k, blocks[k], edges[k]) for k in range(1, len(blocks)))
        return Tensor(data.dtype, (batch, *lengths))

    def batch(self, shape: Shape, volume: int) -> Dim:
        """Return the new number of batches."""
        raise NotImplementedError

    def length(self, shape: Shape, k: int, block: int, edges: tuple[int, int] | None) -> Dim:
        """Return the new length of an axis of space, from its block and its borders, if these are known."""
        raise NotImplementedError

    def checked(self, data: Tensor, *lists: Tensor) -> list[tuple[Any, ...] | None]:
        """Return the elements of the lists, None for those that are unknown."""
        count = (self.match(data, *lists).shape("L") or (None,))[0]
        if data.shape is not None and not dims.can_be(count, len(data.shape)):
            message = (
                f"expected one number per dimension of `data` {show(data.shape)} in `{self.names[1]}`, got "
                f"{show_dim(count)}"
            )
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        found = [values.numbers(tensor) for tensor in lists]
        for k, numbers in enumerate(found, 1):
            least = 1 if k == 1 else 0
            if numbers and min(numbers) < least and (k == 1 or not self.cuts):
                message = f"expected at least {least} in `{self.names[k]}`, got {list(numbers)}"
                raise ShapeError(R.value_out_of_range, message, f"input:{k}", [k])
        return found


class BatchToSpace(_Batch):
    """Batches laid out as blocks in space, then cropped."""

    inputs = "data:[_,_,*_] block_shape:L[]|L[_]/T crops_begin:L[]|L[_]/T crops_end:L[]|L[_]/T=integers"

    def batch(self, shape: Shape, volume: int) -> Dim:
        want_multiple(shape, 0, volume, "input:1", "the block volume")
        return dims.exact_divide(shape[0], volume)

    def length(self, shape: Shape, k: int, block: int, edges: tuple[int, int] | None) -> Dim:
        length = dims.multiply(shape[k], block)
        high = dims.bounds(length)[1]
        if edges is None:
            return dims.interval(0, high)
        if high is not None and sum(edges) > high:
            message = f"crops {edges[0]} and {edges[1]} exceed dimension {k} of length {show_dim(length)}"
            raise ShapeError(R.empty_output, message, "input:2", [0, 1, 2, 3])
        return dims.subtract(length, sum(edges))

    def run(self, data: Any, block: Any, begin: Any, end: Any, **_: Any) -> Any:
        found = to_space(data[None], [int(n) for n in block[1:]])[0]
        return padded(found, [(-int(a), -int(b)) for a, b in zip(begin, end, strict=True)])


class SpaceToBatch(_Batch):
    """Space padded, then its blocks laid out as batches."""

    inputs = "data:[_,_,*_] block_shape:L[]|L[_]/T pads_begin:L[]|L[_]/T pads_end:L[]|L[_]/T=integers"
    cuts = True

    def batch(self, shape: Shape, volume: int) -> Dim:
        return dims.multiply(shape[0], volume)

    def length(self, shape: Shape, k: int, block: int, edges: tuple[int, int] | None) -> Dim:
        if edges is None or min(edges) < 0:
            return None
        length = dims.add(shape[k], sum(edges))
        if not dims.divisible(length, block):
            message = (
                f"dimension {k} of {show(shape)}, padded by {edges[0]} and {edges[1]}, is {show_dim(length)}; "
                f"expected a multiple of the block ({block})"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1, 2, 3])
        return dims.exact_divide(length, block)

    def run(self, data: Any, block: Any, begin: Any, end: Any, **_: Any) -> Any:
        data = padded(data, [(int(a), int(b)) for a, b in zip(begin, end, strict=True)])
        return to_depth(data[None], [int(n) for n in block[1:]])[0]


class ShuffleChannels(Operator):
    """Groups along an axis interleaved."""

    inputs = "data:[_,*_]"

    def shape(self, data: Tensor, *, axis: int = 1, group: int = 1, **_: Any) -> Tensor:
        want_least(1, group=group)
        self.match(data)
        if data.shape is None:
            return data
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        want_multiple(data.shape, at, group, "attr:group", "group")
        return data

    def run(self, data: Any, *, axis: int = 1, group: int = 1, **_: Any) -> Any:
        at = axis % data.ndim
        parts = data.reshape(*data.shape[:at], group, data.shape[at] // group, *data.shape[at + 1 :])
        return np.swapaxes(parts, at, at + 1).reshape(data.shape)


class ReorgYolo(Operator):
    """Every stride-th pixel laid out as channels."""

    inputs = "data:[N,C,H,W]/T -> [N,area*C,high,wide]/T"

    def shape(self, data: Tensor, *, stride: int = 0, **_: Any) -> list[Tensor]:
        found = self.match(data)
        stride = stride or 0
        want_least(1, stride=stride)
        for axis in (2, 3) if data.shape else ():
            want_multiple(data.shape or (), axis, stride, "attr:stride", "stride")
        channels, area = found["C"], stride * stride
        if isinstance(channels, int) and channels < area:
            message = f"expected at least {area} channels for stride {stride}, got {show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "attr:stride", [0])
        high, wide = (dims.floor_divide(found[axis], stride) for axis in "HW")
        return self.match(data, area=area, high=high, wide=wide).results

    def run(self, data: Any, *, stride: int, **_: Any) -> Any:
        batch, channels, height, width = data.shape
        wide = data.reshape(batch, channels // (stride * stride), height * stride, width * stride)
        return to_depth(wide, (stride, stride)).reshape(
            batch, channels * stride * stride, height // stride, width // stride
        )


class ExtractImagePatches(Operator):
    """Windows of an image laid out as channels."""

    inputs = "data:[N,C,H,W]/T -> [N,depth,high,wide]/T"

    def shape(self, data: Tensor, *, auto_pad: str = "valid", **attrs: Any) -> list[Tensor]:
        self.match(data)
        for name in ("sizes", "strides", "rates"):
            want_per_axis(name, attrs[name], 2, least=1)
        depth, high, wide = self._made(data, self._windows(auto_pad=auto_pad, **attrs))
        return self.match(data, depth=depth, high=high, wide=wide).results

    @staticmethod
    def _windows(*, sizes: Sequence[int], rates: Sequence[int], **attrs: Any) -> Windows:
        return Windows(sizes, **{"dilations": rates, "auto_pad": "valid", **attrs})

    @staticmethod
    def _made(data: Any, windows: Windows) -> list[Any]:
        """Return the channels, height and width of the result; none if the image is smaller than a window."""
        _, depth, *lengths = data.shape or (None,) * 4
        counts = [max(n, 0) if isinstance(n, int) else n for n in windows.counts(lengths)]
        return [dims.multiply(depth, prod(windows.kernel)), *counts]

    def run(self, data: Any, **attrs: Any) -> Any:
        windows = self._windows(**attrs)
        goal = [data.shape[0], *self._made(data, windows)]
        if not all(goal):
            return np.zeros(goal, data.dtype)
        return windows.view(data).transpose(0, 4, 5, 1, 2, 3).reshape(goal)
