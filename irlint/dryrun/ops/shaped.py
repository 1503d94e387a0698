"""Shared by operators that move, pick and make elements: outputs that follow from one shape, and operands that list lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import operand, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class FromShape(Operator):
    """Base: the output has the element type of the first operand; `made` returns its shape where that of the operand is known, `unmade`
    what is known where it is not."""

    def shape(self, data: Tensor, *rest: Any, **attrs: Any) -> Tensor:
        self.match(data, *rest)
        shape = self.unmade(*rest, **attrs) if data.shape is None else self.made(data.shape, *rest, **attrs)
        return Tensor(data.dtype, shape)

    def made(self, shape: Any, /, *rest: Any, **attrs: Any) -> Shape | None:
        raise NotImplementedError

    def unmade(self, *rest: Any, **attrs: Any) -> Shape | None:
        return None

    def _goal(self, *arrays: Any, **attrs: Any) -> Any:
        """Return the shape of the output of a run."""
        return self.shape(*[Tensor(None, array.shape) for array in arrays], **attrs).shape


class Reshaped(FromShape):
    """Base: elements stay as they are, only the shape differs."""

    def run(self, data: Any, *rest: Any, **attrs: Any) -> Any:
        return data.reshape(self._goal(data, *rest, **attrs))


class Stretched(FromShape):
    """Base: elements are repeated along dimensions of length 1."""

    def run(self, data: Any, *rest: Any, **attrs: Any) -> Any:
        return np.broadcast_to(data, self._goal(data, *rest, **attrs))


class Reordered(FromShape):
    """Base: the axes are in another order, which `order` returns."""

    def order(self, shape: Any, /, *rest: Any, **attrs: Any) -> Sequence[int]:
        raise NotImplementedError

    def made(self, shape: Any, /, *rest: Any, **attrs: Any) -> Shape | None:
        return tuple([shape[k] for k in self.order(shape, **attrs)])

    def run(self, data: Any, **attrs: Any) -> Any:
        return data.transpose(self.order(data.shape, **attrs))


class Alike(Operator):
    """Base: the output has the type of the first operand; `check` raises where the runtime does not take a shape."""

    def shape(self, data: Tensor, *rest: Any, **attrs: Any) -> Tensor:
        self.match(data, *rest)
        if data.shape is not None:
            self.check(data, *rest, **attrs)
        return Tensor(data.dtype, data.shape)

    def check(self, data: Tensor, *_: Any, **attrs: Any) -> None:
        """Raise if the operator does not take data of that shape."""


def merged_but(axis: int, one: Shape, other: Shape, names: tuple[str, str], places: tuple[int, int]) -> list[Dim]:
    """Return what is known of two shapes of one rank that may differ along an axis only; there it is the second."""
    found: list[Dim] = []
    for k, (first, second) in enumerate(zip(one, other, strict=True)):
        if k != axis and not dims.compatible(first, second):
            message = (
                f"dimension {k} of {operand(names[1])} ({show_dim(second)}) does not match {operand(names[0])} "
                f"({show_dim(first)}); only dimension {axis} may differ"
            )
            raise ShapeError(R.shape_mismatch, message, f"input:{places[1]}", places)
        found.append(second if k == axis else dims.merge(first, second))
    return found


def want_entry(tensor: Tensor, name: str, index: int, least: int = 0) -> Dim:
    """Return the one element of an operand as a length; raise if it is below a limit."""
    if not values.fits(entry := tensor.entry, least):
        message = f"expected at least {least} for {operand(name)}, got {show_dim(entry)}"
        raise ShapeError(R.value_out_of_range, message, f"input:{index}", [index])
    return values.to_dim(entry)


def want_lengths(tensor: Tensor, name: str, index: int) -> list[Dim] | None:
    """Return the lengths that an operand lists; raise for a negative one."""
    listed = values.as_dims(tensor)
    for k, entry in enumerate(listed or ()):
        if not values.fits(entry, 0):
            message = f"expected no negative number in {operand(name)}, got {show_dim(entry)} at position {k}"
            raise ShapeError(R.value_out_of_range, message, f"input:{index}", [index])
    return None if listed is None else list(map(values.to_dim, listed))


def sum_of(lengths: Sequence[Dim]) -> Dim:
    total: Dim = 0
    for length in lengths:
        total = dims.add(total, length)
    return total


def without_ones(shape: Shape) -> Shape | None:
    """Return a shape without dimensions of length 1; None if it is unknown which are."""
    if any(not isinstance(dim, int) and dims.can_be(dim, 1) for dim in shape):
        return None
    return tuple(dim for dim in shape if dim != 1)


def stacked(tensor: Tensor, *front: Dim) -> Tensor:
    """Return the type of a tensor with further dimensions in front."""
    return Tensor(tensor.dtype, None if tensor.shape is None else (*front, *tensor.shape))


def agreed(one: Shape | None, other: Shape | None) -> Shape | None:
    """Return what two shapes have in common."""
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple([a if a == b else None for a, b in zip(one, other, strict=True)])


def union(one: Shape | None, other: Shape | None) -> Shape | None:
    """Return the narrowest shape that covers both."""
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(map(dims.union, one, other))


def tiled(shape: Shape, times: Sequence[Dim]) -> Shape:
    """Return the shape of a tensor so many times along its last axes."""
    rank = max(len(times), len(shape))
    wide, often = (1,) * (rank - len(shape)) + shape, (1,) * (rank - len(times)) + tuple(times)
    return tuple(map(dims.multiply, wide, often))


def only(outputs: Any) -> Tensor:
    """Return the one output of an operator."""
    return outputs if isinstance(outputs, Tensor) else outputs[0]
