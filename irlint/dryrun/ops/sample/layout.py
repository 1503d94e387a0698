"""Elements of one sample (channels, space...) moved about: reshaped, permuted, joined, cut, padded, repeated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import NoKernel, ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis
from irlint.dryrun.ops.sample.common import LARGEST_RANK, Settled, made, resolved
from irlint.dryrun.ops.shaped import Alike, FromShape, Reordered, Reshaped
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

Numbers = Sequence[int]
Batch = tuple[int | None, int | None] | None
Sizes = Numbers | Callable[[Sequence[Any]], Numbers]  # numbers, or what computes them from the shapes of all inputs


def place_of(names: str, rank: int) -> str:
    """Return the names of the axes of a tensor of a rank: width last, then height, depth before it in rank 4, channels first."""
    return {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}.get(rank, names)


class SampleReshape(Settled):
    """Other lengths: 0 keeps that of the axis of the same name, -1 is what remains. `batch`: where a batch of 1 is among the lengths
    of the input, and which of the new ones becomes the batch.
    """

    inputs = "data sizes*"

    def result(self, data: Tensor, *others: Tensor, lengths: Sizes, batch: Batch = None, **_: Any) -> Tensor:
        shapes = [tensor.shape for tensor in (data, *others)]
        goal = resolved(lengths, shapes, "attr:lengths")
        if batch is not None:
            return made(self._in_batches(data.shape, goal, *batch)[0], "attr:lengths", dtype=data.dtype)
        goal = self._goal(data.shape or (), goal)
        if prod(goal) != prod(data.shape):  # type: ignore[arg-type]
            message = f"cannot reshape {show(data.shape)} to {show(goal)}: {prod(data.shape)} and {prod(goal)} elements"  # type: ignore[arg-type]
            raise ShapeError(R.element_count_mismatch, message, "attr:lengths", [0])
        return made(goal, "attr:lengths", dtype=data.dtype)

    @staticmethod
    def _goal(shape: Shape, lengths: Numbers) -> list[int]:
        own = dict(zip(place_of("", len(shape)), shape, strict=False))
        names = place_of("", len(lengths))
        goal: list[Any] = [own.get(name, 1) if n == 0 else n for name, n in zip(names, lengths, strict=True)]
        if goal.count(-1) == 1:
            rest = prod(n for n in goal if n != -1)
            goal[goal.index(-1)] = prod(shape) // rest if rest else 0  # type: ignore[arg-type]
        return goal

    @staticmethod
    def _in_batches(shape: Any, lengths: Numbers, before: int | None, after: int | None) -> tuple[list[int], int]:
        """Return the lengths without the batch, and its size."""
        own, goal = list(shape), list(lengths)
        rank = len(own)
        if before is not None:
            own.insert(normalise_axis(before, rank + 1, "attr:batch"), 1)
        at = None if after is None else normalise_axis(after, len(goal), "attr:batch")
        goal = [n or (own[k] if k < len(own) else 0) for k, n in enumerate(goal)]
        rest = prod(n for n in goal if n != -1)
        if goal.count(-1) == 1 and rest > 0:
            goal[goal.index(-1)] = prod(own) // rest
        if min(goal) < 1 or prod(goal) != prod(own) or not 0 < len(goal) - (at is not None) < 5:
            raise ShapeError(
                R.element_count_mismatch, f"cannot reshape {show(shape)} to {show(lengths)}", "attr:lengths", [0]
            )
        return goal, 1 if at is None else goal.pop(at)

    def run(self, data: Any, *others: Any, lengths: Sizes, batch: Batch = None, **_: Any) -> Any:
        goal = resolved(lengths, [array.shape for array in (data, *others)], "attr:lengths")
        if batch is None:
            return data.reshape(self._goal(data.shape, goal))
        goal, count = self._in_batches(data.shape, goal, *batch)
        if count > 1:
            raise NoKernel
        return data.reshape(goal)


class SamplePermute(Reordered):
    """Axes in another order; `orders` lists it for each rank."""

    def order(self, shape: Shape, /, *, orders: dict[int, Numbers], **_: Any) -> Numbers:
        if len(shape) not in orders:
            raise ShapeError(R.wrong_rank, f"no such order of the axes of {show(shape)}", "attr:orders", [0])
        return orders[len(shape)]


class SampleFlatten(Reshaped):
    def made(self, shape: Shape, /, **_: Any) -> Shape:
        return (dims.product(shape),)

    def unmade(self, **_: Any) -> Shape:
        return (None,)


class SampleSqueeze(Settled):
    """Without axes of length 1: those listed, or named; others stay."""

    def result(self, data: Tensor, **attrs: Any) -> Tensor:
        return Tensor(data.dtype, self._goal(data.shape, **attrs))

    @staticmethod
    def _goal(shape: Any, axes: Numbers = (), named: str = "", **_: Any) -> tuple[int, ...]:
        rank = len(shape)
        gone = {axis + rank * (axis < 0) for axis in axes}
        if not axes:
            gone = {k for k, name in enumerate(place_of("", rank)) if name in named}
        return tuple(n for k, n in enumerate(shape) if k not in gone or n != 1) or (1,)

    def run(self, data: Any, **attrs: Any) -> Any:
        return data.reshape(self._goal(data.shape, **attrs))


class SampleExpandDims(Reshaped):
    """New axes of length 1."""

    def made(self, shape: Shape, /, *, axes: Numbers, **_: Any) -> Shape:
        rank = len(shape) + len(axes)
        if rank > 4:
            message = f"expected rank 4 at most after expanding {show(shape)}, got {rank}"
            raise ShapeError(R.wrong_rank, message, "attr:axes", [0])
        places = {normalise_axis(axis, rank, "attr:axes") for axis in axes}
        if len(places) < len(axes):
            raise ShapeError(R.axis_out_of_range, f"duplicate axis in {list(axes)}", "attr:axes", [0])
        lengths = iter(shape)
        return tuple([1 if k in places else next(lengths) for k in range(rank)])


class SampleConcat(Operator):
    """Tensors of one rank joined along an axis."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, axis: int, **_: Any) -> Tensor:
        first = next((tensor for tensor in tensors if tensor.shape is not None), None)
        dtype = tensors[0].dtype
        if first is None:
            normalise_axis(axis, LARGEST_RANK, "attr:axis")
            return Tensor(dtype)
        shape: Any = first.shape
        at = normalise_axis(axis, len(shape), "attr:axis") if len(shape) > 1 else 0
        goal: Shape = (*shape[:at], None, *shape[at + 1 :])
        merged = goal
        total: Dim = 0
        for k, tensor in enumerate(tensors):
            other = tensor.shape
            if other is None:
                total = dims.add(total, None)
                continue
            if len(other) != len(goal) or not all(map(dims.compatible, goal, other)):
                message = f"cannot join {show(shape)} and {show(other)} along axis {at}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [tensors.index(first), k])
            merged = tuple(map(dims.merge, merged, other))
            total = dims.add(total, other[at])
        return Tensor(dtype, (*merged[:at], total, *merged[at + 1 :]))

    def run(self, *arrays: Any, axis: int, **_: Any) -> Any:
        return np.concatenate(arrays, axis if arrays[0].ndim > 1 else 0)


class SampleSlice(Operator):
    """Parts along an axis: of given lengths (0: an equal share of what remains), or cut at `places`."""

    def shape(
        self, data: Tensor, *, axis: int, lengths: Numbers = (), places: Numbers = (), count: int, **_: Any
    ) -> list[Tensor]:
        if data.shape is None:
            return [Tensor(data.dtype)] * count
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        part = "attr:places" if places else "attr:lengths"
        if len(places) < count - 1 if places else len(lengths) < count:
            expected = f"{count - 1} places" if places else f"{count} lengths"
            message = f"expected {expected} for {count} outputs, got {len(places or lengths)}"
            raise ShapeError(R.wrong_value_length, message, part)
        size = data.shape[at]
        if not isinstance(size, int):
            parts: Sequence[Dim] = [n or None for n in lengths[:count]] if lengths else [None] * count
        else:
            parts = whole = self._parts(size, lengths, places, count)
            for n in whole:
                if n <= 0 or sum(whole) > size:
                    message = f"cannot cut axis {at} of {show(data.shape)} into {', '.join(map(show_dim, parts))}"
                    raise ShapeError(R.shape_mismatch, message, part, [0])
        return [Tensor(data.dtype, (*data.shape[:at], n, *data.shape[at + 1 :])) for n in parts]

    @staticmethod
    def _parts(size: int, lengths: Numbers, places: Numbers, count: int) -> list[int]:
        found: list[int] = []
        start = 0
        for k in range(count):
            if places:
                end = size if k == count - 1 else places[k] + size * (places[k] < 0)
                found.append(end - start)
            else:
                found.append(lengths[k] or (size - start) // (count - k))
            start += found[-1]
        return found

    def run(
        self, data: Any, *, axis: int, lengths: Numbers = (), places: Numbers = (), count: int, **_: Any
    ) -> list[Any]:
        parts = self._parts(data.shape[axis], lengths, places, count)
        ends = np.cumsum(parts)
        return [
            np.take(data, range(end - n, end), axis % data.ndim) for n, end in zip(parts, ends.tolist(), strict=True)
        ]


class SampleCrop(Settled):
    """A box cut out: `ranges(shapes)` returns where it begins and ends along each axis."""

    inputs = "data sizes*"

    def result(
        self, data: Tensor, *others: Tensor, ranges: Callable[..., list[tuple[int, int]] | None], **_: Any
    ) -> Tensor:
        found = resolved(ranges, [tensor.shape for tensor in (data, *others)], "attr:ranges")
        if found is None:
            return Tensor(data.dtype)
        shape: Any = data.shape
        for k, (start, end) in enumerate(found):
            if not 0 <= start < end <= shape[k]:
                message = f"cannot cut {start} to {end} out of dimension {k} of {show(shape)}"
                raise ShapeError(R.value_out_of_range, message, "attr:ranges", [0])
        return Tensor(data.dtype, tuple(end - start for start, end in found))

    def run(self, data: Any, *others: Any, ranges: Callable[..., Any], **_: Any) -> Any:
        found = resolved(ranges, [array.shape for array in (data, *others)], "attr:ranges", *others)
        return data[tuple(slice(start, end) for start, end in found)]


class SamplePad(FromShape):
    """Padding by a number (one for all or one per channel), by the border, or reflected.

    `sides`: before and after each axis by its name; of rank 3 those of depth are of the channels.
    """

    inputs = "data values?"

    def made(self, shape: Shape, /, *_: Any, mode: str, **attrs: Any) -> Shape | None:
        found = self._sides(len(shape), **attrs)
        for k, (pair, dim) in enumerate(zip(found, shape, strict=True)):
            if mode == "reflect" and isinstance(dim, int) and max(pair) >= dim:
                message = f"cannot reflect {max(pair)} elements of dimension {k} of {show(shape)}"
                raise ShapeError(R.value_out_of_range, message, "attr:sides", [0])
        lengths = list(map(dims.add, shape, map(sum, found)))
        return made(lengths, "attr:sides").shape

    @staticmethod
    def _sides(rank: int, *, sides: dict[str, tuple[int, int]], **_: Any) -> list[tuple[int, int]]:
        names = place_of("", rank).replace("c", "d" if rank == 3 else "c")
        return [sides.get(name, (0, 0)) for name in names]

    def run(self, data: Any, values: Any = None, *, mode: str, value: float = 0.0, **attrs: Any) -> Any:
        found = self._sides(data.ndim, **attrs)
        if mode != "constant":
            return np.pad(data, found, mode="edge" if mode == "edge" else "reflect")
        if values is None or data.ndim < 3:
            return np.pad(data, found, constant_values=value)
        shape = [n + a + b for n, (a, b) in zip(data.shape, found, strict=True)]
        result = np.empty(shape, data.dtype)
        result[...] = values[: shape[0]].reshape(-1, *(1,) * (data.ndim - 1))
        result[tuple(slice(a, a + n) for n, (a, _) in zip(data.shape, found, strict=True))] = data
        return result


class SampleTile(FromShape):
    """The data repeated: along one axis, or as often as listed along the last axes. What has fewer gets axes of length 1: of rank 4,
    behind the channels.
    """

    def made(self, shape: Shape, /, **attrs: Any) -> Shape | None:
        wide, often = self._often(shape, **attrs)
        return made(list(map(dims.multiply, wide, often)), "attr:repeats").shape

    @staticmethod
    def _often(shape: Any, *, axis: int, tiles: int, repeats: Numbers, **_: Any) -> tuple[Any, list[int]]:
        rank = len(shape)
        if not repeats:
            at = 0 if rank == 1 else axis
            return shape, [tiles if k == at else 1 for k in range(rank)]
        more = (1,) * (len(repeats) - rank)
        shape = (shape[0], 1, *shape[1:]) if rank == 3 and more else (*more, *shape)
        return shape, [1] * (len(shape) - len(repeats)) + list(repeats)

    def run(self, data: Any, **attrs: Any) -> Any:
        shape, often = self._often(data.shape, **attrs)
        return np.tile(data.reshape(shape), often)


class PixelShuffle(Operator):
    """Channels (out x block x block, or block x block x out) made into space."""

    inputs = "data:[C,H,W]"

    def shape(self, data: Tensor, *, block: int, **_: Any) -> Tensor:
        found = self.match(data)
        if not dims.divisible(found["C"], block * block):
            message = f"channels of `data` ({show_dim(found['C'])}) are not a multiple of {block * block}"
            raise ShapeError(R.shape_mismatch, message, "attr:block", [0])
        space = (dims.multiply(found[axis], block) for axis in "HW")
        return made((dims.floor_divide(found["C"], block * block), *space), "attr:block", dtype=data.dtype)

    def run(self, data: Any, *, block: int, blocks_first: bool = False, **_: Any) -> Any:
        from irlint.dryrun.ops.moving.blocks import to_space

        return to_space(data[None], (block, block), blocks_first)[0]


class Unshuffle(Operator):
    """Space made into channels (channels x block x block, or block x block x channels)."""

    inputs = "data:[C,H,W]"

    def shape(self, data: Tensor, *, block: int, **_: Any) -> Tensor:
        found = self.match(data)
        space = (dims.floor_divide(found[axis], block) for axis in "HW")
        return made((dims.multiply(found["C"], block * block), *space), "attr:block", dtype=data.dtype)

    def run(self, data: Any, *, block: int, blocks_first: bool = False, **_: Any) -> Any:
        from irlint.dryrun.ops.moving.blocks import to_depth

        height, width = (length // block * block for length in data.shape[1:])
        return to_depth(data[None, :, :height, :width], (block, block), blocks_first)[0]


class SampleShuffleChannels(Alike):
    """Channels of groups interleaved; `reverse` undoes it."""

    def check(self, data: Tensor, *_: Any, groups: int, **__: Any) -> None:
        shape = data.shape or ()
        channels = shape[0] if len(shape) > 2 else 1  # all of a vector or matrix is one channel
        if not dims.divisible(channels, groups):
            message = f"channels of `data` ({show_dim(channels)}) are not a multiple of {groups} groups"
            raise ShapeError(R.shape_mismatch, message, "attr:groups", [0])

    def run(self, data: Any, *, groups: int, reverse: bool = False, **_: Any) -> Any:
        if data.ndim < 3:
            return data
        lead = data.shape[0] // groups if reverse else groups
        return np.swapaxes(data.reshape(lead, -1, *data.shape[1:]), 0, 1).reshape(data.shape)


class Diag(Settled):
    """A diagonal of a matrix, or the matrix of a diagonal."""

    inputs = "data:[_]|[_,_]"

    def result(self, data: Tensor, *, diagonal: int, **_: Any) -> Tensor:
        self.match(data)
        shape: Any = data.shape
        if len(shape) == 1:
            return Tensor(data.dtype, (shape[0] + abs(diagonal),) * 2)
        height, width = shape
        length = min(height + min(diagonal, 0), width - max(diagonal, 0))
        return made((length,), "attr:diagonal", dtype=data.dtype)

    def run(self, data: Any, *, diagonal: int, **_: Any) -> Any:
        return np.diag(data, diagonal).copy()


class CopyInto(Settled):
    """The first tensor with the second written over a part of it; `starts(shape)` returns where."""

    inputs = "data:[*S] part:[*#S]"

    def result(self, data: Tensor, part: Tensor, *, starts: Callable[[Any], Numbers], **_: Any) -> Tensor:
        shape: Any = data.shape
        other: Any = part.shape
        if shape == other:
            return Tensor(data.dtype, other)
        self.match(data, part)
        where = resolved(starts, shape, "attr:starts")
        for k, (start, length, size) in enumerate(zip(where, other, shape, strict=True)):
            if start < 0 or start + length > size:
                message = f"{show(other)} does not fit into dimension {k} of {show(shape)} from {start}"
                raise ShapeError(R.shape_mismatch, message, "attr:starts", [0, 1])
        return Tensor(data.dtype, shape)

    def run(self, data: Any, part: Any, *, starts: Callable[[Any], Numbers], **_: Any) -> Any:
        if data.shape == part.shape:
            return part
        result = data.copy()
        where = starts(data.shape)
        result[tuple(slice(start, start + n) for start, n in zip(where, part.shape, strict=True))] = part
        return result
