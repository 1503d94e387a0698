"""Dense layers, dot products, embeddings, linear algebra."""

from __future__ import annotations

from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.arrays import widened
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_shapes, same_dtype, want_least_rank, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape


class Dense(Operator):
    """Every row times the weight's rows, plus bias; `flatten` makes one row of all dimensions but the first."""

    inputs = "data weight bias?"

    def shape(
        self,
        data: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        *,
        units: int | None = None,
        flatten: bool = False,
        **_: Any,
    ) -> Tensor:
        dtype = same_dtype((data, weight, bias), self.names)
        want_rank(weight, "weight", 1, 2)
        want_rank(bias, "bias", 2, 1)
        rows = weight.shape[0] if weight.shape is not None else None
        if units is not None and not dims.can_be(rows, units):
            message = f"outputs of `weight` {show(weight.shape)} ({show_dim(rows)}) do not match the expected {units}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        out: Dim = units if units is not None else rows
        if bias is not None and bias.shape is not None and not dims.compatible(bias.shape[0], out):
            message = f"expected shape [{show_dim(out)}] for `bias` (one number per output), got {show(bias.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [1, 2])
        if data.shape is None:
            return Tensor(dtype, (None, out) if flatten else None)
        want_least_rank(data, "data", 0, 1)
        width = dims.product(data.shape[1:]) if flatten else data.shape[-1]
        if weight.shape is not None and not dims.compatible(width, weight.shape[1]):
            message = (
                f"row lengths of `data` ({show_dim(width)}) and `weight` ({show_dim(weight.shape[1])}) do not match"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        # mxnet 1.9.1 takes a vector for a column: (3,) and a weight (2, 1) make (3, 2)
        return Tensor(dtype, (data.shape[0], out) if flatten else (*data.shape[:-1], out))

    def run(self, data: Any, weight: Any, bias: Any = None, *, flatten: bool = False, **_: Any) -> Any:
        rows = data.reshape(data.shape[0], prod(data.shape[1:])) if flatten else data
        result = np.matmul(rows, weight.T)
        if bias is not None:
            result += bias
        return result


class Dot(Operator):
    """The last axis of one with the first axis of the other."""

    inputs = "lhs rhs"

    def shape(self, a: Tensor, b: Tensor, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Tensor:
        dtype = same_dtype((a, b), self.names)
        if a.shape is None or b.shape is None:
            return Tensor(dtype, None)
        want_least_rank(a, "lhs", 0, 1)
        want_least_rank(b, "rhs", 1, 1)
        left = (*a.shape[1:], a.shape[0]) if transpose_a else a.shape
        right = (b.shape[-1], *b.shape[:-1]) if transpose_b else b.shape
        if not dims.compatible(left[-1], right[0]):
            message = f"inner dimensions of `lhs` ({show_dim(left[-1])}) and `rhs` ({show_dim(right[0])}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        result = (*left[:-1], *right[1:])
        # mxnet 1.9.1: the product of two vectors has the shape (1,)
        return Tensor(dtype, result or (1,))

    def run(self, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Any:
        left = np.moveaxis(a, 0, -1) if transpose_a else a
        right = np.moveaxis(b, -1, 0) if transpose_b else b
        result = np.tensordot(left, right, 1)
        return result if result.ndim else result.reshape(1)


class BatchDot(Operator):
    """One matrix product per leading index; both operands have the same leading dimensions."""

    inputs = "lhs rhs"

    def shape(self, a: Tensor, b: Tensor, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Tensor:
        dtype = same_dtype((a, b), self.names)
        if a.shape is None or b.shape is None:
            return Tensor(dtype, None)
        want_least_rank(a, "lhs", 0, 2)
        want_least_rank(b, "rhs", 1, 2)
        one, other = a.shape, b.shape
        rows, inner = (one[-1], one[-2]) if transpose_a else (one[-2], one[-1])
        depth, columns = (other[-1], other[-2]) if transpose_b else (other[-2], other[-1])
        if (
            len(one) != len(other)
            or not all(map(dims.compatible, one[:-2], other[:-2]))
            or not dims.compatible(inner, depth)
        ):
            message = (
                f"cannot multiply `lhs` {show(one)}{' (transposed)' * transpose_a} by `rhs` "
                f"{show(other)}{' (transposed)' * transpose_b}: inner dimensions are {show_dim(inner)} and "
                f"{show_dim(depth)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return Tensor(dtype, (*map(dims.merge, one[:-2], other[:-2]), rows, columns))

    def run(self, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Any:
        left = np.swapaxes(a, -1, -2) if transpose_a else a
        right = np.swapaxes(b, -1, -2) if transpose_b else b
        return np.matmul(left, right)


class Gemm(Operator):
    """alpha x A x B, plus beta x C if given; `axis` is the axis of rows, the last one is that of columns."""

    inputs = "A B C?"

    def shape(
        self,
        a: Tensor,
        b: Tensor,
        c: Tensor | None = None,
        *,
        axis: int = -2,
        transpose_a: bool = False,
        transpose_b: bool = False,
        **_: Any,
    ) -> Tensor:
        dtype = same_dtype((a, b, c), self.names)
        at = self._row_axis(a, b, axis)
        if a.shape is None or b.shape is None or at is None:
            return Tensor(dtype, None)
        one, other = _rows_moved(a.shape, at), _rows_moved(b.shape, at)
        rows, inner = (one[-1], one[-2]) if transpose_a else (one[-2], one[-1])
        depth, columns = (other[-1], other[-2]) if transpose_b else (other[-2], other[-1])
        if not all(map(dims.compatible, one[:-2], other[:-2])) or not dims.compatible(inner, depth):
            message = (
                f"cannot multiply `A` {show(a.shape)}{' (transposed)' * transpose_a} by `B` "
                f"{show(b.shape)}{' (transposed)' * transpose_b}: inner dimensions are {show_dim(inner)} and "
                f"{show_dim(depth)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        lead = tuple(map(dims.merge, one[:-2], other[:-2]))
        product = Tensor(dtype, (*lead[:at], rows, *lead[at:], columns))
        if c is not None:
            merge_shapes(c, product, ("C", "A x B"), (0, 2), "do not match")
        return product

    @staticmethod
    def _row_axis(a: Tensor, b: Tensor, axis: int) -> int | None:
        """Return the axis of the rows, counted from the front; None if the rank is unknown."""
        for index, (name, tensor) in enumerate((("A", a), ("B", b))):
            want_least_rank(tensor, name, index, 2)
        if a.shape is None:
            return None
        rank = len(a.shape)
        want_rank(b, "B", 1, rank)
        if not (0 <= axis < rank - 1 or -rank <= axis < -1):
            allowed = f"{-rank} to -2 or 0 to {rank - 2}"
            message = (
                f"axis {axis} is out of range for rank {rank}; expected {allowed} (the last axis holds the columns)"
            )
            raise ShapeError(R.axis_out_of_range, message, "attr:axis", [0])
        return axis % rank

    def run(
        self,
        a: Any,
        b: Any,
        c: Any = None,
        *,
        axis: int = -2,
        transpose_a: bool = False,
        transpose_b: bool = False,
        alpha: float = 1.0,
        beta: float = 1.0,
        **_: Any,
    ) -> Any:
        at = axis % a.ndim
        left, right = np.moveaxis(a, at, -2), np.moveaxis(b, at, -2)
        left = np.swapaxes(left, -1, -2) if transpose_a else left
        right = np.swapaxes(right, -1, -2) if transpose_b else right
        product = np.moveaxis(a.dtype.type(alpha) * np.matmul(left, right), -2, at)
        return product if c is None else product + c.dtype.type(beta) * c


class ProductPlus(Operator):
    """alpha times A times B, plus beta times C where that is given, which broadcasts to the product."""

    inputs = "A B C?"
    prepares = (1,)

    def shape(
        self,
        a: Tensor,
        b: Tensor,
        c: Tensor | None = None,
        *,
        transpose_a: bool = False,
        transpose_b: bool = False,
        **_: Any,
    ) -> Tensor:
        dtype = same_dtype((a, b, c), self.names)
        want_rank(a, "A", 0, 2)
        want_rank(b, "B", 1, 2)
        rows, inner = (None, None) if a.shape is None else a.shape[::-1] if transpose_a else a.shape
        depth, columns = (None, None) if b.shape is None else b.shape[::-1] if transpose_b else b.shape
        if not dims.compatible(inner, depth):
            message = (
                f"cannot multiply `A` {show(a.shape)}{' (transposed)' * transpose_a} by `B` "
                f"{show(b.shape)}{' (transposed)' * transpose_b}: inner dimensions are {show_dim(inner)} and "
                f"{show_dim(depth)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        shape = (rows, columns)
        if (
            c is not None
            and c.shape is not None
            and (
                len(c.shape) > 2
                or not all(
                    dims.can_be(one, 1) or dims.compatible(one, dim)
                    for one, dim in zip(c.shape[::-1], shape[::-1], strict=False)
                )
            )
        ):
            message = f"`C` {show(c.shape)} does not broadcast to the product {show(shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 1, 2])
        return Tensor(dtype, shape)

    def prepare(self, a: Any, b: Any, *_: Any, transpose_b: bool = False, **__: Any) -> dict[str, Any]:
        return {"right": widened(b.T if transpose_b else b)} if b.dtype == np.float16 else {}

    def run(
        self,
        a: Any,
        b: Any,
        c: Any = None,
        *,
        transpose_a: bool = False,
        transpose_b: bool = False,
        alpha: float = 1.0,
        beta: float = 1.0,
        right: Any = None,
        **_: Any,
    ) -> Any:
        from irlint.dryrun.kernels.products import product as multiplied

        if right is None:
            right = b.T if transpose_b else b
        product = multiplied(a.T if transpose_a else a, right)
        product = product if alpha == 1 else (product * alpha).astype(a.dtype)
        return product if c is None else product + (c if beta == 1 else (c * beta).astype(c.dtype))


def _rows_moved(shape: Shape, axis: int) -> Shape:
    """Return the shape with the axis of rows second to last."""
    return (*shape[:axis], *shape[axis + 1 : -1], shape[axis], shape[-1])


class Embedding(Operator):
    """One row of the table per number."""

    inputs = "data weight"

    def shape(self, data: Tensor, weight: Tensor, *, input_dim: int, output_dim: int, **_: Any) -> Tensor:
        want_rank(weight, "weight", 1, 2)
        if weight.shape is not None and not (
            dims.can_be(weight.shape[0], input_dim) and dims.can_be(weight.shape[1], output_dim)
        ):
            message = (
                f"expected shape [{input_dim}, {output_dim}] for `weight` (`input_dim`, `output_dim`), got "
                f"{show(weight.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        return Tensor(weight.dtype, None if data.shape is None else (*data.shape, output_dim))

    def run(self, data: Any, weight: Any, **_: Any) -> Any:
        # mxnet 1.9.1: -1 gives the first row, 7 of 2 the last
        rows = np.clip(data.astype(np.int64), 0, weight.shape[0] - 1)
        return weight[rows]


class KhatriRao(Operator):
    """Column by column the products of all pairs."""

    inputs = "args+"

    def shape(self, *tensors: Tensor, **_: Any) -> Tensor:
        rows: Dim = 1
        columns: Dim = None
        for k, tensor in enumerate(tensors):
            want_rank(tensor, f"input {k}", k, 2)
            if tensor.shape is None:
                rows = None
                continue
            if not dims.compatible(columns, tensor.shape[1]):
                message = f"expected {dims.counted(columns, 'column')} for input {k}, got {show(tensor.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
            rows, columns = dims.multiply(rows, tensor.shape[0]), dims.merge(columns, tensor.shape[1])
        return Tensor(tensors[0].dtype, (rows, columns))

    def run(self, *arrays: Any, **_: Any) -> Any:
        result = arrays[0]
        for array in arrays[1:]:
            result = (result[:, None, :] * array[None, :, :]).reshape(-1, result.shape[1])
        return result
