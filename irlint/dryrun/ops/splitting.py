"""Parts along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, number, want_count, want_dtype, want_rank, want_scalar
from irlint.dryrun.ops.slicing import slice_entries
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Dim, Shape
from irlint.text import words


def _split_axis(data: Tensor, axis: Tensor, *, or_single: bool = False) -> int | None:
    want_scalar(axis, "axis", 1, or_single=or_single)
    found = axes_of(axis, data.rank, 1, "axis")
    return found[0] if found else None


def _want_single(shape: Shape, at: int, count: int, part: str) -> None:
    if not dims.can_be(shape[at], count):
        message = f"expected {count} as dimension {at} of {show(shape)} with `squeeze_axis`"
        raise ShapeError(R.shape_mismatch, message, part, [0])


def _equal_parts(
    dtype: str | None, shape: Shape, at: int, count: int, part: str, squeeze: bool = False
) -> list[Tensor]:
    dim = shape[at]
    if not dims.divisible(dim, count):
        message = f"dimension {at} of {show(shape)} is {show_dim(dim)}; expected a multiple of the {count} parts"
        raise ShapeError(R.shape_mismatch, message, part, [0])
    lengths = () if squeeze else (dims.exact_divide(dim, count),)
    return [Tensor(dtype, (*shape[:at], *lengths, *shape[at + 1 :]))] * count


class Split(Operator):
    """Equal parts along an axis."""

    inputs = "data axis"
    reads = (1,)

    def shape(self, data: Tensor, axis: Tensor, *, num_splits: int, **_: Any) -> list[Tensor]:
        want_count(num_splits, "num_splits")
        want_dtype(axis, "axis", 1, "an integer type")
        at = _split_axis(data, axis)
        if data.shape is None or at is None:
            return [Tensor(data.dtype, None if data.shape is None else (None,) * len(data.shape))] * num_splits
        return _equal_parts(data.dtype, data.shape, at, num_splits, "attr:num_splits")

    def value(self, data: Tensor, axis: Tensor, *, num_splits: int, **_: Any) -> list[Entries | None] | None:
        value, at = data.value, _split_axis(data, axis)
        if value is None or at is None or data.shape is None:
            return None
        lengths: Any = data.shape
        part = lengths[at] // num_splits
        return [slice_entries(value, lengths, [(at, k * part, (k + 1) * part, 1)]) for k in range(num_splits)]

    def run(self, data: Any, axis: Any, *, num_splits: int, **_: Any) -> Any:
        return list(np.split(data, num_splits, number(axis)))


class VariadicSplit(Operator):
    """Parts of given lengths along an axis; one of them may be -1: the rest."""

    inputs = "data axis split_lengths"
    reads = (1, 2)

    def shape(self, data: Tensor, axis: Tensor, lengths: Tensor, **_: Any) -> list[Tensor]:
        want_rank(lengths, "split_lengths", 2, 1)
        want_dtype(axis, "axis", 1, "a numeric type")
        at = _split_axis(data, axis, or_single=True)
        parts = values.as_dims(lengths)
        if parts is None:
            raise Undecided  # not even how many outputs there are: the lengths may come from weights that are not there
        if data.shape is None:
            return [Tensor(data.dtype, None)] * len(parts)
        if at is None:
            return [Tensor(data.dtype, (None,) * len(data.shape))] * len(parts)
        known = self._lengths(data.shape, at, parts)
        return [Tensor(data.dtype, (*data.shape[:at], part, *data.shape[at + 1 :])) for part in known]

    @staticmethod
    def _lengths(shape: Shape, at: int, parts: Sequence[Entry]) -> list[Dim]:
        total: Dim = 0
        hole = -1
        for k, part in enumerate(parts):
            if part == -1:
                if hole >= 0:
                    raise ShapeError(
                        R.value_out_of_range, f"expected at most one -1 in `split_lengths`, got {parts}", "input:2", [2]
                    )
                hole = k
            elif not values.fits(part, -1):
                raise ShapeError(
                    R.value_out_of_range,
                    f"expected at least -1 in `split_lengths`, got {show_dim(part)}",
                    "input:2",
                    [2],
                )
            else:
                total = dims.add(total, values.to_dim(part))
        known = isinstance(total, int)
        dim = shape[at]
        _, high = dims.bounds(dim)
        if (hole < 0 and known and not dims.compatible(dim, total)) or (
            hole >= 0 and high is not None and dims.bounds(total)[0] > high
        ):
            message = (
                f"sum of `split_lengths` {parts} ({show_dim(total)}) does not match dimension {at} of "
                f"{show(shape)} ({show_dim(dim)})"
            )
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        return [dims.subtract(dim, total) if k == hole else values.to_dim(part) for k, part in enumerate(parts)]

    def value(self, data: Tensor, axis: Tensor, lengths: Tensor, **_: Any) -> list[Entries | None] | None:
        value, at, parts = data.value, _split_axis(data, axis, or_single=True), values.numbers(lengths)
        if value is None or at is None or parts is None or data.shape is None:
            return None
        shape: Any = data.shape
        found, start = [], 0
        for part in self._lengths(shape, at, parts):
            found.append(slice_entries(value, shape, [(at, start, start + part, 1)]))  # type: ignore[operator]
            start += part  # type: ignore[operator]
        return list(found)

    def run(self, data: Any, axis: Any, lengths: Any, **_: Any) -> Any:
        parts = self._lengths(data.shape, number(axis) % data.ndim, [int(n) for n in lengths])
        return list(np.split(data, np.cumsum(parts)[:-1], number(axis)))


class SplitEqual(Operator):
    """Equal parts along an axis; `squeeze_axis` drops it where a part is 1 long."""

    def shape(
        self,
        data: Tensor,
        *,
        num_outputs: int,
        axis: int = 1,
        squeeze_axis: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        want_count(num_outputs, "num_outputs")
        if data.shape is None:
            return [Tensor(data.dtype, None)] * num_outputs
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        if squeeze_axis:
            _want_single(data.shape, at, num_outputs, "attr:num_outputs")
        return _equal_parts(data.dtype, data.shape, at, num_outputs, "attr:num_outputs", squeeze_axis)

    def run(self, data: Any, *, num_outputs: int, axis: int = 1, squeeze_axis: bool = False, **_: Any) -> Any:
        parts = np.split(data, num_outputs, axis)
        return [np.squeeze(part, axis) for part in parts] if squeeze_axis else list(parts)


class SplitAt(Operator):
    """Parts along an axis that begin at listed places."""

    def shape(
        self, data: Tensor, *, indices: Sequence[int], axis: int = 0, squeeze_axis: bool = False, **_: Any
    ) -> list[Tensor]:
        starts = list(indices)
        if not starts:
            raise ShapeError(R.value_out_of_range, "expected at least one number in `indices`", "attr:indices")
        if data.shape is None:
            return [Tensor(data.dtype, None)] * len(starts)
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        ends: list[Any] = [*starts[1:], data.shape[at]]
        found = []
        for first, last in zip(starts, ends, strict=True):
            length = dims.subtract(last, first)
            if isinstance(length, int) and length <= 0:
                message = f"the part of dimension {at} of {show(data.shape)} from {first} to {last} is empty"
                raise ShapeError(R.empty_output, message, "attr:indices", [0])
            if squeeze_axis and not dims.can_be(length, 1):
                message = f"expected parts of length 1 with `squeeze_axis`, got {show_dim(length)} for {first}..{show_dim(last)}"
                raise ShapeError(R.shape_mismatch, message, "attr:indices", [0])
            part = () if squeeze_axis else (length,)
            found.append(Tensor(data.dtype, (*data.shape[:at], *part, *data.shape[at + 1 :])))
        return found

    def run(self, data: Any, *, indices: Sequence[int], axis: int = 0, squeeze_axis: bool = False, **_: Any) -> Any:
        parts = np.split(data, list(indices)[1:], axis)
        return [np.squeeze(part, axis) if squeeze_axis else part for part in parts]


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
        count = sections if sections > 0 else len(indices)
        if not count:
            raise ShapeError(
                R.value_out_of_range, "expected a number of sections or at least one index", "attr:sections"
            )
        want_count(count, "sections")
        part = "attr:sections" if sections > 0 else "attr:indices"
        if data.shape is None:
            return [Tensor(data.dtype, None)] * count
        at = 0 if columns and len(data.shape) == 1 else normalise_axis(axis, len(data.shape), "attr:axis")
        dim = data.shape[at]
        if squeeze_axis:
            _want_single(data.shape, at, count, part)
        lengths = _equal(dim, sections) if sections > 0 else _between(data, at, indices)
        before, after = data.shape[:at], data.shape[at + 1 :]
        found = [Tensor(data.dtype, (*before, *(() if squeeze_axis else (n or None,)), *after)) for n in lengths]
        # mxnet 1.9.1: split_v2 at (2, 2) gives an empty second part, and runs
        if 0 in lengths and dim != 0:
            message = f"part {lengths.index(0)} of {count} of dimension {at} of {show(data.shape)} is empty"
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
        parts = np.array_split(data, sections if sections > 0 else list(indices)[1:], at)
        return [np.squeeze(part, at) if squeeze_axis else part for part in parts]


def _equal(dim: Dim, count: int) -> list[Dim]:
    if not isinstance(dim, int):
        return [None] * count
    # mxnet 1.9.1: array_split makes 2, 2 and 1 of 5
    return [dim // count + (k < dim % count) for k in range(count)]


def _between(data: Tensor, at: int, starts: Sequence[int]) -> list[Dim]:
    assert data.shape is not None
    if starts[0] != 0:
        raise ShapeError(
            R.value_out_of_range, f"expected 0 as the first number in `indices`, got {starts[0]}", "attr:indices"
        )
    lengths: list[Dim] = []
    ends: list[Dim] = [*starts[1:], data.shape[at]]
    for first, last in zip(starts, ends, strict=True):
        if isinstance(last, int) and last < first:
            message = f"the part of dimension {at} of {show(data.shape)} from {first} to {show_dim(last)} ends before it begins"
            raise ShapeError(R.axis_out_of_range, message, "attr:indices", [0])
        lengths.append(dims.subtract(last, first))
    return lengths


class SplitParts(Operator):
    """As many parts along an axis as there are outputs: of given lengths, or all of one length but the last, which may be shorter
    unless they are `even`. `declared` is a number of outputs that has to be theirs, too; an operator that is `told` how to split has
    either that or lengths, unless the length to be split is unknown."""

    inputs = "data split?"
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
                raise ShapeError(
                    R.value_not_allowed, "expected either `num_outputs` or the input `split`, got both", "attr:declared"
                )
            raise ShapeError(R.missing_attribute, "expected `num_outputs` or the input `split`, got neither", "op")
        if even and lengths is None and not dims.divisible(data.shape[at], count):
            return _equal_parts(data.dtype, data.shape, at, count, "node")
        parts = self._parts(data, lengths, at, count)
        return [Tensor(data.dtype, (*data.shape[:at], part, *data.shape[at + 1 :])) for part in parts]

    @staticmethod
    def _parts(data: Tensor, lengths: Tensor | None, at: int, count: int) -> Sequence[Dim]:
        shape: Shape = data.shape or ()
        dim = shape[at]
        if lengths is None:
            if not isinstance(dim, int):
                return [dim if count == 1 else None] * count
            part = -(-dim // count)
            if part * (count - 1) > dim:
                message = f"dimension {at} of {show(shape)} ({dim}) cannot be split into {count} parts"
                raise ShapeError(R.shape_mismatch, message, "node", [0])
            return [*[part] * (count - 1), dim - part * (count - 1)]
        want_rank(lengths, "split", 1, 1)
        parts = values.as_dims(lengths)
        if parts is None:
            return [None] * count
        if len(parts) != count:
            message = f"expected {words.count(count, 'number')} in `split` (one per output), got {len(parts)}"
            raise ShapeError(R.wrong_value_length, message, "input:1", [1])
        if (low := next((part for part in parts if not values.fits(part, 0)), None)) is not None:
            message = f"expected no negative number in `split`, got {show_dim(low)}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1])
        found = list(map(values.to_dim, parts))
        total: Dim = 0
        for length in found:
            total = dims.add(total, length)
        if isinstance(total, int) and not dims.compatible(dim, total):
            message = (
                f"sum of `split` {parts} ({total}) does not match dimension {at} of {show(shape)} ({show_dim(dim)})"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return found

    def value(
        self, data: Tensor, lengths: Tensor | None = None, *, axis: int, count: int, **_: Any
    ) -> list[Entries | None] | None:
        value, shape = data.value, data.shape
        if value is None or shape is None:
            return None
        at = axis % len(shape)
        start, found = 0, []
        for part in self._parts(data, lengths, at, count):
            if not isinstance(part, int):
                return None
            found.append(slice_entries(value, shape, [(at, start, start + part, 1)]))  # type: ignore[arg-type]
            start += part
        return list(found)

    def run(self, data: Any, lengths: Any = None, *, axis: int, count: int, **_: Any) -> Any:
        if lengths is None:
            part = -(-data.shape[axis] // count)
            return np.split(data, [part * k for k in range(1, count)], axis)
        return np.split(data, np.cumsum(lengths)[:-1], axis)
