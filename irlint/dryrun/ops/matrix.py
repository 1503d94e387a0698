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
from irlint.dryrun.ops.common import same_dtype, want_dtype, want_least_rank, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape


class MatMul(Operator):
    """Product of the last two dimensions; the ones before broadcast; a vector is a row or a column."""

    inputs = "a b"

    def shape(self, a: Tensor, b: Tensor, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Tensor:
        dtype = same_dtype((a, b), self.names)
        want_least_rank(a, "a", 0, 1)
        want_least_rank(b, "b", 1, 1)
        if a.shape is None or b.shape is None:
            return Tensor(dtype, None)
        left = _swapped(a.shape, transpose_a)
        right = _swapped(b.shape, transpose_b)
        row, column = len(left) == 1, len(right) == 1
        left = (1, *left) if row else left
        right = (*right, 1) if column else right
        if not dims.compatible(left[-1], right[-2]):
            raise ShapeError(
                R.shape_mismatch, self._inner(a, b, left, right, transpose_a, transpose_b), "input:1", [0, 1]
            )
        rank = max(len(left), len(right)) - 2
        one = (1,) * (rank - len(left) + 2) + left[:-2]
        other = (1,) * (rank - len(right) + 2) + right[:-2]
        if not all(map(dims.broadcastable, one, other)):
            message = f"leading dimensions of `a` {show(a.shape)} and `b` {show(b.shape)} do not broadcast"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        batch = tuple(map(dims.broadcast, one, other))
        return Tensor(dtype, (*batch, *(() if row else (left[-2],)), *(() if column else (right[-1],))))

    @staticmethod
    def _inner(a: Tensor, b: Tensor, left: Shape, right: Shape, turn_a: bool, turn_b: bool) -> str:
        first = f"`a` {show(a.shape)}{' (transposed)' if turn_a and len(a.shape or ()) > 1 else ''}"
        second = f"`b` {show(b.shape)}{' (transposed)' if turn_b and len(b.shape or ()) > 1 else ''}"
        return (
            f"cannot multiply {first} by {second}: inner dimensions are {show_dim(left[-1])} and {show_dim(right[-2])}"
        )

    def run(self, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Any:
        if transpose_a and a.ndim > 1:
            a = np.swapaxes(a, -1, -2)
        if transpose_b and b.ndim > 1:
            b = np.swapaxes(b, -1, -2)
        from irlint.dryrun.kernels.products import product

        return product(a, b)

    def run_packed(self, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Any:
        from irlint.dryrun.packed import Packed, multiply

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

    inputs = "mat_a mat_b offsets?"

    def shape(self, a: Tensor, b: Tensor, offsets: Tensor | None = None, **_: Any) -> Tensor:
        dtype = same_dtype((a, b), self.names)
        want_rank(a, "mat_a", 0, 2, 3)
        want_rank(b, "mat_b", 1, 3)
        if offsets is not None:
            want_dtype(offsets, "offsets", 2, "int32 or int64")
            want_rank(offsets, "offsets", 2, 1)
        left, right = a.shape, b.shape
        if left is None or right is None:
            return Tensor(dtype, None)
        if len(left) == 2 and offsets is None:
            need = "missing third input `offsets`"
            raise ShapeError(
                R.wrong_input_count, f"{need} for `mat_a` {show(left)} and `mat_b` {show(right)}", "node", [0, 1]
            )
        self._equal(left[-1], right[2], "inner", a, b)
        if len(left) == 3:
            self._equal(left[0], right[0], "group", a, b)
            return Tensor(dtype, (dims.merge(left[0], right[0]), left[1], right[1]))
        return Tensor(dtype, (left[0], right[1]))

    @staticmethod
    def _equal(one: Any, other: Any, what: str, a: Tensor, b: Tensor) -> None:
        if not dims.compatible(one, other):
            message = f"{what} dimensions of `mat_a` ({show_dim(one)}) and `mat_b` ({show_dim(other)}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])

    def run(self, a: Any, b: Any, offsets: Any = None, **_: Any) -> Any:
        if a.ndim == 3:
            return np.matmul(a, np.swapaxes(b, 1, 2))
        starts = [0, *(int(n) for n in offsets)]
        return np.concatenate([a[i:j] @ b[g].T for g, (i, j) in enumerate(itertools.pairwise(starts))])
