"""Linear algebra on stacks of matrices: factors, inverses, triangles and diagonals."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.matching import Match
from irlint.dryrun.operator import Operator
from irlint.dryrun.running.arrays import widened
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


def transposed(matrix: Any) -> Any:
    return np.swapaxes(matrix, -1, -2)


def triangle(matrix: Any, lower: bool) -> Any:
    return np.tril(matrix) if lower else np.triu(matrix)


def _stack(found: Match, *last: Dim) -> Tensor:
    """Return a result with the leading dimensions of the matrices."""
    lead = found.shape("B")
    return Tensor(found.dtype("T"), None if lead is None else (*lead, *last))


class Square(Operator):
    """Base: a stack of square matrices, and outputs of the same shape."""

    inputs = "A:S[*B,N,N]/T -> S/T"


class Factor(Square):
    """The variant in which a vector is a matrix of one row."""

    def shape(self, a: Tensor, **_: Any) -> Tensor | list[Tensor]:
        is_row = a.shape is not None and len(a.shape) == 1 and dims.can_be(a.shape[0], 1)
        return a if is_row else self.match(a).results


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


def inverse(a: Any) -> Any:
    """Return inverse matrices; those of singular ones have the infinities and NaN that elimination makes of a division by 0."""
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return np.stack([_eliminated(matrix) for matrix in a.reshape(-1, *a.shape[-2:])]).reshape(a.shape)


def _eliminated(matrix: Any) -> Any:
    size = len(matrix)
    left, right = matrix.copy(), np.eye(size, dtype=matrix.dtype)
    for k in range(size):
        best = k + int(np.argmax(np.abs(left[k:, k])))
        for side in (left, right):
            side[[k, best]] = side[[best, k]]
        for row in range(k + 1, size):
            if left[row, k]:
                factor = left[row, k] / left[k, k]
                left[row] -= factor * left[k]
                right[row] -= factor * right[k]
    found = np.empty_like(right)
    for k in reversed(range(size)):
        found[k] = right[k]
        for row in range(k + 1, size):
            found[k] -= left[k, row] * found[row]
        found[k] /= left[k, k]
    return found


class Inverse(Square):
    """Inverse matrices; `singular` ones are refused unless the runtime takes them."""

    def run(self, a: Any, *, singular: bool = False, **_: Any) -> Any:
        return inverse(widened(a)) if singular else np.linalg.inv(widened(a))


class Determinant(Square):
    """The determinant, or its sign and the logarithm of its size."""

    def shape(self, a: Tensor, *, logarithm: bool = False, scalar: bool = False, **_: Any) -> list[Tensor]:
        lead = self.match(a).shape("B")
        return [Tensor(a.dtype, lead if lead or scalar or lead is None else (1,))] * (2 if logarithm else 1)

    def run(self, a: Any, *, logarithm: bool = False, scalar: bool = False, **_: Any) -> Any:
        a = widened(a)
        if scalar:
            return [np.asarray(np.linalg.det(a))]
        if logarithm:
            return [np.atleast_1d(part) for part in np.linalg.slogdet(a)]
        return [np.atleast_1d(np.linalg.det(a))]


class SumOfLogDiagonal(Square):
    def shape(self, a: Tensor, **_: Any) -> Tensor:
        lead = self.match(a).shape("B")
        return Tensor(a.dtype, (1,) if lead == () else lead)

    def run(self, a: Any, **_: Any) -> Any:
        return np.atleast_1d(np.log(np.diagonal(a, 0, -2, -1)).sum(-1))


class Eigen(Square):
    """Eigenvectors in rows, and eigenvalues."""

    inputs = "A:S[*B,N,N]/T -> S/T [*B,N]/T"

    def run(self, a: Any, **_: Any) -> Any:
        numbers, vectors = np.linalg.eigh(a)
        return [transposed(vectors), numbers]


class LQ(Operator):
    """A as the product of a lower triangle and a matrix with orthonormal rows."""

    inputs = "A:S[*B,M,N]/T -> S/T [*B,M,M]/T"

    def shape(self, a: Tensor, **_: Any) -> list[Tensor]:
        found = self.match(a)
        rows, columns = found["M"], found["N"]
        if isinstance(rows, int) and isinstance(columns, int) and rows > columns:
            message = f"expected at most as many rows as columns for `A`, got {show(a.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return found.results

    def run(self, a: Any, **_: Any) -> Any:
        q, r = np.linalg.qr(transposed(a))
        return [transposed(q), transposed(r)]


class SelfProduct(Operator):
    """alpha times A by its own transpose."""

    inputs = "A:[*B,M,N]/T"

    def shape(self, a: Tensor, *, transpose: bool = False, **_: Any) -> Tensor:
        found = self.match(a)
        side = found["N" if transpose else "M"]
        return _stack(found, side, side)

    def run(self, a: Any, *, transpose: bool = False, alpha: float = 1.0, **_: Any) -> Any:
        product = transposed(a) @ a if transpose else a @ transposed(a)
        return product * a.dtype.type(alpha)


class Triangular(Operator):
    """A triangle times B (or B times it), or with `solve` the factor whose product is B."""

    inputs = "A:[*B,N,N]/T B:S[*B,N,_]/T -> S/T"

    def shape(self, a: Tensor, b: Tensor, *, rightside: bool = False, **_: Any) -> list[Tensor]:
        return self.match(a, b, says="A:[*B,N,N]/T B:S[*B,_,N]/T -> S/T" if rightside else "").results

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

    inputs = "A:S[*_,N,N] B"

    def shape(self, a: Tensor, b: Tensor, *, wide: bool = False, **_: Any) -> Tensor:
        """`wide`: the output is float64 unless all operands are float32."""
        self.match(a, b)
        if wide:
            known = a.dtype is not None and b.dtype is not None
            b = Tensor("float32" if a.dtype == b.dtype == "float32" else "float64" if known else None, b.shape)
        if a.shape is None or b.shape is None:
            return b
        if len(b.shape) not in (len(a.shape), len(a.shape) - 1):
            message = f"expected the rank of `A` {show(a.shape)}, or one less, for `B`, got {show(b.shape)}"
            raise ShapeError(R.wrong_rank, message, "input:1", [0, 1])
        if not all(map(dims.compatible, b.shape, a.shape[:-1])):
            start = f"start with {show(a.shape[:-1])}, as that of `A` {show(a.shape)} does"
            message = f"shape of `B` {show(b.shape)} does not {start}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return b

    def run(self, a: Any, b: Any, **_: Any) -> Any:
        return np.linalg.solve(a, b[..., None])[..., 0] if b.ndim == a.ndim - 1 else np.linalg.solve(a, b)


class ExtractDiagonal(Square):
    """A diagonal of every matrix."""

    def shape(self, a: Tensor, *, offset: int = 0, **_: Any) -> Tensor:
        found = self.match(a)
        return _stack(found, _shorter(found["N"], abs(offset)))

    def run(self, a: Any, *, offset: int = 0, **_: Any) -> Any:
        return np.diagonal(a, offset, -2, -1)


def _shorter(side: Dim, by: int) -> Dim:
    if isinstance(side, int) and by >= side:
        raise ShapeError(R.axis_out_of_range, f"`offset` is out of range for a matrix with {side} rows", "attr:offset")
    return dims.subtract(side, by)


class MakeDiagonal(Operator):
    """Matrices with these numbers on a diagonal."""

    inputs = "A:[*B,N]/T"

    def shape(self, a: Tensor, *, offset: int = 0, **_: Any) -> Tensor:
        found = self.match(a)
        side = dims.add(found["N"], abs(offset))
        return _stack(found, side, side)

    def run(self, a: Any, *, offset: int = 0, **_: Any) -> Any:
        side = a.shape[-1] + abs(offset)
        found = np.zeros((*a.shape[:-1], side, side), a.dtype)
        steps = np.arange(a.shape[-1])
        found[..., steps + max(-offset, 0), steps + max(offset, 0)] = a
        return found


class ExtractTriangle(Square):
    """The numbers of a triangle."""

    def shape(self, a: Tensor, *, offset: int = 0, **_: Any) -> Tensor:
        found = self.match(a)
        side = _shorter(found["N"], abs(offset))
        return _stack(found, side * (side + 1) // 2 if isinstance(side, int) else None)

    def run(self, a: Any, *, offset: int = 0, lower: bool = True, **_: Any) -> Any:
        rows, columns = _places(a.shape[-1], offset, lower)
        return a[..., rows, columns]


def _places(side: int, offset: int, lower: bool) -> tuple[Any, Any]:
    """Return rows and columns of a triangle, the upper one column by column; the sign of an offset other than 0 selects it."""
    long, short = np.tril_indices(side, -abs(offset))
    return (long, short) if offset < 0 or (offset == 0 and lower) else (short, long)


class MakeTriangle(Operator):
    """Matrices from the numbers of their triangles."""

    inputs = "A:[*B,N]/T"

    def shape(self, a: Tensor, *, offset: int = 0, **_: Any) -> Tensor:
        found = self.match(a)
        count = found["N"]
        if not isinstance(count, int):
            return _stack(found, None, None)
        side = (math.isqrt(8 * count + 1) - 1) // 2
        if side * (side + 1) // 2 != count:
            raise ShapeError(R.shape_mismatch, f"{count} numbers do not fill a triangle", "input:0", [0])
        return _stack(found, side + abs(offset), side + abs(offset))

    def run(self, a: Any, *, offset: int = 0, lower: bool = True, **_: Any) -> Any:
        shape: Any = self.shape(Tensor(None, a.shape), offset=offset).shape
        found = np.zeros(shape, a.dtype)
        rows, columns = _places(shape[-1], offset, lower)
        found[..., rows, columns] = a
        return found
