"""Tensors and their elements repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import replaced, show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, number, want_computed_lengths
from irlint.dryrun.ops.shaped import FromShape, tiled, want_lengths
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Dim, Shape

_STRETCHES = 5  # that mxnet 1.9.1 can broadcast ("Too many reduction axes")


class RepeatElements(Operator):
    """Every element several times in a row."""

    def shape(self, data: Tensor, *, repeats: int, axis: int | None = None, **_: Any) -> Tensor:
        if data.shape is None:
            return Tensor(data.dtype, None if axis is not None else (None,))
        shape = data.shape if axis is not None else (dims.product(data.shape),)
        at = normalise_axis(axis or 0, len(shape), "attr:axis")
        return Tensor(data.dtype, replaced(shape, at, dims.multiply(shape[at], repeats)))

    def run(self, data: Any, *, repeats: int, axis: int | None = None, **_: Any) -> Any:
        return np.repeat(data, repeats, axis)


class TileReps(FromShape):
    """The whole tensor several times along its axes."""

    def made(self, shape: Shape, /, *, reps: Sequence[int], **_: Any) -> Shape:
        if dims.is_known(shape) and (count := self._stretches(shape, reps)) > _STRETCHES:
            taken = f"expected at most {_STRETCHES} stretches of new and old axes, got {count}"
            message = f"`reps` {list(reps)} repeats too many axes of {show(shape)}: {taken}"
            raise ShapeError(R.value_out_of_range, message, "attr:reps", [0])
        return tiled(shape, reps)

    @staticmethod
    def _stretches(shape: Any, reps: Sequence[int]) -> int:
        """Return how often new axes, longer than 1, and those of the data take turns."""
        rank = max(len(shape), len(reps))
        pairs = zip([*[1] * (rank - len(reps)), *reps], [*[1] * (rank - len(shape)), *shape], strict=True)
        kinds = [kind for pair in pairs for kind, length in enumerate(pair) if length != 1]
        return sum(1 for k, kind in enumerate(kinds) if not k or kinds[k - 1] != kind)

    def run(self, data: Any, *, reps: Sequence[int], **_: Any) -> Any:
        return np.tile(data, tuple(reps))


class Tile(Operator):
    """The data repeated along its axes."""

    inputs = "data repeats:[_]/integers"
    reads = (1,)

    def shape(self, data: Tensor, repeats: Tensor, *, strict: bool = False, **_: Any) -> Tensor:
        """`strict`: one number per dimension, and none below zero."""
        self.match(data, repeats)
        if strict and data.shape is not None and repeats.shape and not dims.can_be(repeats.shape[0], len(data.shape)):
            message = f"expected {len(data.shape)} numbers in `repeats` for {show(data.shape)}, got {show_dim(repeats.shape[0])}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        want_computed_lengths(repeats, "repeats", 1)
        counts = values.as_dims(repeats)
        if strict:
            want_lengths(repeats, "repeats", 1)
        if counts is None or data.shape is None:
            return Tensor(data.dtype, None)
        if repeats.value is None:
            return Tensor(data.dtype, (None,) * max(len(counts), len(data.shape)))
        return Tensor(data.dtype, tiled(data.shape, list(map(_at_least_zero, counts))))

    def value(self, data: Tensor, repeats: Tensor, **_: Any) -> Entries | None:
        value, counts, shape = data.value, values.numbers(repeats), data.shape
        if value is None or counts is None or shape is None:
            return None
        rank = max(len(counts), len(shape))
        lengths: Any = (1,) * (rank - len(shape)) + shape
        times = [1] * (rank - len(counts)) + [max(int(n), 0) for n in counts]
        at = [0]
        for length, step, n in zip(lengths, values.strides_of(lengths), times, strict=True):
            at = [a + k * step for a in at for _ in range(n) for k in range(length)]
        return tuple([value[a] for a in at])

    def run(self, data: Any, repeats: Any, **_: Any) -> Any:
        return np.tile(data, [max(int(n), 0) for n in repeats])


def _at_least_zero(entry: Entry) -> Dim:
    low, high = values.entry_bounds(entry)
    if high is not None and high < 0:
        # OpenVINO 2026.4.1: -1 repeats of a Const give no elements, as 0 do
        return 0
    return None if low is None or low < 0 else values.to_dim(entry)


class TileAlong(Operator):
    """The data several times along one axis."""

    inputs = "data tiles axis"
    reads = (1, 2)

    def shape(self, data: Tensor, tiles: Tensor, axis: Tensor, **_: Any) -> Tensor:
        listed = axes_of(axis, data.rank, 2, "axis")
        if data.shape is None or listed is None:
            return Tensor(data.dtype, None if data.shape is None else (None,) * len(data.shape))
        at = listed[0]
        return Tensor(data.dtype, replaced(data.shape, at, dims.multiply(data.shape[at], _at_least_zero(tiles.entry))))

    def run(self, data: Any, tiles: Any, axis: Any, **_: Any) -> Any:
        return np.concatenate([data] * number(tiles), number(axis))
