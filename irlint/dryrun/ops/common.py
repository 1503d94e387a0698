"""Checks that raise ShapeError, shape arithmetic and a base class for unary operators, shared by many operators."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.dtypes import FLOATS, INTEGERS
from irlint.dryrun.errors import ShapeError, want_least
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.dryrun.values import entry_bounds, is_number
from irlint.graph import Dim, Shape
from irlint.text import words
from irlint.text.numbers import MANY

KINDS: dict[str, Collection[str]] = {
    "a floating-point type": FLOATS,
    "an integer type": INTEGERS,
    "int32, int64, uint32 or uint64": ("int32", "int64", "uint32", "uint64"),
    "bool": ("bool",),
}


def filled_with(shape: Sequence[int], fill: Any, dtype: Any) -> Any:
    """Return an array of one element everywhere; pages of zeros are made where they are first used."""
    is_zero = fill == 0 and math.copysign(1.0, fill) > 0
    return np.zeros(shape, dtype) if is_zero else np.full(shape, fill, dtype)


def number(operand: Any) -> int:
    """Return the first element of an operand as an integer; NumPy 2.4 converts no arrays but those of rank 0."""
    return int(np.asarray(operand).reshape(-1)[0])


def want_dtype(tensor: Tensor | None, name: str, index: int, kind: str) -> None:
    """Raise unless the element type is of a kind, which is a key of KINDS."""
    if tensor is not None and tensor.dtype is not None and tensor.dtype not in KINDS[kind]:
        message = f"expected {kind} for {operand(name)}, got {tensor.dtype}"
        raise ShapeError(R.dtype_mismatch, message, f"input:{index}", [index])


def same_dtype(
    tensors: Sequence[Tensor | None], names: Sequence[str], indices: Sequence[int] | None = None
) -> str | None:
    """Return the element type that several operands share."""
    found: str | None = None
    first = 0
    for k, tensor in enumerate(tensors):
        if tensor is None or tensor.dtype is None:
            continue
        if found is None:
            found, first = tensor.dtype, k
        elif tensor.dtype != found:
            at = indices if indices is not None else range(len(tensors))
            one, other = f"{operand(names[first])} ({found})", f"{operand(names[k])} ({tensor.dtype})"
            message = f"element types of {one} and {other} do not match"
            raise ShapeError(R.dtype_mismatch, message, f"input:{at[k]}", [at[first], at[k]])
    return found


def want_rank(tensor: Tensor | None, name: str, index: int, *ranks: int) -> None:
    if tensor is not None and tensor.shape is not None and len(tensor.shape) not in ranks:
        *others, last = map(str, ranks)
        wanted = f"{', '.join(others)} or {last}" if others else last
        message = f"expected rank {wanted} for {operand(name)}, got {show(tensor.shape)}"
        raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])


def want_least_rank(tensor: Tensor | None, name: str, index: int, least: int) -> None:
    if tensor is not None and tensor.shape is not None and len(tensor.shape) < least:
        message = f"expected rank {least} or higher for {operand(name)}, got {show(tensor.shape)}"
        raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])


def want_scalar(tensor: Tensor | None, name: str, index: int, *, or_single: bool = True) -> None:
    """Raise unless the operand is a scalar or, as most loaders allow, a vector of one element."""
    if tensor is None or tensor.shape is None or tensor.shape == ():
        return
    if or_single and len(tensor.shape) == 1 and dims.can_be(tensor.shape[0], 1):
        return
    message = f"expected a scalar for {operand(name)}, got {show(tensor.shape)}"
    raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])


def want_computed_lengths(tensor: Tensor, name: str, index: int) -> None:
    """Raise if a computed length is negative.

    OpenVINO 2026.4.1 reads a negative number of a Const as an unknown dimension or as 0, but refuses one that is computed:
    "Value for partial shape evaluation can't be lower than zero".
    """
    for k, entry in enumerate(() if tensor.stored else tensor.value or ()):
        low, high = entry_bounds(entry)
        if low is not None and high is not None and high < 0:
            message = f"expected no negative number in {operand(name)}, got {show_dim(entry)} at position {k}"
            raise ShapeError(R.value_out_of_range, message, f"input:{index}", [index])


def merge_dims(a: Dim, b: Dim, message: str, index: int, related: Sequence[int]) -> Dim:
    """Return what is known of two dimensions that must be equal, or raise with the message."""
    if not dims.compatible(a, b):
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", related)
    return dims.merge(a, b)


def merge_shapes(
    a: Tensor,
    b: Tensor,
    names: tuple[str, str],
    indices: tuple[int, int] = (0, 1),
    why: str = "do not match",
) -> Shape | None:
    """Return what is known of two shapes that must be equal."""
    if a.shape is None or b.shape is None:
        return b.shape if a.shape is None else a.shape
    if len(a.shape) != len(b.shape) or not all(map(dims.compatible, a.shape, b.shape)):
        message = f"shapes of {operand(names[0])} {show(a.shape)} and {operand(names[1])} {show(b.shape)} {why}"
        raise ShapeError(R.shape_mismatch, message, f"input:{indices[1]}", indices)
    return tuple(map(dims.merge, a.shape, b.shape))


def normalise_axis(
    axis: int, rank: int, part: str, name: str = "axis", *, negative: bool = True, behind: bool = False
) -> int:
    """Return an axis counted from the front; -rank to rank - 1 are allowed, and rank if it may be `behind` the last one."""
    least, most = -rank if negative else 0, rank if behind else rank - 1
    if not least <= axis <= most:
        of = "" if name == "axis" else f" (`{name}`)"
        allowed = f"rank {rank}; expected {span(least, most)}" if rank else "a scalar"
        raise ShapeError(R.axis_out_of_range, f"axis {axis}{of} is out of range for {allowed}", part)
    return axis + rank if axis < 0 else axis


def want_axes(data: Tensor, axes: Sequence[int], part: str = "attr:axis", *, negative: bool = True) -> None:
    """Raise unless the data has all axes that an attribute names."""
    for axis in axes if data.shape is not None else ():
        normalise_axis(axis, data.rank or 0, part, negative=negative)


def span(least: int, most: int) -> str:
    return f"{least} to {most}" if least < most else str(least)


def _signed(number: int) -> int:
    """Return an unsigned 64-bit number as readers interpret it where they expect an axis."""
    return number - (1 << 64) if number >= 1 << 63 else number


def _want_finite(axes: Entries, rank: int, part: str, name: str) -> None:
    """Raise for an axis that no integer is near; OpenVINO 2026.4.1 makes the least integer of it."""
    for axis in axes:
        if isinstance(axis, float) and not math.isfinite(axis):
            message = f"axis {axis} in {operand(name)} is out of range for rank {rank}"
            raise ShapeError(R.axis_out_of_range, message, part)


def axes_of(
    tensor: Tensor, rank: int | None, index: int, name: str = "axes", *, unique: bool = True, negative: bool = True
) -> list[int] | None:
    """Return the axes that an operand lists, counted from the front; None if they or the rank are unknown."""
    value, part = tensor.value, f"input:{index}"
    if value is None or rank is None:
        return None
    if not all(map(is_number, value)):
        for low, high in map(entry_bounds, value):
            past = low if low is not None and low >= rank else high if high is not None and high < -rank else None
            if past is not None:
                normalise_axis(int(past), rank, part, name)
        return None
    _want_finite(value, rank, part, name)
    found = [normalise_axis(_signed(int(axis)), rank, part, name, negative=negative) for axis in value]
    if unique and len(set(found)) != len(found):
        message = f"duplicate axis in {operand(name)} {list(map(int, value))}"
        raise ShapeError(R.axis_out_of_range, message, part, [index])
    return found


def broadcast(
    a: Tensor, b: Tensor, names: tuple[str, str], mode: str = "numpy", axis: int = -1, indices: tuple[int, int] = (0, 1)
) -> Shape | None:
    """Return the broadcast shape of two operands: "numpy" broadcasts both, "pdpd" only the second, "none" neither.

    "never" is for operators that have no attribute for it.
    """
    left, right = a.shape, b.shape
    if mode == "pdpd":
        return _stretch_second(a, b, names, axis, indices)
    if left == right:
        return left
    if mode in ("never", "none", "explicit"):
        why = "this operator does not broadcast" if mode == "never" else "`auto_broadcast` is off"
        return merge_shapes(a, b, names, indices, f"do not match; {why}")
    if left is None or right is None:
        return None
    rank = max(len(left), len(right))
    left, right = (1,) * (rank - len(left)) + left, (1,) * (rank - len(right)) + right
    for k, (one, other) in enumerate(zip(left, right, strict=True)):
        if not dims.broadcastable(one, other):
            raise _cannot_broadcast(a, b, names, k - rank, one, other, indices)
    return tuple(map(dims.broadcast, left, right))


def _cannot_broadcast(
    a: Tensor,
    b: Tensor,
    names: tuple[str, str],
    axis: int,
    one: Dim,
    other: Dim,
    indices: tuple[int, int],
    why: str = "",
) -> ShapeError:
    where = {-1: "the last dimension", -2: "the second-to-last dimension"}.get(axis, f"dimension {axis}")
    first, second = map(operand, names)
    return ShapeError(
        R.shape_mismatch,
        f"{first} {show(a.shape)} and {second} {show(b.shape)} do not broadcast: {where} is {show_dim(one)} in {first} "
        f"and {show_dim(other)} in {second}{why}",
        f"input:{indices[1]}",
        indices,
    )


def _stretch_second(a: Tensor, b: Tensor, names: tuple[str, str], axis: int, indices: tuple[int, int]) -> Shape | None:
    left, right = a.shape, b.shape
    if left is None or right is None:
        return left
    start = len(left) - len(right) if axis == -1 else axis
    wide = len(right) > len(left)
    while right and right[-1] == 1:
        right = right[:-1]
    if wide or start < 0 or start + len(right) > len(left):
        first, second = map(operand, names)
        message = f"{second} {show(b.shape)} does not broadcast to {first} {show(a.shape)} from axis {start}"
        raise ShapeError(R.shape_mismatch, message, f"input:{indices[1]}", indices)
    result = list(left)
    for k, dim in enumerate(right, start):
        if not dims.stretchable(dim, left[k]):
            raise _cannot_broadcast(a, b, names, k, left[k], dim, indices, f"; only {operand(names[1])} broadcasts")
        result[k] = left[k] if dims.can_be(dim, 1) else dims.merge(left[k], dim)
    return tuple(result)


def want_length(count: int, wanted: int, attr: str, what: str) -> None:
    """Raise unless an attribute lists one number for each of some things."""
    if count != wanted:
        message = f"expected {words.count(wanted, 'number')} in `{attr}` (one per {what}), got {count}"
        raise ShapeError(R.wrong_value_length, message, f"attr:{attr}")


def want_count(count: int, attr: str) -> None:
    """Raise unless an attribute can be a number of outputs: a list of them is built."""
    if not 1 <= count <= MANY:
        want_least(1, **{attr: count})
        raise ShapeError(R.value_out_of_range, f"expected at most {MANY} for `{attr}`, got {count}", f"attr:{attr}")


def fits(goal: Shape, shape: Shape) -> bool:
    return len(goal) == len(shape) and all(map(dims.compatible, goal, shape))


def stretches(shape: Shape, goal: Shape) -> bool:
    """Return whether a shape broadcasts to another one, which stays as it is."""
    return len(shape) <= len(goal) and all(map(dims.stretchable, shape[::-1], goal[::-1]))


def want_shape(tensor: Tensor | None, name: str, index: int, *goals: Shape, related: Sequence[int] = ()) -> None:
    """Raise unless an operand has one of some shapes."""
    if tensor is not None and tensor.shape is not None and not any(fits(goal, tensor.shape) for goal in goals):
        wanted = " or ".join(map(show, dict.fromkeys(goals)))
        message = f"expected shape {wanted} for {operand(name)}, got {show(tensor.shape)}"
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", [*related, index])


def want_each(data: Tensor, given: Tensor | None, names: tuple[str, str], places: tuple[int, int], axis: int) -> None:
    """Raise unless there is one number for all, a list of one for each slice along an axis, or what broadcasts to the data.

    onnxruntime 1.32 refuses some of these, which OpenVINO 2026.4.1 takes, and both refuse any other.
    """
    if given is None or given.shape is None or data.shape is None or len(data.shape) < 2:
        return
    at = axis % len(data.shape)
    if dims.can_be(dims.product(given.shape), 1) or fits((data.shape[at],), given.shape):
        return
    if len(given.shape) > 1 and stretches(given.shape, data.shape):
        return
    message = (
        f"expected one number, or one per slice along axis {at} of {operand(names[0])} {show(data.shape)} in "
        f"{operand(names[1])}, got {show(given.shape)}"
    )
    raise ShapeError(R.shape_mismatch, message, f"input:{places[1]}", places)


class Unary(Operator):
    """Base of elementwise operators with one operand, which keep its shape."""

    inputs = "data:S/T=numbers -> S/T"
    entry: ClassVar[Any] = None  # for one number
    function: ClassVar[str] = ""  # the NumPy function, if there is one
    rises: ClassVar[bool] = False  # monotonic, so that it can be applied to the ends of a range

    def value(self, data: Tensor, **_: Any) -> Entries | None:
        if self.entry is None or (value := data.value) is None:
            return None
        return tuple([self._one(entry, data.dtype) for entry in value])

    def _one(self, entry: Entry, dtype: str | None) -> Entry:
        function = self.entry
        assert function is not None
        try:
            if self.rises:
                return values.convert(values.monotonic(function, entry), dtype)
            return values.convert(function(entry), dtype) if values.is_number(entry) else None
        except (ValueError, OverflowError, ZeroDivisionError):
            return None

    def run(self, data: Any, **_: Any) -> Any:
        return getattr(np, self.function)(data)

    def run_over(self, place: int, data: Any, **_: Any) -> Any:
        return getattr(np, self.function)(data, out=data) if self.function else None
