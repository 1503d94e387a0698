"""Tensors side by side as NumPy stacks them."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun.dims import replaced, show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits
from irlint.dryrun.ops.shaped import sum_of
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


def at_least(shape: Shape, rank: int) -> Shape:
    """Return a shape with dimensions of 1, in front of it, or, of three, around it."""
    if rank == 3 and 0 < len(shape) < 3:
        return (*(1,) * (2 - len(shape)), *shape, 1)
    return (1,) * (rank - len(shape)) + shape


class NumpyStack(Operator):
    """Tensors side by side: vstack, hstack, dstack, column_stack by the axis that they grow along."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, function: str, **_: Any) -> Tensor:
        known = [shape for tensor in tensors if (shape := self.raised(tensor.shape, function)) is not None]
        if len(known) != len(tensors):
            return Tensor(tensors[0].dtype, None)
        first = known[0]
        axis = {"vstack": 0, "hstack": 1 if len(first) > 1 else 0, "dstack": 2, "column_stack": 1}[function]
        for k, shape in enumerate(known):
            if not fits(replaced(first, axis, None), shape):
                message = (
                    f"shapes of input 0 {show(tensors[0].shape)} and input {k} {show(tensors[k].shape)} do not match "
                    f"except in dimension {axis}"
                )
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        return Tensor(tensors[0].dtype, replaced(first, axis, sum_of([shape[axis] for shape in known])))

    @staticmethod
    def raised(shape: Shape | None, function: str) -> Shape | None:
        """With the dimensions that the function adds."""
        if shape is None:
            return None
        if function == "column_stack":
            return shape + (1,) * (2 - len(shape))
        return at_least(shape, {"vstack": 2, "hstack": 1, "dstack": 3}[function])

    def run(self, *arrays: Any, function: str, **_: Any) -> Any:
        return getattr(np, function)(arrays)


class AtLeastNd(Operator):
    """Dimensions of 1 added until there are enough."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, rank: int, **_: Any) -> list[Tensor]:
        return [Tensor(t.dtype, None if t.shape is None else at_least(t.shape, rank)) for t in tensors]

    def run(self, *arrays: Any, rank: int, **_: Any) -> Any:
        return [array.reshape(at_least(array.shape, rank)) for array in arrays]
