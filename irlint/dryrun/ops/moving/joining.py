"""Tensors joined: concatenated, stacked, summed."""

from __future__ import annotations

from typing import Any

from irlint.dryrun import dims
from irlint.dryrun.dims import replaced
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator, operator
from irlint.dryrun.ops.common import broadcast, merge_shapes, normalise_axis
from irlint.dryrun.ops.shaped import merged_but, only
from irlint.dryrun.tensor import Entries, Entry, Tensor


class Concat(Operator):
    """Concatenate along an axis; all other dimensions are equal."""

    inputs = "in+:~R/T"
    partial = True

    def shape(self, *tensors: Tensor, axis: int, **_: Any) -> Tensor:
        dtype = self.match(*tensors).dtype("T")
        known = [(k, tensor.shape) for k, tensor in enumerate(tensors) if tensor.shape is not None]
        if not known:
            return Tensor(dtype, None)
        first, shape = known[0]
        at = normalise_axis(axis, len(shape), "attr:axis")
        merged, total = list(shape), shape[at]
        for k, other in known[1:]:
            merged = merged_but(at, tuple(merged), other, (f"input {first}", f"input {k}"), (first, k))
            total = dims.add(total, other[at])
        if len(known) != len(tensors):
            total = dims.interval(dims.bounds(total)[0], None)
        return Tensor(dtype, replaced(tuple(merged), at, total))

    def value(self, *tensors: Tensor, axis: int, **_: Any) -> Entries | None:
        shapes: list[Any] = [t.shape for t in tensors]
        at = axis % len(shapes[0])
        rows = 1
        for dim in shapes[0][:at]:
            rows *= dim
        chunks = [dims.numel(shape[at:]) or 0 for shape in shapes]
        found: list[Entry] = []
        for row in range(rows):
            for tensor, chunk in zip(tensors, chunks, strict=True):
                value = tensor.value
                found += [None] * chunk if value is None else value[row * chunk : (row + 1) * chunk]
        return tuple(found)

    def run(self, *arrays: Any, axis: int, **_: Any) -> Any:
        return np.concatenate(arrays, axis)


class SumOf(Operator):
    """The sum of tensors of one shape."""

    inputs = "arg+:S/T -> S/T"

    def run(self, *arrays: Any, **_: Any) -> Any:
        total = arrays[0].copy()
        for array in arrays[1:]:
            total += array
        return total


class Stack(Operator):
    """Tensors of one shape along a new axis. `counted`: of as many elements as the first, taken for its shape."""

    inputs = "arg+:_/T"

    def shape(self, *tensors: Tensor, axis: int = 0, counted: bool = False, **_: Any) -> Tensor:
        dtype = self.match(*tensors).dtype("T")
        merged = tensors[0]
        other: ShapeError | None = None
        for k, tensor in enumerate(tensors[1:], 1):
            try:
                merged = Tensor(dtype, merge_shapes(merged, tensor, ("input 0", f"input {k}"), (0, k)))
            except ShapeError as error:
                count = dims.numel(merged.shape) if counted else None
                if count is None or count != dims.numel(tensor.shape):
                    raise
                other = other or error
        if merged.shape is None:
            return Tensor(dtype, None)
        at = normalise_axis(axis, len(merged.shape) + 1, "attr:axis")
        result = Tensor(dtype, (*merged.shape[:at], len(tensors), *merged.shape[at:]))
        if other is not None:
            other.outputs = (result,)
            raise other
        return result

    def run(self, *arrays: Any, axis: int = 0, **_: Any) -> Any:
        return np.stack([array.reshape(arrays[0].shape) for array in arrays], axis)


class Folded(Operator):
    """Any number of tensors folded by an operator with two operands (`inner`), or their mean."""

    inputs = "data+:_/T"

    def shape(self, *tensors: Tensor, broadcasts: bool = True, **_: Any) -> Tensor:
        dtype = self.match(*tensors).dtype("T")
        merged = Tensor(dtype, tensors[0].shape)
        for k, tensor in enumerate(tensors[1:], 1):
            names = ("input 0" if k == 1 else "the inputs before", f"input {k}")
            shape = broadcast(merged, tensor, names, "numpy" if broadcasts else "never", indices=(0, k))
            merged = Tensor(dtype, shape)
        return merged

    def value(self, *tensors: Tensor, inner: str, mean: bool = False, **_: Any) -> Entries | None:
        found, each = tensors[0], operator(inner)
        for tensor in tensors[1:]:
            both = only(each.shape(found, tensor))
            found = Tensor(both.dtype, both.shape, each.value(found, tensor))  # type: ignore[arg-type]
        return None if mean else found.value

    def run(self, *arrays: Any, inner: str, mean: bool = False, **_: Any) -> Any:
        found = arrays[0]
        for array in arrays[1:]:
            found = operator(inner).run(found, array)
        return found / np.asarray(len(arrays), found.dtype) if mean else found
