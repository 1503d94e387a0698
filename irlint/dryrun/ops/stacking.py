"""Tensors side by side as NumPy stacks them."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class NumpyStack(Operator):
    """Tensors side by side: vstack, hstack, dstack, column_stack by the axis that they grow along."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, function: str, **_: Any) -> Tensor:
        shapes = [self.raised(tensor.shape, function) for tensor in tensors]
        known = [shape for shape in shapes if shape is not None]
        if len(known) != len(shapes):
            return Tensor(tensors[0].dtype, None)
        first = known[0]
        axis = {"vstack": 0, "hstack": 1 if len(first) > 1 else 0, "dstack": 2, "column_stack": 1}[function]
        total: Dim = 0
        for k, shape in enumerate(known):
            if len(shape) != len(first) or not all(
                dims.compatible(a, b) for j, (a, b) in enumerate(zip(shape, first, strict=True)) if j != axis
            ):
                message = (
                    f"shapes of input 0 {show(tensors[0].shape)} and input {k} {show(tensors[k].shape)} do not match "
                    f"except in dimension {axis}"
                )
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
            total = dims.add(total, shape[axis])
        return Tensor(tensors[0].dtype, (*first[:axis], total, *first[axis + 1 :]))

    @staticmethod
    def raised(shape: Shape | None, function: str) -> Shape | None:
        """With the dimensions that the function adds."""
        if shape is None:
            return None
        if function == "vstack":
            return shape if len(shape) > 1 else (1, *shape) if shape else (1, 1)
        if function == "hstack":
            return shape or (1,)
        if function == "column_stack":
            return shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)
        return shape if len(shape) > 2 else (*shape, 1) if len(shape) == 2 else (1, *(shape or (1,)), 1)

    def run(self, *arrays: Any, function: str, **_: Any) -> Any:
        return getattr(np, function)(arrays)


class AtLeastNd(Operator):
    """Dimensions of 1 added until there are enough."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, rank: int, **_: Any) -> list[Tensor]:
        return [Tensor(t.dtype, self.raised(t.shape, rank)) for t in tensors]

    @staticmethod
    def raised(shape: Shape | None, rank: int) -> Shape | None:
        if shape is None or len(shape) >= rank:
            return shape
        if rank == 3 and len(shape) == 2:
            return (*shape, 1)
        if rank == 3 and len(shape) == 1:
            return (1, *shape, 1)
        return (1,) * (rank - len(shape)) + shape

    def run(self, *arrays: Any, rank: int, **_: Any) -> Any:
        return [array.reshape(self.raised(array.shape, rank)) for array in arrays]
