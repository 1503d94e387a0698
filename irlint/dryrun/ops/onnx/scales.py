"""Numbers stored as integers or short fractions with a scale and a zero point: of a tensor, of slices along an axis, of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show
from irlint.dryrun.dtypes import FLOATS, integer_range
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import fits, merge_shapes, normalise_axis, want_each
from irlint.dryrun.ops.shared.matrix import product_of
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape

halves: Any = Later("irlint.dryrun.running.arrays")

_WHOLE = ("int8", "uint8", "int16", "uint16")


def want_scale(data: Tensor, scale: Tensor, axis: int, block: int, names: tuple[str, str], index: int) -> None:
    """Raise unless a scale is one for all, one per slice along an axis, or one per block of an axis."""
    if not scale.shape or data.shape is None:
        return
    if len(scale.shape) == 1 and not block:
        if dims.can_be(scale.shape[0], 1):
            return
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        goal: Shape = (data.shape[at],)
        wanted = (
            f"one number per slice along axis {at} of {operand(names[0])} {show(data.shape)} in {operand(names[1])}"
        )
    elif len(scale.shape) != len(data.shape):
        message = f"expected rank 0, 1 or {len(data.shape)} for {operand(names[1])}, got {show(scale.shape)}"
        raise ShapeError(R.wrong_rank, message, f"input:{index}", [0, index])
    else:
        at = normalise_axis(axis, len(data.shape), "attr:axis")
        blocks = dims.ceil_divide(data.shape[at], block or 1)
        goal = (*data.shape[:at], blocks, *data.shape[at + 1 :])
        wanted = f"shape {show(goal)} for {operand(names[1])} with {operand(names[0])} {show(data.shape)}"
    if not fits(goal, scale.shape):
        message = f"expected {wanted}, got {show(scale.shape)}"
        raise ShapeError(R.shape_mismatch, message, f"input:{index}", [0, index])


def spread(scale: Any, shape: Any, axis: int, block: int) -> Any:
    """Return a scale or a zero point so that it broadcasts to data of a shape."""
    if scale.ndim == 0 or scale.size == 1:
        return scale.reshape(())
    at = axis % len(shape)
    if scale.ndim == 1 and not block:
        return scale.reshape((-1,) + (1,) * (len(shape) - at - 1))
    if not block:
        return scale
    view: Any = (slice(None),) * at + (slice(shape[at]),)
    return np.repeat(scale, block, at)[view]


def rounded(numbers: Any, dtype: str, saturate: bool = True) -> Any:
    """Return numbers as elements of a type of few bits."""
    from irlint.dryrun.kernels.casting import cast_to

    if dtype in FLOATS:
        return cast_to(numbers, dtype, saturate)
    low, high = integer_range(dtype)
    found = np.asarray(np.rint(numbers))
    np.clip(found, low, high, out=found)
    found[np.isnan(found)] = low  # as in onnxruntime 1.32 (CPU)
    return found.astype(dtype) if dtype in _WHOLE else cast_to(found.astype(np.int64), dtype)


class QuantizeBy(Operator):
    """Data divided by a scale, plus a zero point, rounded."""

    quantizes = True
    inputs = "data scale zero_point?"
    typed = True

    def shape(
        self,
        data: Tensor,
        scale: Tensor,
        zero: Tensor | None = None,
        *,
        axis: int = 1,
        block: int = 0,
        dtype: str | None = None,
        **_: Any,
    ) -> Tensor:
        want_scale(data, scale, axis, block, ("data", "scale"), 1)
        _want_zero_point(scale, zero)
        known = zero.dtype if zero is not None else None
        if dtype is not None and known is not None and dtype != known:
            message = f"`dtype` {dtype} does not match the type of `zero_point` {known}"
            raise ShapeError(R.dtype_mismatch, message, "attr:dtype", [2])
        return Tensor(dtype or ("uint8" if zero is None else known), data.shape)

    def run(
        self,
        data: Any,
        scale: Any,
        zero: Any = None,
        *,
        axis: int = 1,
        block: int = 0,
        saturate: bool = True,
        dtypes: Sequence[str | None],
        **_: Any,
    ) -> Any:
        kind = dtypes[0] or "uint8"
        by = spread(scale, data.shape, axis, block)
        offset = None if zero is None else spread(zero, data.shape, axis, block)
        if data.dtype == np.float32 and kind in _WHOLE:
            from irlint.dryrun.kernels.products import quantized

            return quantized(data, by.astype(np.float32), offset, kind)
        wide = np.float32 if data.dtype.kind != "f" or data.dtype == np.float16 else data.dtype
        found = data.astype(wide) / by.astype(wide)
        if data.dtype == np.float16:
            found = halves.widened(halves.narrowed(found))
        if kind not in FLOATS:
            found = np.rint(found)
        if offset is not None:
            found = found + offset.astype(wide)
        return rounded(found, kind, saturate)


class DequantizeBy(Operator):
    """Data less a zero point, times a scale."""

    inputs = "data:_/T scale zero_point?:_/T"

    def shape(
        self,
        data: Tensor,
        scale: Tensor,
        zero: Tensor | None = None,
        *,
        axis: int = 1,
        block: int = 0,
        dtype: str | None = None,
        **_: Any,
    ) -> Tensor:
        self.match(data, scale, zero)
        want_scale(data, scale, axis, block, ("data", "scale"), 1)
        _want_zero_point(scale, zero)
        return Tensor(dtype or scale.dtype, data.shape)

    def run(self, data: Any, scale: Any, zero: Any = None, *, axis: int = 1, block: int = 0, **_: Any) -> Any:
        by = spread(scale, data.shape, axis, block)
        offset = None if zero is None else spread(zero, data.shape, axis, block)
        if scale.dtype == np.float32:
            from irlint.dryrun.kernels.products import dequantized

            return dequantized(data, by, offset)
        wide = np.float64 if scale.dtype == np.float64 else np.float32
        found = data.astype(wide)
        if offset is not None:
            found = found - offset.astype(wide)
        found = found * by.astype(wide)
        return halves.narrowed(found) if scale.dtype == np.float16 else found.astype(scale.dtype)


def _want_zero_point(scale: Tensor, zero: Tensor | None) -> None:
    if zero is not None and not dims.numel(scale.shape) == dims.numel(zero.shape) == 1:
        merge_shapes(scale, zero, ("scale", "zero_point"), (1, 2))


class QuantizeOwnRange(Operator):
    """Data as uint8 with the scale and the zero point of its own range."""

    quantizes = True
    inputs = "data:S/floats -> S/uint8 []/float32 []/uint8"

    def run(self, data: Any, **_: Any) -> Any:
        """onnxruntime 1.32: NaN has no part in the range, and is 0; the scale of zeros is 1, and that of a tiny range 0."""
        low, high = (np.float32(extreme.reduce(data, None, initial=0)) for extreme in (np.fmin, np.fmax))
        scale = np.float32((high - low) / np.float32(255) if high > low else 1)
        zero = np.fmin(np.maximum(np.rint(-low / scale), 0), 255)  # fmin takes 255 for NaN
        found = np.minimum(np.fmax(np.rint(data / scale) + zero, 0), 255).astype(np.uint8)  # fmax takes 0 for NaN
        return [found, np.asarray(scale), np.asarray(zero, np.uint8)]


class ProductOfIntegers(Operator):
    """The product of 8-bit integers less their zero points, in 32 bits."""

    inputs = "a:[_,*_]/A b:[_,*_]/B a_zero_point?:_/A b_zero_point?:_/B"
    prepares = (1, 3)

    def shape(
        self, a: Tensor, b: Tensor, a_zero: Tensor | None = None, b_zero: Tensor | None = None, **_: Any
    ) -> Tensor:
        self.match(a, b, a_zero, b_zero)
        found = product_of(a.shape, b.shape)
        want_each(a, a_zero, ("a", "a_zero_point"), (0, 2), -2)
        want_each(b, b_zero, ("b", "b_zero_point"), (1, 3), -1)
        return Tensor("int32", found)

    def prepare(self, a: Any, b: Any, a_zero: Any = None, b_zero: Any = None, **_: Any) -> dict[str, Any]:
        from irlint.dryrun.kernels.products import whole_matrix

        return whole_matrix(b, b_zero)

    def run(self, a: Any, b: Any, a_zero: Any = None, b_zero: Any = None, **ready: Any) -> Any:
        from irlint.dryrun.kernels.products import less, whole_product

        ready = ready or self.prepare(a, b, a_zero, b_zero)
        # onnxruntime 1.32: sums wrap around
        return whole_product(less(a, a_zero, -2), **ready).astype(np.int64).astype(np.int32)


class ScaledProduct(Operator):
    """The product of two matrices of 8-bit integers with scales and zero points, quantised."""

    inputs = (
        "a:[_,*_]/A a_scale:one a_zero_point:one/A b:[_,*_]/B b_scale b_zero_point:_/B y_scale:one y_zero_point:one"
    )
    prepares = (3, 5)
    typed = True

    def shape(self, *tensors: Tensor, **_: Any) -> Tensor:
        self.match(*tensors)
        found = product_of(tensors[0].shape, tensors[3].shape, (0, 3))
        for k in (4, 5):
            want_each(tensors[3], tensors[k], ("b", self.names[k]), (3, k), -1)
        return Tensor(tensors[7].dtype, found)

    def prepare(self, *arrays: Any, **_: Any) -> dict[str, Any]:
        from irlint.dryrun.kernels.products import whole_matrix

        return whole_matrix(arrays[3], arrays[5])

    def run(self, *arrays: Any, dtypes: Sequence[str | None], **ready: Any) -> Any:
        a, a_scale, a_zero, _, b_scale, _, scale, zero = arrays
        wide = a_scale[:, None] if a_scale.ndim == 1 and a_scale.size > 1 else a_scale
        from irlint.dryrun.kernels.products import less, requantized, whole_product

        total = whole_product(less(a, a_zero, -2), **(ready or self.prepare(*arrays)))
        return requantized(total, wide.astype(np.float32) * b_scale / scale, zero, dtypes[0] or zero.dtype.name)


class ScaledFilter(Operator):
    """Convolution of 8-bit integers with scales and zero points, quantised; the bias is in 32 bits."""

    inputs = "x:_/X x_scale:one x_zero_point:one/X w:_/W w_scale:[]|[_] w_zero_point:[]|[_]/W y_scale:one y_zero_point:one bias?"
    prepares = (3, 5)

    def shape(self, *tensors: Tensor, kernel: Any = None, groups: int = 1, **attrs: Any) -> Tensor:
        from irlint.dryrun.ops.onnx.filters import filtered, want_bias

        self.match(*tensors)
        for k in (4, 5):
            want_each(tensors[3], tensors[k], ("w", self.names[k]), (3, k), 0)
        try:
            found = filtered(Tensor(None, tensors[0].shape), Tensor(None, tensors[3].shape), kernel, groups, **attrs)
        except ShapeError as error:
            error.part = error.part.replace("input:1", "input:3")
            error.inputs = tuple({1: 3}.get(k, k) for k in error.inputs)
            raise
        if len(tensors) > 8:
            want_bias(tensors[8], tensors[3].shape[0] if tensors[3].shape else None, 8)
        return Tensor(tensors[7].dtype, found)

    def prepare(self, *arrays: Any, **_: Any) -> dict[str, Any]:
        from irlint.dryrun.kernels.windows.convolution import whole_filters

        return whole_filters(arrays[3], arrays[5])

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.products import less, requantized
        from irlint.dryrun.kernels.windows.convolution import convolve_whole

        x, x_scale, x_zero, w, w_scale, _, scale, zero = arrays[:8]
        channel = (-1,) + (1,) * (w.ndim - 2)
        ready = {} if "filters" in attrs else self.prepare(*arrays)
        total = convolve_whole(less(x, x_zero, 0), **ready, **attrs)
        bias = arrays[8].reshape(channel) if len(arrays) > 8 and arrays[8] is not None else None
        factor = x_scale.astype(np.float32) * w_scale.reshape(channel) / scale
        return requantized(total, factor, zero, zero.dtype.name, bias)
