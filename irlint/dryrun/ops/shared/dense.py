"""Dense layers, dot products, embeddings, linear algebra."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import merge_shapes, stretches
from irlint.dryrun.tensor import Tensor

halves: Any = Later("irlint.dryrun.running.arrays")


class Dense(Operator):
    """Every row times the weight's rows, plus bias; `flatten` makes one row of all dimensions but the first."""

    inputs = "data:[_,*_]/T weight:[units,K]/T bias?:[units]/T"

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
        found = self.match(data, weight, bias, units=units)
        dtype, out, inner = found.dtype("T"), found["units"], found["K"]
        if data.shape is None:
            return Tensor(dtype, (None, out) if flatten else None)
        width = dims.product(data.shape[1:]) if flatten else data.shape[-1]
        if not dims.compatible(width, inner):
            message = f"row lengths of `data` ({show_dim(width)}) and `weight` ({show_dim(inner)}) do not match"
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

    inputs = "lhs:[_,*_]/T rhs:[_,*_]/T"

    def shape(self, a: Tensor, b: Tensor, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Tensor:
        dtype = self.match(a, b).dtype("T")
        if a.shape is None or b.shape is None:
            return Tensor(dtype, None)
        left = (*a.shape[1:], a.shape[0]) if transpose_a else a.shape
        right = (b.shape[-1], *b.shape[:-1]) if transpose_b else b.shape
        if not dims.compatible(left[-1], right[0]):
            message = f"inner dimensions of `lhs` ({show_dim(left[-1])}) and `rhs` ({show_dim(right[0])}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        # mxnet 1.9.1: the product of two vectors has the shape (1,)
        return Tensor(dtype, (*left[:-1], *right[1:]) or (1,))

    def run(self, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Any:
        left = np.moveaxis(a, 0, -1) if transpose_a else a
        right = np.moveaxis(b, -1, 0) if transpose_b else b
        result = np.tensordot(left, right, 1)
        return result if result.ndim else result.reshape(1)


def _factors(names: Sequence[str], listed: str, transpose_a: bool, transpose_b: bool) -> str:
    """Return what two matrices, or stacks of them, have to do with each other; `listed` are the dimensions of the product."""
    one, other = names
    first = listed.format(*("KM" if transpose_a else "MK"))
    second = listed.format(*("NK" if transpose_b else "KN"))
    return f"{one}:[{first}]/T {other}:[{second}]/T"


class BatchDot(Operator):
    """One matrix product per leading index; both operands have the same leading dimensions."""

    inputs = "lhs rhs"

    def shape(self, *tensors: Tensor, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> list[Tensor]:
        factors = _factors(self.names, "*B,{},{}", transpose_a, transpose_b)
        return self.match(*tensors, says=f"{factors} -> [*B,M,N]/T").results

    def run(self, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Any:
        left = np.swapaxes(a, -1, -2) if transpose_a else a
        right = np.swapaxes(b, -1, -2) if transpose_b else b
        return np.matmul(left, right)


class Gemm(Operator):
    """alpha x A x B, plus beta x C if given; `axis` is the axis of rows, the last one is that of columns."""

    inputs = "A:[_,_,*_]/T B:[_,_,*_]/T C?:_/T"

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
        if a.shape is None:
            return Tensor(self.match(a, b, c).dtype("T"))
        rank = len(a.shape)
        self.match(a, b, c)
        if not (0 <= axis < rank - 1 or -rank <= axis < -1):
            allowed = f"{-rank} to -2 or 0 to {rank - 2} (the last axis holds the columns)"
            message = f"axis {axis} is out of range for rank {rank}; expected {allowed}"
            raise ShapeError(R.axis_out_of_range, message, "attr:axis", [0])
        lead = [f"L{k}" for k in range(rank - 2)]
        lead.insert(axis % rank, "{}")
        listed = ",".join((*lead, "{}"))
        factors = _factors(self.names[:2], listed, transpose_a, transpose_b)
        (product,) = self.match(a, b, c, says=f"{factors} C?:_/T -> [{listed.format('M', 'N')}]/T").results
        if c is not None:
            merge_shapes(c, product, ("C", "A x B"), (0, 2), "do not match")
        return product

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
        # BLAS reads no C without a share
        return product if c is None or beta == 0 else product + c.dtype.type(beta) * c


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
        factors = _factors(self.names[:2], "{},{}", transpose_a, transpose_b)
        (product,) = self.match(a, b, c, says=f"{factors} C?:_/T -> [M,N]/T").results
        if c is not None and c.shape is not None and not stretches(c.shape, product.shape or ()):
            message = f"`C` {show(c.shape)} does not broadcast to the product {show(product.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 1, 2])
        return product

    def prepare(self, a: Any, b: Any, *_: Any, transpose_b: bool = False, **__: Any) -> dict[str, Any]:
        return {"right": halves.widened(b.T if transpose_b else b)} if b.dtype == np.float16 else {}

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
        if c is None or beta == 0:  # onnxruntime 1.32 reads no C without a share
            return product
        return product + (c if beta == 1 else (c * beta).astype(c.dtype))


class Embedding(Operator):
    """One row of the table per number."""

    inputs = "data:S weight:[input_dim,output_dim]/T -> [*S,output_dim]/T"

    def shape(self, *tensors: Tensor, input_dim: int, output_dim: int, **_: Any) -> list[Tensor]:
        return self.match(*tensors, input_dim=input_dim, output_dim=output_dim).results

    def run(self, data: Any, weight: Any, **_: Any) -> Any:
        # mxnet 1.9.1: -1 gives the first row, 7 of 2 the last
        rows = np.clip(data.astype(np.int64), 0, weight.shape[0] - 1)
        return weight[rows]


class KhatriRao(Operator):
    """Column by column the products of all pairs."""

    inputs = "args+:[_,N]"

    def shape(self, *tensors: Tensor, **_: Any) -> Tensor:
        columns = self.match(*tensors)["N"]
        rows = dims.product(None if tensor.shape is None else tensor.shape[0] for tensor in tensors)
        return Tensor(tensors[0].dtype, (rows, columns))

    def run(self, *arrays: Any, **_: Any) -> Any:
        result = arrays[0]
        for array in arrays[1:]:
            result = (result[:, None, :] * array[None, :, :]).reshape(-1, result.shape[1])
        return result
