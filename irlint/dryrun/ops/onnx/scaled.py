"""Operators on numbers that are stored as integers with scales and zero points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator, operator
from irlint.dryrun.ops.common import same_dtype, want_each
from irlint.dryrun.ops.onnx.fused import want_last
from irlint.dryrun.ops.onnx.scales import QuantizeOwnRange
from irlint.dryrun.ops.shared.matrix import product_of
from irlint.dryrun.tensor import Tensor


class OnScaled(Operator):
    """An operator (`inner`) on numbers that are stored as integers: `triples` are the places of data, scale and zero point of each
    operand, or of data alone that are no such numbers; `result` are the places of the scale and the zero point of the result, which
    is stored in the same way."""

    inputs = "operands+"
    typed = True

    def shape(
        self,
        *tensors: Tensor | None,
        inner: str,
        triples: Sequence[Sequence[int]],
        result: tuple[int, int],
        **attrs: Any,
    ) -> Tensor:
        operands: list[Any] = []
        kind = None
        for data, *scaled in triples:
            tensor = tensors[data]
            if not scaled:
                operands.append(tensor)
                continue
            zero = scaled[1]
            assert tensor is not None
            same_dtype((tensor, _at(tensors, zero)), ("data", "zero_point"), (data, zero))
            kind = kind or tensor.dtype
            operands.append(Tensor("float32", tensor.shape))
        found: Any = operator(inner).shape(*operands, **attrs)
        found = found[0] if isinstance(found, list) else found
        zero_point = _at(tensors, result[1])
        return Tensor(kind if zero_point is None else zero_point.dtype, found.shape)

    def run(
        self,
        *arrays: Any,
        inner: str,
        triples: Sequence[Sequence[int]],
        result: tuple[int, int],
        dtypes: Sequence[str | None],
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.products import dequantized, quantized

        operands = [
            dequantized(arrays[data], *(_first(_at(arrays, k)) for k in scaled)) if scaled else arrays[data]
            for data, *scaled in triples
        ]
        found = operator(inner).run(*operands, **attrs)
        found = found[0] if isinstance(found, list) else found
        scale, zero = (_first(_at(arrays, k)) for k in result)
        return quantized(found, scale, zero, dtypes[0] or "uint8")


class SharesOnScaled(OnScaled):
    """Softmax of numbers that are stored as integers. onnxruntime 1.32 (CPU) multiplies shares by the whole part of 1 / scale."""

    def run(self, *arrays: Any, inner: str, dtypes: Sequence[str | None], **attrs: Any) -> Any:
        from irlint.dryrun.kernels.products import quantized

        data, scale, _, over, zero = (*arrays, None)[:5]
        shares = operator(inner).run(data.astype(np.float32) * scale, **attrs)
        return quantized(shares * np.floor(1 / over), np.ones((), np.float32), zero, dtypes[0] or "uint8")


def _first(scale: Any) -> Any:
    """Return the first of scales or zero points; runtimes that take a list use no other."""
    return scale if scale is None or scale.ndim == 0 else scale.reshape(-1)[0]


def _at(operands: Sequence[Any], place: int) -> Any:
    return operands[place] if place < len(operands) else None


class WholeProduct(Operator):
    """The product of integers with scales and zero points, as numbers; `a` may be numbers, which get a range of their own."""

    inputs = "a:[_,*_] b:[_,*_] a_scale? b_scale a_zero_point? b_zero_point? bias?"
    prepares = (1, 5)

    def shape(self, *tensors: Any, **_: Any) -> Tensor:
        self.match(*tensors)
        a, b, _a_scale, b_scale, _a_zero, b_zero, bias = (*tensors, None, None, None)[:7]
        found = product_of(a.shape, b.shape)
        want_last(bias, found[-1] if found else None, "bias", 6)
        want_each(b, b_scale, ("b", "b_scale"), (1, 3), -1)
        want_each(b, b_zero, ("b", "b_zero_point"), (1, 5), -1)
        return Tensor(b_scale.dtype, found)

    def prepare(self, *arrays: Any, **_: Any) -> dict[str, Any]:
        from irlint.dryrun.kernels.products import whole_matrix

        return whole_matrix(arrays[1], _at(arrays, 5))

    def run(
        self,
        a: Any,
        b: Any,
        a_scale: Any,
        b_scale: Any,
        a_zero: Any = None,
        b_zero: Any = None,
        bias: Any = None,
        **ready: Any,
    ) -> Any:
        from irlint.dryrun.kernels.products import less, whole_matrix, whole_product

        if a_scale is None:
            a, a_scale, a_zero = QuantizeOwnRange().run(a)
        ready = ready or whole_matrix(b, b_zero)
        found = whole_product(less(a, a_zero, -1), **ready) * (a_scale * b_scale)
        return (found if bias is None else found + bias).astype(b_scale.dtype)


class ScaledGemm(Operator):
    """A product of matrices of integers with scales and zero points, plus integers, quantised if there is a scale for the result."""

    inputs = "a:[_,*_] a_scale:one a_zero_point:one b:[_,*_] b_scale b_zero_point c? y_scale? y_zero_point?"
    prepares = (3, 5)
    typed = True

    def shape(self, *tensors: Any, transpose_a: bool = False, transpose_b: bool = False, **_: Any) -> Tensor:
        self.match(*tensors)
        a, b, zero = tensors[0], tensors[3], _at(tensors, 8)
        found = product_of(a.shape, b.shape, (0, 3), transpose_a=transpose_a, transpose_b=transpose_b)
        for k in (4, 5):
            want_each(b, tensors[k], ("b", self.names[k]), (3, k), -2 if transpose_b else -1)
        return Tensor("float32" if zero is None else zero.dtype, found)

    def prepare(self, *arrays: Any, transpose_b: bool = False, **_: Any) -> dict[str, Any]:
        from irlint.dryrun.kernels.products import whole_matrix

        return whole_matrix(arrays[3].T if transpose_b else arrays[3], arrays[5])

    def run(
        self,
        *arrays: Any,
        dtypes: Sequence[str | None],
        transpose_a: bool = False,
        transpose_b: bool = False,
        alpha: float = 1.0,
        **ready: Any,
    ) -> Any:
        from irlint.dryrun.kernels.products import less, requantized, whole_product

        a, a_scale, a_zero, _, b_scale, _ = arrays[:6]
        ready = ready or self.prepare(*arrays, transpose_b=transpose_b)
        found = whole_product(less(a.T if transpose_a else a, a_zero, -1), **ready)
        if (bias := _at(arrays, 6)) is not None:
            found = found + bias
        factor = np.float32(alpha) * a_scale * b_scale
        if (scale := _at(arrays, 7)) is not None:
            factor = factor / scale
        if (zero := _at(arrays, 8)) is None:  # onnxruntime 1.32: that, not the scale, decides whether it is quantised
            return (found * factor).astype(np.float32)
        return requantized(found, factor, zero, dtypes[0] or "uint8")
