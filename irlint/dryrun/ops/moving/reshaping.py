"""Shape changes: reshape, squeeze, transpose, and the shape itself as a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, want_rank
from irlint.dryrun.ops.shaped import Reshaped, without_ones
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.graph import Dim, Shape

_FAR = 1 << 62  # beyond every axis
_NEXT_TO_ZERO = 1  # the length for -1 in a pattern with a 0 that is not copied (OpenVINO 2026.4.1)


class ShapeOf(Operator):
    """The dimensions as a vector."""

    inputs = "data -> [_]/@output_type:int64=index"

    def shape(self, data: Tensor, *, start: int = 0, end: int = _FAR, **attrs: Any) -> Tensor:
        (result,) = self.match(data, **attrs).results
        if data.shape is None:
            return result
        listed = data.shape[start:end]
        return Tensor(result.dtype, (len(listed),), tuple(map(values.from_dim, listed)))

    def run(self, data: Any, *, output_type: str = "int64", start: int = 0, end: int = _FAR, **_: Any) -> Any:
        return np.array(data.shape[start:end], output_type)


class SizeOf(Operator):
    """The number of elements."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        count = None if data.shape is None else values.from_dim(dims.product(data.shape))
        return Tensor("int64", (), None if count is None else (count,))

    def run(self, data: Any, **_: Any) -> Any:
        return np.array(data.size, np.int64)


class FlattenFrom(Reshaped):
    """A matrix: the dimensions before an axis, and the others."""

    def unmade(self, **_: Any) -> Shape:
        return None, None

    def made(self, shape: Shape, /, *, axis: int = 1, **_: Any) -> Shape:
        rank = len(shape)
        at = axis if axis == rank else normalise_axis(axis, max(rank, 1), "attr:axis", behind=rank > 0)
        return dims.product(shape[:at]), dims.product(shape[at:])

    def value(self, data: Tensor, **_: Any) -> Entries | None:
        return data.value


class Reshape(Operator):
    """Reshape; -1 is inferred; with `special_zero`, 0 keeps the dimension at that position. Unless it is `strict`, the runtime
    continues with a wrong number of elements where it copies a dimension."""

    inputs = "data shape:[_]/integers"
    reads = (1,)

    def shape(
        self, data: Tensor, target: Tensor, *, special_zero: bool = False, strict: bool = False, **_: Any
    ) -> Tensor:
        self.match(data, target)
        pattern = values.as_dims(target)
        if pattern is None:
            return Tensor(data.dtype, None)
        if not special_zero and 0 in pattern:
            self._want_empty(data, pattern)
        try:
            found = reshape(data.shape, pattern, special_zero)
            if (
                strict
                and -1 in pattern
                and 0 in [dim for dim, entry in zip(found, pattern, strict=True) if entry != -1]
            ):
                message = f"`shape` {_written(pattern)} cannot infer a dimension next to one of size 0"
                raise ShapeError(R.element_count_mismatch, message, "input:1", [0, 1])
            return Tensor(data.dtype, found)
        except ShapeError as error:
            error.outputs = None if strict else _taken_all_the_same(data, pattern, special_zero, error)
            raise

    @staticmethod
    def _want_empty(data: Tensor, pattern: Sequence[Entry]) -> None:
        """Want data without elements, which alone fit a pattern with a 0 that keeps no dimension. Data that may be empty are let in, but
        refused in each run where they are not."""
        outputs = None
        if _may_be_empty(data.shape, -1 in pattern):
            if data.shape is None or 0 in data.shape or not _keeps(data.shape, pattern):
                return
            outputs = [Tensor(data.dtype, tuple(map(values.to_dim, pattern)))]
        but = (
            f"but {show(data.shape)} has elements"
            if outputs is None
            else f"which only an empty {show(data.shape)} fits"
        )
        message = (
            f"`shape` {_written(pattern)} makes the output empty, {but}; with this `special_zero`, 0 keeps no dimension"
        )
        raise ShapeError(R.element_count_mismatch, message, "input:1", () if outputs else (0, 1), outputs)

    def value(self, data: Tensor, target: Tensor, **_: Any) -> Entries | None:
        return data.value

    def run(self, data: Any, target: Any, *, special_zero: bool = False, **_: Any) -> Any:
        return data.reshape(_lengths(data.shape, target, special_zero))

    def run_packed(self, data: Any, target: Any, *, special_zero: bool = False, **_: Any) -> Any:
        return data.reshaped(tuple(_lengths(data.shape, target, special_zero)))


def _lengths(shape: Sequence[int], target: Any, special_zero: bool) -> list[int]:
    """Return the lengths of a pattern for known data.

    OpenVINO 2026.4.1 leaves out copied dimensions on both sides where it infers -1: [0, -1] of [0, 3] is [0, 3].
    """
    wanted = list(map(int, target)) if target.ndim else []
    copied = {k for k, length in enumerate(wanted) if special_zero and length == 0}
    if wanted.count(-1) == 1:
        total, rest = (
            prod(length for k, length in enumerate(lengths) if length != -1 and k not in copied)
            for lengths in (shape, wanted)
        )
        if not rest or total % rest == 0:
            wanted[wanted.index(-1)] = total // rest if rest else _NEXT_TO_ZERO
    return [shape[k] if k in copied else length for k, length in enumerate(wanted)]


def _taken_all_the_same(
    data: Tensor, pattern: Sequence[Entry], special_zero: bool, error: ShapeError
) -> tuple[Tensor, ...] | None:
    """Return the output with which OpenVINO continues: with a copied dimension it does not count the elements (2026.4.1)."""
    shape = data.shape
    if error.rule != R.element_count_mismatch or not special_zero or 0 not in pattern or -1 in pattern:
        return None
    if shape is None or not dims.is_known(shape):
        return None
    return (Tensor(data.dtype, tuple(shape[k] if e == 0 else values.to_dim(e) for k, e in enumerate(pattern))),)


def reshape(shape: Shape | None, pattern: Sequence[Entry], special_zero: bool) -> Shape:
    """Return the shape of a pattern."""
    if shape is not None and len(pattern) == 1 and isinstance(pattern[0], int) and pattern[0] == -1:
        return (dims.product(shape),)
    _check_pattern(pattern)
    copied = [k for k, entry in enumerate(pattern) if special_zero and entry == 0]
    result: list[Dim] = list(map(_length, pattern))
    if shape is None:
        return tuple(None if k in copied else length for k, length in enumerate(result))
    left, right = list(shape), result.copy()  # what the pattern has to account for, and how it does
    for k in copied:
        if k >= len(shape):
            message = f"0 at position {k} of `shape` {_written(pattern)} is out of range for {show(shape)}"
            raise ShapeError(R.axis_out_of_range, message, "input:1", [0, 1])
        result[k], left[k], right[k] = shape[k], 1, 1
    hole = pattern.index(-1) if -1 in pattern else None
    if hole is None:
        if 0 not in [result[k] for k in copied]:  # with a copied 0 neither side has elements
            _want_count(shape, left, right, pattern, result)
    else:
        right[hole] = 1
        _cancel(left, right)
        result[hole] = _rest(shape, pattern, dims.product(left), dims.product(right))
    return tuple(result)


def _want_count(
    shape: Shape, left: list[Dim], right: list[Dim], pattern: Sequence[Entry], result: Sequence[Dim]
) -> None:
    """Raise unless both can have as many elements."""
    _cancel(left, right)
    total, part = dims.product(left), dims.product(right)
    if not isinstance(part, int) or (dims.compatible(total, part) and _divides(left, part)):
        return
    message = f"`shape` {_written(pattern)} needs {_count(result)} elements, which {show(shape)} cannot have"
    if dims.is_known(shape):
        count = show_dim(dims.numel(shape))
        message = f"{show(shape)} has {count} elements, but `shape` {_written(pattern)} needs {_count(result)}"
    raise ShapeError(R.element_count_mismatch, message, "input:1", [0, 1])


def _check_pattern(pattern: Sequence[Entry]) -> None:
    for k, entry in enumerate(pattern):
        high = values.entry_bounds(entry)[1]
        if high is not None and high < 0 and entry != -1:
            message = f"expected at least -1 in `shape`, got {show_dim(entry)} at position {k}"
            raise ShapeError(R.value_out_of_range, message, "input:1", [1])
    if pattern.count(-1) > 1:
        message = f"expected at most one -1 in `shape`, got {_written(pattern)}"
        raise ShapeError(R.value_out_of_range, message, "input:1", [1])


def _length(entry: Entry) -> Dim:
    """Return a length; one that may also be -1 is unknown."""
    low = values.entry_bounds(entry)[0]
    return None if low is None or low < 0 else values.to_dim(entry)


def _may_be_empty(shape: Shape | None, is_inferred: bool) -> bool:
    """Return whether data may have no elements.

    OpenVINO 2026.4.1 infers -1 beside a 0 only where a dimension is known to be 0; without a -1 it compiles what may be empty when it runs.
    """
    if is_inferred:
        return shape is not None and 0 in shape
    return shape is None or any(dims.can_be(dim, 0) for dim in shape)


def _keeps(shape: Shape, pattern: Sequence[Entry]) -> bool:
    """Return whether all lengths fit a pattern in which 0 keeps the open ones, so that this is probably meant."""
    kept = {k for k, entry in enumerate(pattern) if entry == 0}
    left, right = ([n for k, n in enumerate(one) if k not in kept] for one in (shape, pattern))
    return max(kept) < len(shape) and all(isinstance(n, int) for n in (*left, *right)) and prod(left) == prod(right)


def _divides(shape: Sequence[Dim], count: int) -> bool:
    """Return whether the known dimensions of a shape leave an integer number of elements to the unknown ones."""
    known = 1
    for dim in shape:
        known *= dim if isinstance(dim, int) else 1
    return count % known == 0 if known else count == 0


def _count(shape: Sequence[Dim]) -> str:
    return show_dim(dims.numel(tuple(shape))) if dims.is_known(tuple(shape)) else show(shape)


def _written(pattern: Sequence[Entry]) -> str:
    return "[" + ", ".join(show_dim(entry) for entry in pattern) + "]"


def _cancel(left: list[Dim], right: list[Dim]) -> None:
    """Cancel equal known or symbolic dimensions of both sides, and what is common to the products of the known ones: [n, 4, 6] has the
    elements of [n, 24]."""
    for k, dim in enumerate(left):
        if dim is not None and not isinstance(dim, tuple) and dim != 0 and dim in right:
            right.remove(dim)
            left[k] = 1
    known = [prod(dim for dim in side if isinstance(dim, int)) for side in (left, right)]
    if all(known):
        for side, part in zip((left, right), known, strict=True):
            side[:] = [*(dim for dim in side if not isinstance(dim, int)), part // gcd(*known)]


def _rest(shape: Shape, pattern: Sequence[Entry], total: Dim, part: Dim) -> Dim:
    """Return the length for -1."""
    if part == 0:
        if total == 0 or not isinstance(total, int):
            return _NEXT_TO_ZERO
        message = f"cannot infer -1 in `shape` {_written(pattern)}: it contains a 0, but {show(shape)} has elements"
        raise ShapeError(R.element_count_mismatch, message, "input:1", [0, 1])
    if isinstance(part, int):
        if part == 1:
            return total
        if not dims.divisible(total, part):
            message = (
                f"elements of {show(shape)} ({show_dim(dims.product(shape))}) are not a multiple of the other "
                f"lengths in `shape` {_written(pattern)}"
            )
            raise ShapeError(R.element_count_mismatch, message, "input:1", [0, 1])
        return dims.exact_divide(total, part)
    (low, high), (other_low, other_high) = dims.bounds(total), dims.bounds(part)
    lowest = -(-low // other_high) if other_high else 0 if other_high is None and low == 0 else int(low > 0)
    return dims.interval(lowest, None if high is None or not other_low else high // other_low)


class Squeeze(Operator):
    """Remove dimensions of length 1: the listed ones, or all; `strict` refuses other lengths."""

    inputs = "data axes?:[]|[_]"
    reads = (1,)

    def shape(
        self,
        data: Tensor,
        axes: Tensor | None = None,
        *,
        allow_axis_skip: bool = False,
        strict: bool = False,
        **_: Any,
    ) -> Tensor:
        self.match(data, axes)
        if strict:
            want_rank(axes, "axes", 1, 1)
        if data.shape is None:
            return Tensor(data.dtype, None)
        if axes is None:
            return Tensor(data.dtype, without_ones(data.shape))
        return Tensor(data.dtype, self._left(data.dtype, data.shape, axes, allow_axis_skip, strict))

    def _left(self, kind: str | None, shape: Shape, axes: Tensor, allow_axis_skip: bool, strict: bool) -> Shape | None:
        listed = axes_of(axes, len(shape), 1, unique=False)
        if listed is None:
            return self._one_less(shape) if dims.numel(axes.shape) == 1 else None
        if not listed:
            return self._without_axes(kind, shape, strict)
        if allow_axis_skip and without_ones(tuple([shape[a] for a in listed])) is None:
            return None
        kept = [axis for axis in listed if not dims.can_be(shape[axis], 1)]
        if strict and kept:
            message = (
                f"expected 1 as dimension {kept[0]} of {show(shape)} to squeeze it, got {show_dim(shape[kept[0]])}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        # OpenVINO 2026.4.1 keeps a dimension that is not 1, as torch does; its frontends count on that
        return tuple(dim for k, dim in enumerate(shape) if k in kept or k not in listed)

    @staticmethod
    def _without_axes(kind: str | None, shape: Shape, strict: bool) -> Shape | None:
        if strict and any(dims.can_be(dim, 1) for dim in shape):
            # onnx 1.23.2 infers the same shape, onnxruntime 1.32 removes all dimensions of length 1
            message = f"`axes` is empty; runtimes remove all dimensions of size 1 from {show(shape)}, or none"
            raise ShapeError(R.wrong_value_length, message, "input:1", outputs=[Tensor(kind, None)])
        return without_ones(shape)

    @staticmethod
    def _one_less(shape: Shape) -> Shape:
        """Return the shape without an unknown dimension, if there is one to remove."""
        return (None,) * (len(shape) - 1) if any(dims.can_be(dim, 1) for dim in shape) else shape

    def value(self, data: Tensor, axes: Tensor | None = None, **_: Any) -> Entries | None:
        return data.value

    def run(self, data: Any, axes: Any = None, *, allow_axis_skip: bool = False, **_: Any) -> Any:
        if axes is None or not axes.size:
            return np.squeeze(data)
        listed = {int(a) % data.ndim for a in np.atleast_1d(axes)}
        return np.squeeze(data, tuple(a for a in listed if data.shape[a] == 1))


class Unsqueeze(Operator):
    """Insert dimensions of length 1 at the listed positions of the output."""

    inputs = "data axes:[]|[_]"
    reads = (1,)

    def shape(self, data: Tensor, axes: Tensor, *, strict: bool = False, **_: Any) -> Tensor:
        self.match(data, axes)
        count = None if axes.shape is None else dims.product(axes.shape)
        if count == 0 and not strict:
            raise ShapeError(R.wrong_value_length, "expected at least one axis in `axes`", "input:1", [1])
        if data.shape is None or not isinstance(count, int):
            return Tensor(data.dtype, None)
        if axes.value is None:  # several may be the same
            return Tensor(data.dtype, (None,) * (len(data.shape) + 1) if count == 1 else None)
        listed = axes_of(axes, len(data.shape) + len(set(axes.value)), 1, unique=False)
        if listed is None:
            return Tensor(data.dtype, None)
        lengths = list(data.shape)
        for axis in sorted(set(listed)):
            lengths.insert(axis, 1)
        result = Tensor(data.dtype, tuple(lengths))
        # OpenVINO 2026.4.1 puts in one dimension for a place that is listed twice
        if len(set(listed)) != len(listed):
            message = f"duplicate axis in `axes` {list(axes.value)}"
            raise ShapeError(R.axis_out_of_range, message, "input:1", [1], None if strict else [result])
        return result

    def value(self, data: Tensor, axes: Tensor, **_: Any) -> Entries | None:
        return data.value

    def run(self, data: Any, axes: Any, **_: Any) -> Any:
        return np.expand_dims(data, tuple(dict.fromkeys(int(a) for a in np.atleast_1d(axes))))


class Transpose(Operator):
    """Dimensions in another order; without an order, reversed, unless it is `strict`."""

    inputs = "data order:[_]/integers"
    reads = (1,)

    def shape(self, data: Tensor, order: Tensor, *, strict: bool = False, **_: Any) -> Tensor:
        self.match(data, order)
        shape, count = data.shape, order.shape[0] if order.shape else None
        if shape is not None:
            rank: Dim = len(shape)
            if not (dims.can_be(count, len(shape)) or (dims.can_be(count, 0) and not strict)):
                message = f"expected {rank} axes in `order` for {show(shape)}, got {show_dim(count)}"
                raise ShapeError(R.wrong_value_length, message, "input:1", [0, 1])
        else:
            rank = count or None
        listed = values.numbers(order)
        if listed is None or shape is None:
            return Tensor(data.dtype, (None,) * rank if isinstance(rank, int) else None)
        axes = list(map(int, listed)) or list(range(len(shape)))[::-1]
        if sorted(axes) != list(range(len(shape))):
            message = f"`order` {axes} is not a permutation of the {rank} axes of {show(shape)}"
            raise ShapeError(R.axis_out_of_range, message, "input:1", [0, 1])
        return Tensor(data.dtype, tuple(shape[axis] for axis in axes))

    def value(self, data: Tensor, order: Tensor, **_: Any) -> Entries | None:
        axes, value = values.numbers(order), data.value
        if axes is None or value is None or data.shape is None:
            return None
        axes = axes or tuple(range(len(data.shape)))[::-1]
        shape: Any = data.shape
        steps = values.strides_of(shape)
        return tuple([value[at] for at in values.offsets([shape[a] for a in axes], [steps[a] for a in axes])])

    def run(self, data: Any, order: Any, **_: Any) -> Any:
        return np.transpose(data, [int(a) for a in order] if order.size else None)
