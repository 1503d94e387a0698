"""Operators on sequences and optional values. Their types are not followed."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, number
from irlint.dryrun.running.sequences import boxed, is_box, items_of
from irlint.dryrun.tensor import UNKNOWN, Tensor


class Construct(Operator):
    """All operands in one sequence."""

    inputs = "data+:_/T -> _"

    def run(self, *arrays: Any, **_: Any) -> Any:
        return boxed(arrays)


class Empty(Operator):
    inputs = " -> _"

    def run(self, **_: Any) -> Any:
        return boxed(())


class At(Operator):
    """The array at a position; negative ones count from the end."""

    inputs = "sequence position:one/index -> _"

    def run(self, sequence: Any, position: Any, **_: Any) -> Any:
        return items_of(sequence)[number(position)]


class ListInsert(Operator):
    """The sequence with one more array, before a position or at the end."""

    inputs = "sequence data position? -> _"

    def run(self, sequence: Any, data: Any, position: Any = None, **_: Any) -> Any:
        items = list(items_of(sequence))
        at = len(items) if position is None else number(position)
        if not -len(items) <= at <= len(items):
            raise ValueError(f"position {at} is outside of a sequence of {len(items)}")
        items.insert(at, data)
        return boxed(items)


class Erase(Operator):
    """The sequence without the array at a position, or without the last one."""

    inputs = "sequence position? -> _"

    def run(self, sequence: Any, position: Any = None, **_: Any) -> Any:
        items = list(items_of(sequence))
        del items[-1 if position is None else number(position)]
        return boxed(items)


class Length(Operator):
    inputs = "sequence -> []/int64"

    def run(self, sequence: Any, **_: Any) -> Any:
        return np.array(len(items_of(sequence)), np.int64)


class ListParts(Operator):
    """A sequence of the parts of an array along an axis: of one length, of given lengths, or each as long as 1."""

    inputs = "data split?"
    reads = (1,)

    def shape(
        self, data: Tensor, lengths: Tensor | None = None, *, axis: int = 0, keepdims: bool = True, **_: Any
    ) -> Tensor:
        if data.shape is None:
            return UNKNOWN
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        size = data.shape[at]
        parts = None if lengths is None else values.numbers(lengths)
        if parts is None or lengths is None:
            return UNKNOWN
        if not parts:
            raise ShapeError(R.wrong_value_length, "expected at least one length in `split`", "input:1", [1])
        if lengths.shape and not dims.can_be(size, int(sum(parts))):
            message = f"sum of `split` {list(parts)} does not match dimension {at} of {dims.show(data.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        if lengths.shape == () and not keepdims and isinstance(size, int) and min(parts[0], size) > 1:
            if not any(dims.can_be(dim, 0) for dim in data.shape):
                message = (
                    f"`keepdims` 0 removes dimension {at} of each part, but `split` {parts[0]} makes it longer than 1"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return UNKNOWN

    def run(self, data: Any, lengths: Any = None, *, axis: int = 0, keepdims: bool = True, **_: Any) -> Any:
        size = data.shape[axis]
        if lengths is not None and lengths.ndim:
            return boxed(np.split(data, np.cumsum(lengths)[:-1], axis))
        step = 1 if lengths is None else number(lengths)
        parts = np.split(data, range(step, size, step), axis) if size else []
        # onnxruntime 1.32 heeds `keepdims` with a length, too
        without = np.delete(data.shape, axis)
        return boxed(parts if keepdims else [part.reshape(without) for part in parts])


class ListJoined(Operator):
    """All arrays of a sequence joined along an axis, which may be new."""

    inputs = "sequence -> _"

    def run(self, sequence: Any, *, axis: int, is_new: bool = False, **_: Any) -> Any:
        return (np.stack if is_new else np.concatenate)(items_of(sequence), axis)


class Optional(Operator):
    """A value that may be missing: the operand, or nothing."""

    inputs = "data? -> _"

    def run(self, data: Any = None, **_: Any) -> Any:
        return boxed(None) if data is None else data


class HasValue(Operator):
    inputs = "data? -> []/bool"

    def run(self, data: Any = None, **_: Any) -> Any:
        return np.array(data is not None and not (is_box(data) and data[()] is None))


class OptionalValue(Operator):
    """The value of an optional one, which is there."""

    inputs = "data:S/T -> S/T"

    def run(self, data: Any, **_: Any) -> Any:
        return data
