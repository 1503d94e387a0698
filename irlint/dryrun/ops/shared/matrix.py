"""Matrix products."""

from __future__ import annotations

import itertools
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


def product_of(
    a: Shape | None,
    b: Shape | None,
    places: tuple[int, int] = (0, 1),
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
) -> Shape | None:
    """Return the shape of a product of the last two dimensions, or raise; the ones before broadcast, a vector is a row or a column."""
    if a is None or b is None:
        return None
    left, right = _swapped(a, transpose_a), _swapped(b, transpose_b)
    row, column = len(left) == 1, len(right) == 1
    left = (1, *left) if row else left
    right = (*right, 1) if column else right
    batch = dims.overlaid(left[:-2], right[:-2])
    if not dims.compatible(left[-1], right[-2]):
        first = f"`a` {show(a)}{' (transposed)' * (transpose_a and not row)}"
        second = f"`b` {show(b)}{' (transposed)' * (transpose_b and not column)}"
        inner = f"{show_dim(left[-1])} and {show_dim(right[-2])}"
        message = f"cannot multiply {first} by {second}: inner dimensions are {inner}"
    elif batch is None:
        message = f"leading dimensions of `a` {show(a)} and `b` {show(b)} do not broadcast"
    else:
        return (*batch, *(() if row else (left[-2],)), *(() if column else (right[-1],)))
    raise ShapeError(R.shape_mismatch, message, f"input:{places[1]}", places)


class MatMul(Operator):
    """Product of the last two dimensions; the ones before broadcast; a vector is a row or a column."""

    inputs = "a:[_,*_]/T b:[_,*_]/T"

    def shape(self, a: Tensor, b: Tensor, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Tensor:
        dtype = self.match(a, b).dtype("T")
        return Tensor(dtype, product_of(a.shape, b.shape, transpose_a=transpose_a, transpose_b=transpose_b))

    def run(self, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Any:
        if transpose_a and a.ndim > 1:
            a = np.swapaxes(a, -1, -2)
        if transpose_b and b.ndim > 1:
            b = np.swapaxes(b, -1, -2)
        from irlint.dryrun.kernels.products import product

        return product(a, b)

    def run_packed(self, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Any:
        from irlint.dryrun.running.packed import Packed, multiply

        if (
            isinstance(a, Packed)
            or a.ndim < 2
            or not 2 <= b.ndim <= 3
            or a.dtype != np.float32
            or b.dtype != np.float32
        ):
            return None
        return multiply(np.swapaxes(a, -1, -2) if transpose_a else a, b, transpose_b)


def _swapped(shape: Shape, swap: bool) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2]) if swap and len(shape) > 1 else shape


class GroupedMatMul(Operator):
    """One product per group: of stacked matrices, or of rows cut by offsets with the matrix of their group."""

    inputs = "mat_a:[M,K]|[G,M,K]/T mat_b:[G,N,K]/T offsets?:[_]/index"

    def shape(self, a: Tensor, b: Tensor, offsets: Tensor | None = None, **_: Any) -> Tensor:
        found = self.match(a, b, offsets)
        if a.shape is None or b.shape is None:
            return Tensor(found.dtype("T"))
        stacked = len(a.shape) == 3
        if not stacked and offsets is None:
            message = f"missing third input `offsets` for `mat_a` {show(a.shape)} and `mat_b` {show(b.shape)}"
            raise ShapeError(R.wrong_input_count, message, "node", [0, 1])
        return Tensor(found.dtype("T"), (*(found["G"],) * stacked, found["M"], found["N"]))

    def run(self, a: Any, b: Any, offsets: Any = None, **_: Any) -> Any:
        if a.ndim == 3:
            return np.matmul(a, np.swapaxes(b, 1, 2))
        starts = [0, *(int(n) for n in offsets)]
        return np.concatenate([a[i:j] @ b[g].T for g, (i, j) in enumerate(itertools.pairwise(starts))])
