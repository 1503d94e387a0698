"""Linear algebra on stacks of matrices: factors, inverses, triangles and diagonals."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_least_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


def want_square(tensor: Tensor, name: str = "A", index: int = 0) -> None:
    want_least_rank(tensor, name, index, 2)
    if tensor.shape is not None and not dims.compatible(tensor.shape[-1], tensor.shape[-2]):
        message = f"expected square matrices for {operand(name)}, got {show(tensor.shape)}"
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", [index])


def want_same_stack(a: Tensor, b: Tensor, names: tuple[str, str]) -> None:
    """Raise unless two stacks of matrices have the same leading dimensions."""
    if a.shape is None or b.shape is None:
        return
    if len(a.shape) != len(b.shape) or not all(map(dims.compatible, a.shape[:-2], b.shape[:-2])):
        message = (
            f"leading dimensions of {operand(names[0])} {show(a.shape)} and {operand(names[1])} "
            f"{show(b.shape)} do not match"
        )
        raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])


def transposed(matrix: Any) -> Any:
    return np.swapaxes(matrix, -1, -2)


def triangle(matrix: Any, lower: bool) -> Any:
    return np.tril(matrix) if lower else np.triu(matrix)


class Square(Operator):
    """Base: a stack of square matrices, and outputs of the same shape."""

    inputs = "A"

    def shape(self, a: Tensor, **_: Any) -> Any:
        want_square(a)
        return a


class Factor(Square):
    """The variant in which a vector is a matrix of one row."""

    def shape(self, a: Tensor, **_: Any) -> Any:
        if a.shape is None or len(a.shape) != 1 or not dims.can_be(a.shape[0], 1):
            want_square(a)
        return a


class Cholesky(Factor):
    """Cholesky factor: the triangle whose product with its transpose is A."""

    def run(self, a: Any, *, lower: bool = True, **_: Any) -> Any:
        factor = np.linalg.cholesky(a)
        return factor if lower else transposed(factor)


class CholeskyInverse(Factor):
    """The inverse of the matrix of which A is the triangle."""

    def run(self, a: Any, *, lower: bool = True, **_: Any) -> Any:
        factor = triangle(a, lower)
        whole = factor @ transposed(factor) if lower else transposed(factor) @ factor
        return np.linalg.inv(whole)


class Inverse(Square):
    def run(self, a: Any, **_: Any) -> Any:
        return np.linalg.inv(a)


class Determinant(Square):
    """The determinant, or its sign and the logarithm of its size."""

    def shape(self, a: Tensor, *, logarithm: bool = False, scalar: bool = False, **_: Any) -> list[Tensor]:
        want_square(a)
        lead: Shape | None = None if a.shape is None else (a.shape[:-2] or (() if scalar else (1,)))
        return [Tensor(a.dtype, lead)] * (2 if logarithm else 1)

    def run(self, a: Any, *, logarithm: bool = False, scalar: bool = False, **_: Any) -> Any:
        if scalar:
            return [np.asarray(np.linalg.det(a))]
        if logarithm:
            return [np.atleast_1d(part) for part in np.linalg.slogdet(a)]
        return [np.atleast_1d(np.linalg.det(a))]


class SumOfLogDiagonal(Square):
    def shape(self, a: Tensor, **_: Any) -> Tensor:
        want_square(a)
        return Tensor(a.dtype, None if a.shape is None else (a.shape[:-2] or (1,)))

    def run(self, a: Any, **_: Any) -> Any:
        return np.atleast_1d(np.log(np.diagonal(a, 0, -2, -1)).sum(-1))


class Eigen(Square):
    """Eigenvectors in rows, and eigenvalues."""

    def shape(self, a: Tensor, **_: Any) -> list[Tensor]:
        want_square(a)
        return [a, Tensor(a.dtype, None if a.shape is None else a.shape[:-1])]

    def run(self, a: Any, **_: Any) -> Any:
        numbers, vectors = np.linalg.eigh(a)
        return [transposed(vectors), numbers]


class LQ(Operator):
    """A as the product of a lower triangle and a matrix with orthonormal rows."""

    inputs = "A"

    def shape(self, a: Tensor, **_: Any) -> list[Tensor]:
        want_least_rank(a, "A", 0, 2)
        if a.shape is None:
            return [a, a]
        rows, columns = a.shape[-2:]
        if isinstance(rows, int) and isinstance(columns, int) and rows > columns:
            raise ShapeError(
                R.shape_mismatch,
                f"expected at most as many rows as columns for `A`, got {show(a.shape)}",
                "input:0",
                [0],
            )
        return [a, Tensor(a.dtype, (*a.shape[:-1], rows))]

    def run(self, a: Any, **_: Any) -> Any:
        q, r = np.linalg.qr(transposed(a))
        return [transposed(q), transposed(r)]


class SelfProduct(Operator):
    """alpha times A by its own transpose."""

    inputs = "A"

    def shape(self, a: Tensor, *, transpose: bool = False, **_: Any) -> Tensor:
        want_least_rank(a, "A", 0, 2)
        if a.shape is None:
            return a
        side = a.shape[-1 if transpose else -2]
        return Tensor(a.dtype, (*a.shape[:-2], side, side))

    def run(self, a: Any, *, transpose: bool = False, alpha: float = 1.0, **_: Any) -> Any:
        product = transposed(a) @ a if transpose else a @ transposed(a)
        return product * a.dtype.type(alpha)


class Triangular(Operator):
    """A triangle times B (or B times it), or with `solve` the factor whose product is B."""

    inputs = "A B"

    def shape(self, a: Tensor, b: Tensor, *, rightside: bool = False, **_: Any) -> Tensor:
        want_square(a)
        want_least_rank(b, "B", 1, 2)
        want_same_stack(a, b, ("A", "B"))
        if a.shape is not None and b.shape is not None:
            side = b.shape[-1 if rightside else -2]
            if not dims.compatible(a.shape[-1], side):
                message = (
                    f"expected {dims.counted(side, 'row')} in `A` (as in `B` {show(b.shape)}), got {show(a.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(same_dtype((a, b), self.names), b.shape)

    def run(
        self,
        a: Any,
        b: Any,
        *,
        transpose: bool = False,
        rightside: bool = False,
        lower: bool = True,
        alpha: float = 1.0,
        solve: bool = False,
        **_: Any,
    ) -> Any:
        factor = triangle(a, lower)
        factor = transposed(factor) if transpose else factor
        b = b * b.dtype.type(alpha)
        if not solve:
            return b @ factor if rightside else factor @ b
        if rightside:
            return transposed(np.linalg.solve(transposed(factor), transposed(b)))
        return np.linalg.solve(factor, b)


class Solve(Operator):
    """Solve for the factor of A whose product is B."""

    inputs = "A B"

    def shape(self, a: Tensor, b: Tensor, *, wide: bool = False, **_: Any) -> Tensor:
        """`wide`: the output is float64 unless all operands are float32."""
        want_square(a)
        if wide:
            known = a.dtype is not None and b.dtype is not None
            b = Tensor("float32" if a.dtype == b.dtype == "float32" else "float64" if known else None, b.shape)
        if a.shape is None or b.shape is None:
            return b
        if len(b.shape) not in (len(a.shape), len(a.shape) - 1):
            message = f"expected the rank of `A` {show(a.shape)}, or one less, for `B`, got {show(b.shape)}"
            raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
        if not all(map(dims.compatible, b.shape, a.shape[:-1])):
            message = (
                f"shape of `B` {show(b.shape)} does not start with {show(a.shape[:-1])}, as that of `A` "
                f"{show(a.shape)} does"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return b

    def run(self, a: Any, b: Any, **_: Any) -> Any:
        return np.linalg.solve(a, b[..., None])[..., 0] if b.ndim == a.ndim - 1 else np.linalg.solve(a, b)


class ExtractDiagonal(Operator):
    """A diagonal of every matrix."""

    inputs = "A"

    def shape(self, a: Tensor, *, offset: int = 0, **_: Any) -> Tensor:
        want_square(a)
        if a.shape is None:
            return a
        return Tensor(a.dtype, (*a.shape[:-2], _shorter(a.shape[-1], abs(offset))))

    def run(self, a: Any, *, offset: int = 0, **_: Any) -> Any:
        return np.diagonal(a, offset, -2, -1)


def _shorter(side: Dim, by: int) -> Dim:
    if isinstance(side, int) and by >= side:
        raise ShapeError(R.axis_out_of_range, f"`offset` is out of range for a matrix with {side} rows", "attr:offset")
    return dims.subtract(side, by)


class MakeDiagonal(Operator):
    """Matrices with these numbers on a diagonal."""

    inputs = "A"

    def shape(self, a: Tensor, *, offset: int = 0, **_: Any) -> Tensor:
        want_least_rank(a, "A", 0, 1)
        if a.shape is None:
            return a
        side = dims.add(a.shape[-1], abs(offset))
        return Tensor(a.dtype, (*a.shape[:-1], side, side))

    def run(self, a: Any, *, offset: int = 0, **_: Any) -> Any:
        side = a.shape[-1] + abs(offset)
        found = np.zeros((*a.shape[:-1], side, side), a.dtype)
        steps = np.arange(a.shape[-1])
        found[..., steps + max(-offset, 0), steps + max(offset, 0)] = a
        return found


class ExtractTriangle(Operator):
    """The numbers of a triangle."""

    inputs = "A"

    def shape(self, a: Tensor, *, offset: int = 0, **_: Any) -> Tensor:
        want_square(a)
        if a.shape is None:
            return a
        side = _shorter(a.shape[-1], abs(offset))
        count = side * (side + 1) // 2 if isinstance(side, int) else None
        return Tensor(a.dtype, (*a.shape[:-2], count))

    def run(self, a: Any, *, offset: int = 0, lower: bool = True, **_: Any) -> Any:
        rows, columns = _places(a.shape[-1], offset, lower)
        return a[..., rows, columns]


def _places(side: int, offset: int, lower: bool) -> tuple[Any, Any]:
    """Return rows and columns of a triangle, the upper one column by column; the sign of an offset other than 0 selects it."""
    long, short = np.tril_indices(side, -abs(offset))
    return (long, short) if offset < 0 or (offset == 0 and lower) else (short, long)


class MakeTriangle(Operator):
    """Matrices from the numbers of their triangles."""

    inputs = "A"

    def shape(self, a: Tensor, *, offset: int = 0, **_: Any) -> Tensor:
        want_least_rank(a, "A", 0, 1)
        if a.shape is None:
            return a
        count = a.shape[-1]
        if not isinstance(count, int):
            return Tensor(a.dtype, (*a.shape[:-1], None, None))
        side = (math.isqrt(8 * count + 1) - 1) // 2
        if side * (side + 1) // 2 != count:
            raise ShapeError(R.shape_mismatch, f"{count} numbers do not fill a triangle", "input:0", [0])
        side += abs(offset)
        return Tensor(a.dtype, (*a.shape[:-1], side, side))

    def run(self, a: Any, *, offset: int = 0, lower: bool = True, **_: Any) -> Any:
        shape: Any = self.shape(Tensor(None, a.shape), offset=offset).shape
        found = np.zeros(shape, a.dtype)
        rows, columns = _places(shape[-1], offset, lower)
        found[..., rows, columns] = a
        return found
