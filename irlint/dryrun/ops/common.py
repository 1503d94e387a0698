"""What many operators share: checks, each of which raises ShapeError, shape arithmetic, and a base for those of one operand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.dtypes import FLOATS, INDEX, INTEGERS, NUMBERS
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Entries, Entry, Tensor
from irlint.dryrun.values import entry_bounds, is_number
from irlint.graph import Dim, Shape

KINDS: dict[str, Collection[str]] = {
    "a number": NUMBERS,
    "a floating-point number": FLOATS,
    "f32, f16 or bf16": ("float32", "float16", "bfloat16"),
    "an integer": INTEGERS,
    "i32, i64, u32 or u64": ("int32", "int64", "uint32", "uint64"),
    "int32 or int64": INDEX,
    "bool": ("bool",),
    "an integer or bool": INTEGERS | {"bool"},
    "a number or bool": NUMBERS | {"bool"},
}


def want_dtype(tensor: Tensor | None, name: str, index: int, kind: str) -> None:
    """`kind` is a key of KINDS."""
    if tensor is not None and tensor.dtype is not None and tensor.dtype not in KINDS[kind]:
        raise ShapeError(
            R.dtype_mismatch, f"{name} must be {kind}, but it is {tensor.dtype}", f"input:{index}", [index]
        )


def same_dtype(
    tensors: Sequence[Tensor | None], names: Sequence[str], indices: Sequence[int] | None = None
) -> str | None:
    """The one element type of several operands."""
    found: str | None = None
    first = 0
    for k, tensor in enumerate(tensors):
        if tensor is None or tensor.dtype is None:
            continue
        if found is None:
            found, first = tensor.dtype, k
        elif tensor.dtype != found:
            at = indices if indices is not None else range(len(tensors))
            message = f"{names[first]} is {found}, but {names[k]} is {tensor.dtype}; both must be of one element type"
            raise ShapeError(R.dtype_mismatch, message, f"input:{at[k]}", [at[first], at[k]])
    return found


def want_rank(tensor: Tensor | None, name: str, index: int, *ranks: int) -> None:
    if tensor is not None and tensor.shape is not None and len(tensor.shape) not in ranks:
        wanted = " or ".join(map(str, ranks)) if ranks else "?"
        many = "dimension" if ranks == (1,) else "dimensions"
        message = f"{name} must have {wanted} {many}, but its shape is {show(tensor.shape)}"
        raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])


def want_least_rank(tensor: Tensor | None, name: str, index: int, least: int) -> None:
    if tensor is not None and tensor.shape is not None and len(tensor.shape) < least:
        message = (
            f"{name} must have at least {least} dimension{'s' * (least > 1)}, but its shape is {show(tensor.shape)}"
        )
        raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])


def want_scalar(tensor: Tensor | None, name: str, index: int, *, or_single: bool = True) -> None:
    """A scalar or (as loaders mostly allow) a vector of one element."""
    if tensor is None or tensor.shape is None or tensor.shape == ():
        return
    if or_single and len(tensor.shape) == 1 and dims.can_be(tensor.shape[0], 1):
        return
    message = f"{name} must be a single number, but its shape is {show(tensor.shape)}"
    raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])


def merge_dims(a: Dim, b: Dim, message: str, index: int, related: Sequence[int]) -> Dim:
    """What two dimensions have in common; the message says why they must be equal."""
    if not dims.compatible(a, b):
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", related)
    return dims.merge(a, b)


def merge_shapes(
    a: Tensor,
    b: Tensor,
    names: tuple[str, str],
    indices: tuple[int, int] = (0, 1),
    why: str = "must have the same shape",
) -> Shape | None:
    """What two shapes that must be equal have in common."""
    if a.shape is None or b.shape is None:
        return b.shape if a.shape is None else a.shape
    if len(a.shape) != len(b.shape) or not all(map(dims.compatible, a.shape, b.shape)):
        message = f"{names[0]} {show(a.shape)} and {names[1]} {show(b.shape)} {why}"
        raise ShapeError(R.shape_mismatch, message, f"input:{indices[1]}", indices)
    return tuple(map(dims.merge, a.shape, b.shape))


def normalise_axis(axis: int, rank: int, part: str, name: str = "axis", *, negative: bool = True) -> int:
    """An axis counted from the front; it may be one of -rank..rank-1."""
    least = -rank if negative else 0
    if not least <= axis < rank:
        allowed = f"{least}..{rank - 1}" if rank else "nothing: the tensor is a scalar"
        raise ShapeError(R.axis_out_of_range, f"{name} is {axis}, but with {rank} dimensions it can be {allowed}", part)
    return axis + rank if axis < 0 else axis


def _signed(number: int) -> int:
    """An unsigned 64-bit number as readers take it where an axis is meant."""
    return number - (1 << 64) if number >= 1 << 63 else number


def axes_of(
    tensor: Tensor, rank: int | None, index: int, name: str = "axes", *, unique: bool = True, negative: bool = True
) -> list[int] | None:
    """The axes that an operand lists, counted from the front; None if they or the rank are not known."""
    value = tensor.value
    if value is None or rank is None or not all(map(is_number, value)):
        if value is not None and rank is not None:
            for entry in value:
                low, high = entry_bounds(entry)
                if (low is not None and low >= rank) or (high is not None and high < -rank):
                    normalise_axis(
                        int(low if low is not None and low >= rank else high or 0), rank, f"input:{index}", name
                    )
        return None
    found = [normalise_axis(_signed(int(axis)), rank, f"input:{index}", name, negative=negative) for axis in value]
    if unique and len(set(found)) != len(found):
        raise ShapeError(
            R.axis_out_of_range, f"{name} lists an axis twice: {list(map(int, value))}", f"input:{index}", [index]
        )
    return found


def broadcast(
    a: Tensor, b: Tensor, names: tuple[str, str], mode: str = "numpy", axis: int = -1, indices: tuple[int, int] = (0, 1)
) -> Shape | None:
    """The shape of two operands laid over each other: "numpy" stretches both, "pdpd" only the second, "none" neither; "never"
    is for operators that have no say in it."""
    if mode == "pdpd":
        return _stretch_second(a, b, names, axis, indices)
    left, right = a.shape, b.shape
    if left == right:
        return left
    if mode == "never":
        return merge_shapes(a, b, names, indices, "must have the same shape: this operator stretches neither")
    if mode in ("none", "explicit"):
        return merge_shapes(a, b, names, indices, "must be equal, as no broadcasting is asked for (auto_broadcast)")
    if left is None or right is None:
        return None
    if len(left) < len(right):
        left = (1,) * (len(right) - len(left)) + left
    elif len(right) < len(left):
        right = (1,) * (len(left) - len(right)) + right
    for k, (one, other) in enumerate(zip(left, right, strict=True)):
        if not dims.broadcastable(one, other):
            raise _cannot_broadcast(a, b, names, k - len(left), one, other, indices)
    return tuple(map(dims.broadcast, left, right))


def _cannot_broadcast(
    a: Tensor,
    b: Tensor,
    names: tuple[str, str],
    axis: int,
    one: Dim,
    other: Dim,
    indices: tuple[int, int],
    why: str = "they must be equal, or one of them 1",
) -> ShapeError:
    where = {-1: "the last dimension", -2: "the last dimension but one"}.get(axis, f"dimension {axis}")
    return ShapeError(
        R.shape_mismatch,
        f"{names[0]} {show(a.shape)} and {names[1]} {show(b.shape)} do not broadcast: {where} is {show_dim(one)} in one "
        f"and {show_dim(other)} in the other ({why})",
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
        message = f"{names[1]} {show(b.shape)} does not fit into {names[0]} {show(a.shape)} from axis {start} on"
        raise ShapeError(R.shape_mismatch, message, f"input:{indices[1]}", indices)
    result = list(left)
    for k, dim in enumerate(right, start):
        if dims.can_be(dim, 1):
            continue
        if not dims.compatible(left[k], dim):
            raise _cannot_broadcast(
                a, b, names, k, left[k], dim, indices, f"only {names[1]} is stretched, where it is 1"
            )
        result[k] = dims.merge(left[k], dim)
    return tuple(result)


def want_length(count: int, wanted: int, attr: str, what: str) -> None:
    """An attribute that lists one number per something."""
    if count != wanted:
        message = f"{attr} must have {wanted} number{'s' * (wanted != 1)}, one per {what}, but has {count}"
        raise ShapeError(R.wrong_value_length, message, f"attr:{attr}")


MOST_OUTPUTS = 1 << 16  # of one node; no runtime could list more


def want_count(count: int, attr: str) -> None:
    """Raise unless an attribute can say how many outputs there are: a list of them is made."""
    if not 1 <= count <= MOST_OUTPUTS:
        limit = "at least 1" if count < 1 else f"at most {MOST_OUTPUTS}"
        raise ShapeError(R.value_out_of_range, f"{attr} is {count}; it must be {limit}", f"attr:{attr}")


def fits(goal: Shape, shape: Shape) -> bool:
    return len(goal) == len(shape) and all(map(dims.compatible, goal, shape))


class Unary(Operator):
    """The base of operators of one operand, element by element: the shape stays."""

    kind: ClassVar[str | None] = "a number"
    result: ClassVar[str | None] = None
    entry: ClassVar[Any] = None  # of one number
    function: ClassVar[str] = ""  # of NumPy, where there is one
    rises: ClassVar[bool] = False  # keeps order, so that it can be applied to the ends of a range

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        if self.kind is not None:
            want_dtype(data, self.names[0], 0, self.kind)
        return data if self.result is None else Tensor(self.result, data.shape)

    def value(self, data: Tensor, **_: Any) -> Entries | None:
        if self.entry is None or (value := data.value) is None:
            return None
        return tuple([self._one(entry, data.dtype) for entry in value])

    def _one(self, entry: Entry, dtype: str | None) -> Entry:
        function = self.entry
        assert function is not None
        try:
            result = (
                values.monotonic(function, entry)
                if self.rises
                else function(entry)
                if values.is_number(entry)
                else None
            )
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
        return values.convert(result, self.result or dtype)

    def run(self, data: Any, **_: Any) -> Any:
        return getattr(np, self.function)(data)
