"""Elementwise operators on several samples, and folds along axes of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis
from irlint.dryrun.ops.sample.common import LARGEST_RANK, Settled, made
from irlint.dryrun.ops.shaped import Alike
from irlint.dryrun.ops.shared.reduction import ReduceAxes
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

reducing: Any = Later("irlint.dryrun.kernels.reducing")

Numbers = Sequence[int]

_FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "floor_divide": lambda a, b: np.floor(a / b),
    "remainder": lambda a, b: a - b * np.rint(a / b),
}


def _computed(function: str, a: Any, b: Any) -> Any:
    """Return a function of two operands: one of those above, or NumPy's."""
    return (_FUNCTIONS.get(function) or getattr(np, function))(a, b)


def _widened(small: Shape, large: Shape) -> Shape | None:
    """Return a shape of lower rank with axes of length 1 behind it, or, if a vector does not have the channels of the other, before
    it; None if that is not known.
    """
    more = len(large) - len(small)
    if not more or len(small) > 1:
        return (*small, *(1,) * more)
    length, channels = small[0], large[0]
    if length == 1:
        return (1,) * len(large)
    if not isinstance(length, int) or not isinstance(channels, int):
        return None
    return (length, *(1,) * more) if length == channels else (*(1,) * more, length)


def _goes_on(a: Dim, b: Dim) -> bool:
    """Return whether a runtime that checks nothing goes on: it repeats the last of the channels that it keeps together."""
    if dims.broadcastable(a, b) or not isinstance(a, int) or not isinstance(b, int):
        return True
    return all((a % together == 0) == (b % together == 0) for together in (4, 8, 16))


def _longer(a: Dim, b: Dim) -> Dim:
    return dims.broadcast(a, b) if dims.broadcastable(a, b) else max(a, b)  # type: ignore[type-var]


class SampleBinary(Operator):
    """A function of two samples, or of one and a number; one of lower rank has its axes first, as channels are."""

    inputs = "a b?"

    def shape(self, a: Tensor, b: Tensor | None = None, **_: Any) -> Tensor:
        if b is None or a.shape is None or b.shape is None:
            return Tensor(a.dtype, a.shape if b is None else None)
        one, other = a.shape, b.shape
        left = _widened(one, other) if len(one) < len(other) else one
        right = _widened(other, one) if len(other) < len(one) else other
        if left is None or right is None:
            return Tensor(a.dtype, (None,) * max(len(one), len(other)))
        if not all(map(dims.broadcastable, left, right)):
            found = None
            if all(map(_goes_on, left, right)) and dims.broadcastable(left[-1], right[-1]):
                found = [Tensor(a.dtype, tuple(map(_longer, left, right)))]
            message = f"{show(one)} and {show(other)} do not broadcast"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1], found)
        return Tensor(a.dtype, tuple(map(dims.broadcast, left, right)))

    def run(self, a: Any, b: Any = None, *, function: str, swapped: bool = False, number: float = 0.0, **_: Any) -> Any:
        if b is None:
            b = a.dtype.type(number)
        elif a.ndim < b.ndim:
            a = a.reshape(_widened(a.shape, b.shape))
        elif b.ndim < a.ndim:
            b = b.reshape(_widened(b.shape, a.shape))
        return _computed(function, *((b, a) if swapped else (a, b)))


class Merge(Operator):
    """Samples of one shape multiplied, added (each times a factor, if there are factors), or their largest elements."""

    inputs = "data+:S"

    def shape(self, *tensors: Tensor, factors: Sequence[float] = (), **_: Any) -> Tensor:
        if factors and len(factors) < len(tensors):
            message = f"expected {len(tensors)} numbers in `factors` (one per input), got {len(factors)}"
            raise ShapeError(R.wrong_value_length, message, "attr:factors")
        return Tensor(tensors[0].dtype, self.match(*tensors).shape("S"))

    def run(self, *arrays: Any, function: str, factors: Sequence[float] = (), **_: Any) -> Any:
        if function == "add" and factors:
            arrays = tuple(array * array.dtype.type(f) for array, f in zip(arrays, factors, strict=False))
        result = arrays[0]
        for array in arrays[1:]:
            result = _computed(function, result, array)
        return result


class AlongAxis(Alike):
    """The base of functions along an axis; of a vector there is only one."""

    def shape(self, data: Tensor, *_: Any, axis: int, **__: Any) -> Tensor:
        if data.shape is None or len(data.shape) > 1:
            normalise_axis(axis, LARGEST_RANK if data.shape is None else len(data.shape), "attr:axis")
        return Tensor(data.dtype, data.shape)

    def run(self, data: Any, *, axis: int, **_: Any) -> Any:
        return self.along(data, axis if data.ndim > 1 else 0)

    def along(self, data: Any, axis: int) -> Any:
        raise NotImplementedError


class SampleSoftmax(AlongAxis):
    def along(self, data: Any, axis: int) -> Any:
        return reducing.softmax(data, axis=axis)


class SampleCumulativeSum(AlongAxis):
    def along(self, data: Any, axis: int) -> Any:
        return np.cumsum(data, axis, dtype=data.dtype)


class GatedHalf(Operator):
    """The first half along an axis times the sigmoid of the second."""

    def shape(self, data: Tensor, *, axis: int, **_: Any) -> Tensor:
        if data.shape is None:
            normalise_axis(axis, LARGEST_RANK, "attr:axis")
            return Tensor(data.dtype)
        at = normalise_axis(axis, len(data.shape), "attr:axis") if len(data.shape) > 1 else 0
        half = dims.floor_divide(data.shape[at], 2)
        return made((*data.shape[:at], half, *data.shape[at + 1 :]), "attr:axis", dtype=data.dtype)

    def run(self, data: Any, *, axis: int, **_: Any) -> Any:
        at = axis % data.ndim if data.ndim > 1 else 0
        half = data.shape[at] // 2
        first, second = np.take(data, range(half), at), np.take(data, range(half, 2 * half), at)
        return first / (1 + np.exp(-second))


class SampleReduce(ReduceAxes):
    """Axes folded into one number, times a factor; of a vector all elements."""

    @staticmethod
    def axes(rank: int, axis: Numbers | None, exclude: bool, exact: bool = False) -> set[int]:
        if axis is None or rank == 1:
            return set(range(rank))
        return {normalise_axis(a, rank, "attr:axis") for a in axis}

    def run(self, data: Any, *, factor: float = 1.0, **attrs: Any) -> Any:
        return [found * data.dtype.type(factor) for found in super().run(data, **attrs)]


class TopIndices(Settled):
    """The indices of the largest of all elements, or these and their indices."""

    def result(self, data: Tensor, *, top: int, values: bool = False, **_: Any) -> Tensor:
        size = dims.numel(data.shape) or 0
        if not 0 < top <= size:
            raise ShapeError(R.value_out_of_range, f"cannot take the largest {top} of {size} elements", "attr:top", [0])
        return Tensor(data.dtype, (2 if values else 1, top))

    def run(self, data: Any, *, top: int, values: bool = False, **_: Any) -> Any:
        flat = data.reshape(-1)
        order = np.lexsort((-np.arange(flat.size), -flat))[:top]
        places = order.astype(data.dtype)
        return np.stack([flat[order], places]) if values else places[None]
