"""Diagonals and triangles of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import normalise_axis, number, want_rank
from irlint.dryrun.ops.shaped import FromShape
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


def _diagonal(shape: Shape, axis1: int, axis2: int, k: int) -> tuple[Shape, int | None]:
    """Return the dimensions beside the two axes of a diagonal, and how long it is: less than 0 if it lies outside."""
    a = normalise_axis(axis1, len(shape), "attr:axis1", "axis1")
    b = normalise_axis(axis2, len(shape), "attr:axis2", "axis2")
    if a == b:
        raise ShapeError(R.axis_out_of_range, f"`axis1` and `axis2` are both {a}", "attr:axis2")
    rest, rows, columns = tuple(dim for n, dim in enumerate(shape) if n not in (a, b)), shape[a], shape[b]
    if isinstance(rows, int) and isinstance(columns, int):
        return rest, min(rows + min(k, 0), columns - max(k, 0))
    return rest, None


class Diagonals(FromShape):
    """A diagonal over two axes, or its sum."""

    inputs = "data:[_,_,*_]"

    def made(
        self, shape: Shape, /, *, offset: int = 0, axis1: int = 0, axis2: int = 1, total: bool = False, **_: Any
    ) -> Shape:
        rest, length = _diagonal(shape, axis1, axis2, offset)
        return rest if total else (*rest, None if length is None else max(length, 0))

    def run(self, data: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1, total: bool = False, **_: Any) -> Any:
        return (np.trace if total else np.diagonal)(data, offset, axis1, axis2)


class FlatDiagonal(Operator):
    """A matrix with all elements on a diagonal."""

    def shape(self, data: Tensor, *, k: int = 0, **_: Any) -> Tensor:
        side = dims.add(dims.product(data.shape), abs(k)) if data.shape is not None else None
        return Tensor(data.dtype, (side, side))

    def run(self, data: Any, *, k: int = 0, **_: Any) -> Any:
        return np.diagflat(data, k)


class LowerTriangle(FromShape):
    def made(self, shape: Shape, /, **_: Any) -> Shape:
        return shape * 2 if len(shape) == 1 else shape

    def run(self, data: Any, *, k: int = 0, **_: Any) -> Any:
        return np.tril(data, k)


class Diagonal(Operator):
    """A vector on the diagonal of a matrix, or the diagonal of a tensor. With `ranks` as NumPy has it: of tensors of these
    ranks only, and empty however far it lies outside."""

    def shape(
        self, data: Tensor, *, k: int = 0, axis1: int = 0, axis2: int = 1, ranks: Sequence[int] = (), **_: Any
    ) -> Tensor:
        if ranks:
            want_rank(data, "data", 0, *ranks)
        if data.shape is None:
            return data
        if len(data.shape) == 1:
            side = dims.add(data.shape[0], abs(k))
            return Tensor(data.dtype, (side, side))
        rest, length = _diagonal(data.shape, axis1, axis2, k)
        if length is not None and length <= 0 and 0 not in (data.shape[axis1], data.shape[axis2]):
            # mxnet 1.9.1: diag says "Diagonal does not exist", its NumPy counterpart makes an empty one
            outputs = [Tensor(data.dtype, (*rest, None))] if ranks or length == 0 else None
            raise ShapeError(R.empty_output, f"{show(data.shape)} has no diagonal {k}", "attr:k", [0], outputs)
        return Tensor(data.dtype, (*rest, length))

    def run(self, data: Any, *, k: int = 0, axis1: int = 0, axis2: int = 1, **_: Any) -> Any:
        return np.diag(data, k) if data.ndim == 1 else np.diagonal(data, k, axis1, axis2)


class Triangle(Operator):
    """The upper or lower triangle of matrices; zeros elsewhere."""

    inputs = "data:S[_,_,*_]/T k?:one -> S/T"

    def run(self, data: Any, k: Any = None, *, upper: bool = True, **_: Any) -> Any:
        return (np.triu if upper else np.tril)(data, 0 if k is None else number(k))
