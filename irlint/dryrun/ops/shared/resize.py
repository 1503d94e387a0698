"""Interpolation to another size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import axes_of, normalise_axis, want_computed_lengths, want_dtype, want_rank
from irlint.dryrun.tensor import Tensor, constant
from irlint.graph import Dim, Shape
from irlint.text import words


def scaled(dim: Dim, scale: Any) -> Dim:
    """A length times a scale, rounded down."""
    low, high = values.entry_bounds(scale)
    least, most = dims.bounds(dim)
    if low is None:
        return None
    first = math.floor(least * low + 1e-6)
    last = None if most is None or high is None else math.floor(most * high + 1e-6)
    return dims.interval(max(first, 0), last)


_KINDS = "float32|float16|bfloat16|float64|int8|uint8|int32|int64"
_LENGTHS = "int32|int64|uint32|uint64"


class Resize(Operator):
    """Base of all versions: axes with a size or a scale each, after padding."""

    def result(
        self,
        data: Tensor,
        given: Tensor,
        place: int,
        axes: Tensor | None = None,
        *,
        by_size: bool = True,
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        """Return the type with the sizes or scales that the operand at a place gives; axes are the last operand."""
        want_rank(given, self.names[place], place, 1)
        if by_size:
            want_computed_lengths(given, self.names[place], place)
        if data.shape is None:
            return Tensor(data.dtype)
        rank, last = len(data.shape), len(self.names) - 1
        listed = list(range(rank)) if axes is None else axes_of(axes, rank, last, unique=False, negative=False)
        if listed is None:
            return Tensor(data.dtype, (None,) * rank)
        most = dims.bounds(given.shape[0] if given.shape else None)[1]
        if most is not None and most < len(listed):
            message = (
                f"expected {words.count(len(listed), 'number')} in `{self.names[place]}` (one per axis), got {most}"
            )
            raise ShapeError(R.wrong_value_length, message, f"input:{place}", [place])
        result = list(data.shape)
        for pads in (pads_begin, pads_end):  # lists that are too short leave the last axes as they are
            result = [dims.shift(dim, pad) for dim, pad in zip(result, [*pads, *(0,) * rank], strict=False)]
        wanted = values.as_dims(given) or ()
        for axis, entry in zip(listed, [*wanted, *(None,) * rank], strict=False):
            result[axis] = values.to_dim(entry) if by_size else scaled(result[axis], entry)
        return Tensor(data.dtype, tuple(result))


class InterpolateFirst(Resize):
    """Sizes by an operand, axes by an attribute."""

    inputs = "data output_shape:[_]/integers"
    reads = (1,)

    def shape(self, data: Tensor, sizes: Tensor, *, axes: Sequence[int] = (), **_: Any) -> Tensor:
        self.match(data, sizes)
        if data.shape is None:
            return Tensor(data.dtype)
        for axis in axes:
            normalise_axis(axis, len(data.shape), "attr:axes", "axes", negative=False)
        listed = sorted(set(axes))
        if values.as_dims(sizes) is None:
            return Tensor(data.dtype, tuple(None if k in listed else dim for k, dim in enumerate(data.shape)))
        return self.result(data, sizes, 1, constant(listed))

    def run(
        self,
        data: Any,
        sizes: Any,
        *,
        axes: Sequence[int] = (),
        mode: str = "nearest",
        align_corners: bool = True,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.resize import resize

        way = "align_corners" if align_corners else "asymmetric"
        listed = sorted(set(axes))
        lengths = {axis: int(n) for axis, n in zip(listed, sizes, strict=True)}
        return resize(
            data,
            lengths,
            None,
            mode=mode if mode != "linear" else "linear_onnx",
            coordinate_transformation_mode=way,
            nearest_mode="floor",
            **attrs,
        )


class InterpolateFourth(Resize):
    """Sizes and scales from operands; an attribute selects one of them."""

    inputs = f"data:_/{_KINDS} output_shape:_/{_LENGTHS} scales:_/floats axes?:[_]/index"
    reads: ClassVar[tuple[int, ...]] = (1, 2, 3)
    places = (1, 2)  # of sizes and scales

    def shape(self, *operands: Any, shape_calculation_mode: str = "sizes", **attrs: Any) -> Tensor:
        self.match(*operands)
        by_size = shape_calculation_mode == "sizes"
        place, axes = self.places[not by_size], (*operands, None)[self.places[1] + 1]
        kind = "int32, int64, uint32 or uint64" if by_size else "a floating-point type"
        want_dtype(operands[place], self.names[place], place, kind)
        return self.result(operands[0], operands[place], place, axes, by_size=by_size, **attrs)

    def run(self, *arrays: Any, shape_calculation_mode: str = "sizes", **attrs: Any) -> Any:
        from irlint.dryrun.kernels.resize import resize_by

        by_size, axes = shape_calculation_mode == "sizes", (*arrays, None)[self.places[1] + 1]
        given = arrays[self.places[not by_size]]
        return resize_by(arrays[0], given if by_size else None, None if by_size else given, axes, **attrs)


class Interpolate(InterpolateFourth):
    """Sizes or scales by one operand."""

    inputs = f"data:_/{_KINDS} scales_or_sizes axes?:[_]/index"
    reads = (1, 2)
    places = (1, 1)


class UpSampling(Operator):
    """Pixels repeated, or laid through a transposed convolution; several images are brought to one size and put together."""

    inputs = "arg+"

    def shape(
        self,
        *tensors: Tensor,
        scale: int,
        sample_type: str,
        multi_input_mode: str = "concat",
        **_: Any,
    ) -> Tensor:
        data, *others = tensors
        want_rank(data, "data", 0, 4)
        if data.shape is None:
            return data
        batch, depth, *space = data.shape
        size = [dims.multiply(dim, scale) for dim in space]
        for k, tensor in enumerate(others if sample_type == "nearest" else (), 1):
            want_rank(tensor, f"input {k}", k, 4)
            if tensor.shape is None:
                depth = None
                continue
            self._want_factor(tensor.shape, k, size)
            if multi_input_mode == "concat":
                depth = dims.add(depth, tensor.shape[1])
            elif not dims.compatible(depth, tensor.shape[1]):
                message = f"expected {show_dim(depth)} channels for input {k}, to be added, got {show(tensor.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        return Tensor(data.dtype, (batch, depth, *size))

    @staticmethod
    def _want_factor(shape: Shape, k: int, size: Sequence[Dim]) -> None:
        """Raise unless an image can be repeated to a height and width."""
        for length, dim in zip(size, shape[2:], strict=True):
            if isinstance(length, int) and isinstance(dim, int) and (dim == 0 or length % dim):
                message = f"input {k} {show(shape)} cannot be enlarged to {show_dim(size[0])} x {show_dim(size[1])}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])

    def run(
        self,
        *arrays: Any,
        scale: int,
        sample_type: str,
        multi_input_mode: str = "concat",
        num_filter: int = 0,
        **_: Any,
    ) -> Any:
        if sample_type == "bilinear":
            from irlint.dryrun.kernels.windows.convolution import convolve_back

            kernel = 2 * scale - scale % 2
            pad = -(-(scale - 1) // 2)
            return convolve_back(
                arrays[0], arrays[1], None, strides=(scale, scale), pads_begin=(pad, pad), pads_end=(pad, pad),
                groups=arrays[0].shape[1], kernel=(kernel, kernel),
            )  # fmt: skip
        height, width = arrays[0].shape[2] * scale, arrays[0].shape[3] * scale
        large = [a.repeat(height // a.shape[2], 2).repeat(width // a.shape[3], 3) for a in arrays]
        return np.concatenate(large, 1) if multi_input_mode == "concat" else sum(large)


def _resized(dim: Dim, mode: str, scale: float | None) -> Dim:
    """Return a length by a mode that scales it, or makes it even or odd (`to_even_up` and its kin)."""
    if not isinstance(dim, int):
        return None
    if mode.startswith("to_"):
        _, parity, way = mode.split("_")
        return dim if dim % 2 == (parity == "odd") else dim + 1 if way == "up" else dim - 1
    odd = mode == "odd_scale" and dim % 2
    return int((dim - odd) * (1.0 if scale is None else scale)) + odd


class BilinearResize(Operator):
    """Another height and width: sizes, scales, or those of another image."""

    inputs = "data:[_,_,_,_] like?"

    def shape(
        self,
        data: Tensor,
        like: Tensor | None = None,
        *,
        height: int = 1,
        width: int = 1,
        scale_height: float | None = None,
        scale_width: float | None = None,
        mode: str = "size",
        **_: Any,
    ) -> Tensor:
        self.match(data, like)
        if data.shape is None:
            return data
        size: Sequence[Dim] = (None, None)
        if mode == "like":
            size = like.shape[2:4] if like is not None and like.shape is not None else size
        elif scale_height is not None or mode == "odd_scale" or mode.startswith("to_"):
            if mode.startswith("to_") and scale_height is not None:
                mode = "scale"
            scales = (scale_height, scale_width)
            size = [_resized(dim, mode, scale) for dim, scale in zip(data.shape[2:], scales, strict=True)]
        elif mode == "size":
            size = (height, width)
        return Tensor(data.dtype, (*data.shape[:2], *size))

    def run(
        self,
        data: Any,
        like: Any = None,
        *,
        align_corners: bool = True,
        way: str | None = None,
        nearest: bool = False,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.resize import resize

        goal: Any = self.shape(
            Tensor(None, data.shape), None if like is None else Tensor(None, like.shape), **attrs
        ).shape
        if nearest:
            rows, columns = (np.arange(n) * was // n for n, was in zip(goal[2:], data.shape[2:], strict=True))
            return data[:, :, rows[:, None], columns]
        way = way or ("align_corners" if align_corners else "pytorch_half_pixel")
        return resize(data, {2: goal[2], 3: goal[3]}, None, mode="linear_onnx", coordinate_transformation_mode=way)
