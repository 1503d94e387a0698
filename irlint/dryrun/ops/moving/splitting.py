"""Parts along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import replaced, show, show_dim
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, number, want_count
from irlint.dryrun.ops.moving.slicing import slice_entries
from irlint.dryrun.ops.shaped import sum_of, want_lengths
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Dim, Shape
from irlint.text import words


def _want_single(shape: Shape, at: int, count: int, part: str) -> None:
    if not dims.can_be(shape[at], count):
        message = f"expected {count} as dimension {at} of {show(shape)} with `squeeze_axis`"
        raise ShapeError(R.shape_mismatch, message, part, [0])


def _equal_parts(shape: Shape, at: int, count: int, part: str) -> list[Dim]:
    """Return the lengths of equal parts."""
    if not dims.divisible(shape[at], count):
        dim = show_dim(shape[at])
        message = f"dimension {at} of {show(shape)} is {dim}; expected a multiple of the {count} parts"
        raise ShapeError(R.shape_mismatch, message, part, [0])
    return [dims.exact_divide(shape[at], count)] * count


def _parts(data: Tensor, at: int, lengths: Sequence[Dim], squeeze: bool = False) -> list[Tensor]:
    """Return the types of parts along an axis, which they may be without."""
    shape = data.shape or ()
    return [Tensor(data.dtype, replaced(shape, at, *(() if squeeze else (length,)))) for length in lengths]


def _entries(data: Tensor, at: int, lengths: Sequence[Dim]) -> list[Entries | None] | None:
    """Return the elements of parts along an axis."""
    value, shape, found, start = data.value, data.shape, [], 0
    for length in lengths:
        if value is None or shape is None or not isinstance(length, int):
            return None
        found.append(slice_entries(value, shape, [(at, start, start + length, 1)]))  # type: ignore[arg-type]
        start += length
    return list(found)


def _cut(data: Any, places: Any, axis: int, squeeze: bool = False) -> list[Any]:
    parts = np.array_split(data, places, axis)
    return [np.squeeze(part, axis) for part in parts] if squeeze else list(parts)


class Split(Operator):
    """Equal parts along an axis."""

    inputs = "data axis:[]/integers"
    reads = (1,)

    def shape(self, data: Tensor, axis: Tensor, *, num_splits: int, **_: Any) -> list[Tensor]:
        want_count(num_splits, "num_splits")
        self.match(data, axis)
        listed = axes_of(axis, data.rank, 1, "axis")
        if data.shape is None or not listed:
            return [Tensor(data.dtype, None if data.shape is None else (None,) * len(data.shape))] * num_splits
        return _parts(data, listed[0], _equal_parts(data.shape, listed[0], num_splits, "attr:num_splits"))

    def value(self, data: Tensor, axis: Tensor, *, num_splits: int, **_: Any) -> list[Entries | None] | None:
        listed = axes_of(axis, data.rank, 1, "axis")
        if data.shape is None or not listed:
            return None
        return _entries(data, listed[0], _equal_parts(data.shape, listed[0], num_splits, "attr:num_splits"))

    def run(self, data: Any, axis: Any, *, num_splits: int, **_: Any) -> Any:
        return list(np.split(data, num_splits, number(axis)))


class VariadicSplit(Operator):
    """Parts of given lengths along an axis; one of them may be -1: the rest."""

    inputs = "data axis:one/numbers split_lengths:[_]"
    reads = (1, 2)

    def shape(self, data: Tensor, axis: Tensor, lengths: Tensor, **_: Any) -> list[Tensor]:
        self.match(data, axis, lengths)
        listed, parts = axes_of(axis, data.rank, 1, "axis"), values.as_dims(lengths)
        if parts is None:
            raise Undecided  # not even how many outputs there are: the lengths may come from weights that are not there
        if data.shape is None or not listed:
            return [Tensor(data.dtype, None if data.shape is None else (None,) * len(data.shape))] * len(parts)
        return _parts(data, listed[0], self._lengths(data.shape, listed[0], parts))

    @staticmethod
    def _lengths(shape: Shape, at: int, parts: Sequence[Entry]) -> list[Dim]:
        low = next((part for part in parts if not values.fits(part, -1)), None)
        if low is not None or parts.count(-1) > 1:
            wanted, got = ("at least -1", show_dim(low)) if low is not None else ("at most one -1", parts)
            raise ShapeError(R.value_out_of_range, f"expected {wanted} in `split_lengths`, got {got}", "input:2", [2])
        total = sum_of([values.to_dim(part) for part in parts if part != -1])
        dim = shape[at]
        is_wrong = isinstance(total, int) and not dims.compatible(dim, total)
        if -1 in parts:
            high = dims.bounds(dim)[1]
            is_wrong = high is not None and dims.bounds(total)[0] > high
        if is_wrong:
            message = (
                f"sum of `split_lengths` {parts} ({show_dim(total)}) does not match dimension {at} of "
                f"{show(shape)} ({show_dim(dim)})"
            )
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        return [dims.subtract(dim, total) if part == -1 else values.to_dim(part) for part in parts]

    def value(self, data: Tensor, axis: Tensor, lengths: Tensor, **_: Any) -> list[Entries | None] | None:
        listed, parts = axes_of(axis, data.rank, 1, "axis"), values.numbers(lengths)
        if not listed or parts is None or data.shape is None:
            return None
        return _entries(data, listed[0], self._lengths(data.shape, listed[0], parts))

    def run(self, data: Any, axis: Any, lengths: Any, **_: Any) -> Any:
        parts = self._lengths(data.shape, number(axis) % data.ndim, [int(n) for n in lengths])
        return list(np.split(data, np.cumsum(parts)[:-1], number(axis)))


class SplitEqual(Operator):
    """Equal parts along an axis; `squeeze_axis` drops it where a part is 1 long."""

    def shape(
        self, data: Tensor, *, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, **_: Any
    ) -> list[Tensor]:
        want_count(num_outputs, "num_outputs")
        if data.shape is None:
            return [Tensor(data.dtype, None)] * num_outputs
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        if squeeze_axis:
            _want_single(data.shape, at, num_outputs, "attr:num_outputs")
        return _parts(data, at, _equal_parts(data.shape, at, num_outputs, "attr:num_outputs"), squeeze_axis)

    def run(self, data: Any, *, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, **_: Any) -> Any:
        return _cut(data, num_outputs, axis, squeeze_axis)


class SplitAt(Operator):
    """Parts along an axis that begin at listed places."""

    def shape(
        self, data: Tensor, *, indices: Sequence[int], axis: int = 0, squeeze_axis: bool = False, **_: Any
    ) -> list[Tensor]:
        if not indices:
            raise ShapeError(R.value_out_of_range, "expected at least one number in `indices`", "attr:indices")
        if data.shape is None:
            return [Tensor(data.dtype, None)] * len(indices)
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        ends: list[Dim] = [*indices[1:], data.shape[at]]
        lengths = [dims.subtract(last, first) for first, last in zip(indices, ends, strict=True)]
        for length, first, last in zip(lengths, indices, ends, strict=True):
            if isinstance(length, int) and length <= 0:
                message = f"the part of dimension {at} of {show(data.shape)} from {first} to {show_dim(last)} is empty"
                raise ShapeError(R.empty_output, message, "attr:indices", [0])
            if squeeze_axis and not dims.can_be(length, 1):
                message = f"expected parts of length 1 with `squeeze_axis`, got {show_dim(length)} for {first}..{show_dim(last)}"
                raise ShapeError(R.shape_mismatch, message, "attr:indices", [0])
        return _parts(data, at, lengths, squeeze_axis)

    def run(self, data: Any, *, indices: Sequence[int], axis: int = 0, squeeze_axis: bool = False, **_: Any) -> Any:
        return _cut(data, list(indices)[1:], axis, squeeze_axis)


class SectionSplit(Operator):
    """So many parts along an axis, the first ones longer by one where the axis cannot be divided; or parts that begin at
    listed places. `columns`: a vector is split along its only axis. What is empty runs all the same."""

    def shape(
        self,
        data: Tensor,
        *,
        sections: int = 0,
        indices: Sequence[int] = (),
        axis: int = 0,
        squeeze_axis: bool = False,
        columns: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        count, part = (sections, "attr:sections") if sections > 0 else (len(indices), "attr:indices")
        if not count:
            message = "expected a number of sections or at least one index"
            raise ShapeError(R.value_out_of_range, message, "attr:sections")
        want_count(count, "sections")
        shape = data.shape
        if shape is None:
            return [Tensor(data.dtype, None)] * count
        at = 0 if columns and len(shape) == 1 else normalise_axis(axis, len(shape), "attr:axis")
        if squeeze_axis:
            _want_single(shape, at, count, part)
        lengths = _equal(shape[at], sections) if sections > 0 else _between(shape, at, indices)
        found = _parts(data, at, [length or None for length in lengths], squeeze_axis)
        # mxnet 1.9.1: split_v2 at (2, 2) gives an empty second part, and runs
        if 0 in lengths and shape[at] != 0:
            message = f"part {lengths.index(0)} of {count} of dimension {at} of {show(shape)} is empty"
            raise ShapeError(R.empty_output, message, part, [0], outputs=found)
        return found

    def run(
        self,
        data: Any,
        *,
        sections: int = 0,
        indices: Sequence[int] = (),
        axis: int = 0,
        squeeze_axis: bool = False,
        columns: bool = False,
        **_: Any,
    ) -> Any:
        at = 0 if columns and data.ndim == 1 else axis
        return _cut(data, sections if sections > 0 else list(indices)[1:], at, squeeze_axis)


def _equal(dim: Dim, count: int) -> list[Dim]:
    if not isinstance(dim, int):
        return [None] * count
    # mxnet 1.9.1: array_split makes 2, 2 and 1 of 5
    return [dim // count + (k < dim % count) for k in range(count)]


def _between(shape: Shape, at: int, starts: Sequence[int]) -> list[Dim]:
    if starts[0] != 0:
        message = f"expected 0 as the first number in `indices`, got {starts[0]}"
        raise ShapeError(R.value_out_of_range, message, "attr:indices")
    ends: list[Dim] = [*starts[1:], shape[at]]
    for first, last in zip(starts, ends, strict=True):
        if isinstance(last, int) and last < first:
            message = (
                f"the part of dimension {at} of {show(shape)} from {first} to {show_dim(last)} ends before it begins"
            )
            raise ShapeError(R.axis_out_of_range, message, "attr:indices", [0])
    return list(map(dims.subtract, ends, starts))


class SplitParts(Operator):
    """As many parts along an axis as there are outputs: of given lengths, or all of one length but the last, which may be shorter
    unless they are `even`. `declared` is a number of outputs that has to be theirs, too; an operator that is `told` how to split has
    either that or lengths, unless the length to be split is unknown."""

    inputs = "data split?:[_]"
    reads = (1,)

    def shape(
        self,
        data: Tensor,
        lengths: Tensor | None = None,
        *,
        axis: int,
        count: int,
        declared: int = 0,
        even: bool = False,
        told: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        if declared and declared != count:
            message = f"expected {words.count(declared, 'output')}, got {count}"
            raise ShapeError(R.wrong_output_count, message, "attr:declared")
        if data.shape is None:
            return [Tensor(data.dtype)] * count
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        if told and isinstance(data.shape[at], int) and bool(declared) is (lengths is not None):
            if declared:
                message = "expected either `num_outputs` or the input `split`, got both"
                raise ShapeError(R.value_not_allowed, message, "attr:declared")
            raise ShapeError(R.missing_attribute, "expected `num_outputs` or the input `split`, got neither", "op")
        self.match(data, lengths)
        if even and lengths is None:
            _equal_parts(data.shape, at, count, "node")
        return _parts(data, at, self._lengths(data.shape, lengths, at, count))

    @staticmethod
    def _lengths(shape: Shape, lengths: Tensor | None, at: int, count: int) -> Sequence[Dim]:
        dim = shape[at]
        if lengths is None:
            if not isinstance(dim, int):
                return [dim if count == 1 else None] * count
            part = -(-dim // count)
            if part * (count - 1) > dim:
                message = f"dimension {at} of {show(shape)} ({dim}) cannot be split into {count} parts"
                raise ShapeError(R.shape_mismatch, message, "node", [0])
            return [*[part] * (count - 1), dim - part * (count - 1)]
        parts = values.as_dims(lengths)
        if parts is None:
            return [None] * count
        if len(parts) != count:
            message = f"expected {words.count(count, 'number')} in `split` (one per output), got {len(parts)}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [1])
        found = want_lengths(lengths, "split", 1) or []
        total = sum_of(found)
        if isinstance(total, int) and not dims.compatible(dim, total):
            message = (
                f"sum of `split` {parts} ({total}) does not match dimension {at} of {show(shape)} ({show_dim(dim)})"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return found

    def value(
        self, data: Tensor, lengths: Tensor | None = None, *, axis: int, count: int, **_: Any
    ) -> list[Entries | None] | None:
        if data.shape is None:
            return None
        at = axis % len(data.shape)
        return _entries(data, at, self._lengths(data.shape, lengths, at, count))

    def run(self, data: Any, lengths: Any = None, *, axis: int, count: int, **_: Any) -> Any:
        if lengths is None:
            part = -(-data.shape[axis] // count)
            return np.split(data, [part * k for k in range(1, count)], axis)
        return np.split(data, np.cumsum(lengths)[:-1], axis)
