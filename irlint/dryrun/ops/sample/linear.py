"""Matrix products on one sample, without a batch dimension."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.sample.common import Settled, activated, made, rank_error
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class SampleInnerProduct(Operator):
    """All elements, or each row of a matrix, times the weight's rows."""

    inputs = "data weight bias? scales*"

    def shape(self, data: Tensor, weight: Tensor, *_: Any, **__: Any) -> Tensor:
        units, width = weight.shape or (None, None)
        if data.shape is None:
            return Tensor(data.dtype)
        if len(data.shape) == 2 and not isinstance(data.shape[1], int):
            return Tensor(data.dtype)  # rows or all elements
        if len(data.shape) == 2 and data.shape[1] == width:
            return Tensor(data.dtype, (data.shape[0], units))
        size = dims.product(data.shape)
        if not dims.compatible(size, width):
            message = f"elements of `data` {show(data.shape)} ({show_dim(size)}) and columns of `weight` ({show_dim(width)}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0])
        return Tensor(data.dtype, (units,))

    def run(
        self,
        data: Any,
        weight: Any,
        bias: Any = None,
        *scales: Any,
        activation: Any = None,
        quantized: int = 0,
        **_: Any,
    ) -> Any:
        from irlint.dryrun.kernels.eight_bits import multiplied

        rows = data if data.ndim == 2 and data.shape[1] == weight.shape[1] else data.reshape(1, -1)
        if quantized:
            found = multiplied(lambda x, w: w @ x, rows.T, weight, bias, scales, activation).T
        else:
            found = rows @ weight.T
            found = activated(found if bias is None else found + bias, activation)
        return found if rows is data else found.reshape(-1)


class SampleMatMul(Settled):
    """The matrix product of the last two axes; `transposed`: of the second."""

    inputs = "a b"

    def result(self, a: Tensor, b: Tensor, *, transposed: bool = False, **_: Any) -> Tensor:
        one: Any = a.shape
        other: Any = b.shape
        columns = 1 if len(other) == 1 else other[-2] if transposed else other[-1]
        depth = other[-1] if transposed or len(other) == 1 else other[-2]
        lead, more = one[:-2], other[:-2]
        wide = max(len(lead), len(more))
        batch = dims.overlaid(lead, more)
        if one[-1] != depth or batch is None or (wide == 2 and min(len(one), len(other)) == 2):
            message = f"cannot multiply `a` {show(one)} by `b` {show(other)}{' (transposed)' * transposed}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        rows: tuple[Dim, ...] = () if len(one) == 1 else one[-2:-1]
        made_ = (*batch, *rows, *(() if len(other) == 1 else (columns,)))
        return Tensor(a.dtype, made_ or (1,))

    def run(self, a: Any, b: Any, *, transposed: bool = False, **_: Any) -> Any:
        if transposed and b.ndim > 1:
            b = np.swapaxes(b, -1, -2)
        return np.matmul(a, b).reshape(-1) if a.ndim == b.ndim == 1 else np.matmul(a, b)


class SampleGemm(Settled):
    """alpha x A x B + beta x C, of matrices or of tensors (rows, 1, columns)."""

    inputs = "A B C? scales*"

    def result(
        self,
        a: Tensor,
        b: Tensor,
        c: Tensor | None = None,
        *_: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        transposed: bool = False,
        packed: int = 1,
        spread: bool = False,
        **__: Any,
    ) -> Tensor:
        (rows, inner), (depth, columns) = _matrix(a, 0), _matrix(b, 1)
        rows, inner = (inner, rows) if transpose_a else (rows, inner)
        depth, columns = (columns, depth) if transpose_b else (depth, columns)
        if inner != depth:
            message = f"inner dimensions of `A` ({inner}) and `B` ({depth}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        if c is not None and c.shape is not None:
            allowed = ((1,), (rows,), (columns,), (rows, 1), (rows, columns), (1, columns))
            if c.shape not in allowed:
                message = f"`C` {show(c.shape)} does not broadcast to {show((rows, columns))}"
                raise ShapeError(R.shape_mismatch, message, "input:2", [2])
        shape = (columns, rows) if transposed else (rows, columns)
        if not dims.divisible(shape[0], packed):
            message = f"rows of the output ({show_dim(shape[0])}) are not a multiple of {packed}"
            raise ShapeError(R.value_out_of_range, message, "attr:packed")
        return made((shape[0], 1, shape[1]) if spread else shape, dtype=a.dtype)

    def run(
        self,
        a: Any,
        b: Any,
        c: Any = None,
        *scales: Any,
        transpose_a: bool = False,
        transpose_b: bool = False,
        transposed: bool = False,
        spread: bool = False,
        alpha: float = 1.0,
        beta: float = 1.0,
        quantized: int = 0,
        **_: Any,
    ) -> Any:
        a, b = (array.reshape(array.shape[0], -1) for array in (a, b))
        left, right = a.T if transpose_a else a, b.T if transpose_b else b
        if quantized:
            left, right = (
                _rounded(left, scales[0] if scales else None),
                _rounded(right, scales[1] if scales else None, True),
            )
        found = left @ right
        if c is not None:
            by_row = c.ndim == 1 and c.size == found.shape[0] != found.shape[1]
            found = found + beta * (c[:, None] if by_row else c)
        found = (found * alpha).astype(np.float32)
        found = found.T if transposed else found
        return found[:, None] if spread else found


def _rounded(array: Any, scale: Any, whole: bool = False) -> Any:
    """Return what is left of numbers after a conversion to 8 bits; the scale is that of the largest of each row, or of all."""
    from irlint.dryrun.kernels.eight_bits import to_int8

    if array.dtype == np.int8:
        return array / (scale if whole else scale[:, None])
    largest = np.abs(array).max() if whole else np.abs(array).max(1, keepdims=True)
    factor = np.where(largest == 0, 1, 127 / np.where(largest == 0, 1, largest)).astype(np.float32)
    return to_int8(array, factor) / factor.astype(np.float64)


def _matrix(tensor: Tensor, place: int) -> tuple[Any, Any]:
    shape: Any = tensor.shape
    if len(shape) == 3 and shape[1] == 1:
        return shape[0], shape[2]
    if len(shape) == 1:
        return 1, shape[0]
    if len(shape) != 2:
        raise rank_error("AB"[place], place, "2", shape)
    return shape[0], shape[1]


class Embed(Operator):
    """A row of the table for each index; indices beyond it take the last. Of floats, the bits are the index."""

    inputs = "data weight bias? scale?"

    def shape(self, data: Tensor, weight: Tensor, *_: Any, **__: Any) -> Tensor:
        words = None if data.shape is None else data.shape[-1]
        return Tensor(weight.dtype, (words, (weight.shape or (None,))[-1]))

    def run(self, data: Any, weight: Any, bias: Any = None, scale: Any = None, **_: Any) -> Any:
        numbers = np.ascontiguousarray(data).reshape(-1)[: data.shape[-1]]
        numbers = numbers.view(np.int32) if numbers.dtype == np.float32 else numbers
        indices = np.clip(numbers, 0, weight.shape[0] - 1)
        rows = weight[indices]
        if weight.dtype == np.int8:
            rows = rows / scale[0]
        return (rows if bias is None else rows + bias).astype(np.float32)
