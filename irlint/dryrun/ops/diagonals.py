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
from irlint.dryrun.ops.common import normalise_axis, number, want_least_rank, want_rank, want_scalar
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


def _plane(rank: int, axis1: int, axis2: int) -> tuple[int, int]:
    """Return the two axes of a diagonal."""
    a = normalise_axis(axis1, rank, "attr:axis1", "axis1")
    b = normalise_axis(axis2, rank, "attr:axis2", "axis2")
    if a == b:
        raise ShapeError(R.axis_out_of_range, f"`axis1` and `axis2` are both {a}", "attr:axis2")
    return a, b


class Diagonals(Operator):
    """A diagonal over two axes, or its sum."""

    def shape(
        self, data: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1, total: bool = False, **_: Any
    ) -> Tensor:
        want_least_rank(data, "data", 0, 2)
        if data.shape is None:
            return data
        a, b = _plane(len(data.shape), axis1, axis2)
        rest = tuple(dim for k, dim in enumerate(data.shape) if k not in (a, b))
        if total:
            return Tensor(data.dtype, rest)
        rows, columns = data.shape[a], data.shape[b]
        length: Dim = None
        if isinstance(rows, int) and isinstance(columns, int):
            length = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
        return Tensor(data.dtype, (*rest, length))

    def run(self, data: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1, total: bool = False, **_: Any) -> Any:
        return (np.trace if total else np.diagonal)(data, offset, axis1, axis2)


class FlatDiagonal(Operator):
    """A matrix with all elements on a diagonal."""

    def shape(self, data: Tensor, *, k: int = 0, **_: Any) -> Tensor:
        side = dims.add(dims.product(data.shape), abs(k)) if data.shape is not None else None
        return Tensor(data.dtype, (side, side))

    def run(self, data: Any, *, k: int = 0, **_: Any) -> Any:
        return np.diagflat(data, k)


class LowerTriangle(Operator):
    def shape(self, data: Tensor, **_: Any) -> Tensor:
        if data.shape is not None and len(data.shape) == 1:
            return Tensor(data.dtype, (data.shape[0], data.shape[0]))
        return data

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
        a, b = _plane(len(data.shape), axis1, axis2)
        rows, columns = data.shape[a], data.shape[b]
        length: Dim = None
        if isinstance(rows, int) and isinstance(columns, int):
            length = min(rows, columns - k) if k > 0 else min(rows + k, columns)
        runs = bool(ranks) or length == 0
        rest = [dim for n, dim in enumerate(data.shape) if n not in (a, b)]
        if isinstance(length, int) and length <= 0 and 0 not in (rows, columns):
            # mxnet 1.9.1: diag says "Diagonal does not exist", its NumPy twin makes an empty one
            outputs = [Tensor(data.dtype, (*rest, None))] if runs else None
            raise ShapeError(R.empty_output, f"{show(data.shape)} has no diagonal {k}", "attr:k", [0], outputs)
        return Tensor(data.dtype, (*rest, length))

    def run(self, data: Any, *, k: int = 0, axis1: int = 0, axis2: int = 1, **_: Any) -> Any:
        return np.diag(data, k) if data.ndim == 1 else np.diagonal(data, k, axis1, axis2)


class Triangle(Operator):
    """The upper or lower triangle of matrices; zeros elsewhere."""

    inputs = "data k?"

    def shape(self, data: Tensor, k: Tensor | None = None, **_: Any) -> Tensor:
        want_least_rank(data, "data", 0, 2)
        want_scalar(k, "k", 1)
        return data

    def run(self, data: Any, k: Any = None, *, upper: bool = True, **_: Any) -> Any:
        return (np.triu if upper else np.tril)(data, 0 if k is None else number(k))
