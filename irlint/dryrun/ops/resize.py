"""Interpolation to another size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

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


def padded(shape: Shape, begin: Sequence[int], end: Sequence[int]) -> Shape:
    """The shape with borders; lists that are too short leave the last axes as they are."""
    result = list(shape)
    for pads in (begin, end):
        for k, pad in enumerate(pads[: len(result)]):
            result[k] = dims.add(result[k], pad) if pad >= 0 else dims.subtract(result[k], -pad)
    return tuple(result)


def scaled(dim: Dim, scale: Any) -> Dim:
    """A length times a scale, rounded down."""
    low, high = values.entry_bounds(scale)
    least, most = dims.bounds(dim)
    if low is None:
        return None
    first = math.floor(least * low + 1e-6)
    last = None if most is None or high is None else math.floor(most * high + 1e-6)
    return dims.interval(max(first, 0), last)


class Resize(Operator):
    """Base of all versions: axes with a size or a scale each, after padding."""

    def result(
        self,
        data: Tensor,
        sizes: Tensor | None,
        scales: Tensor | None,
        axes: Tensor | None,
        at: tuple[int, int, int],
        pads_begin: Sequence[int],
        pads_end: Sequence[int],
    ) -> Shape | None:
        """`at` are the places of sizes, scales and axes among the operands; one of sizes and scales decides."""
        given, place = (sizes, at[0]) if sizes is not None else (scales, at[1])
        assert given is not None
        want_rank(given, self.names[place], place, 1)
        if sizes is not None:
            want_computed_lengths(sizes, self.names[place], place)
        if axes is not None:
            want_dtype(axes, "axes", at[2], "int32 or int64")
            want_rank(axes, "axes", at[2], 1)
        if data.shape is None:
            return None
        rank = len(data.shape)
        listed = list(range(rank)) if axes is None else axes_of(axes, rank, at[2], unique=False, negative=False)
        if listed is None:
            return (None,) * rank
        most = dims.bounds(given.shape[0] if given.shape else None)[1]
        if most is not None and most < len(listed):
            message = (
                f"expected {words.count(len(listed), 'number')} in `{self.names[place]}` (one per axis), got {most}"
            )
            raise ShapeError(R.wrong_value_length, message, f"input:{place}", [place])
        result = list(padded(data.shape, pads_begin, pads_end))
        wanted = values.as_dims(given)
        for k, axis in enumerate(listed):
            if wanted is None or k >= len(wanted):
                result[axis] = None
            elif sizes is not None:
                result[axis] = values.to_dim(wanted[k])
            else:
                result[axis] = scaled(result[axis], wanted[k])
        return tuple(result)

    @staticmethod
    def check_data(data: Tensor) -> None:
        if data.dtype is not None and data.dtype not in _KINDS:
            raise ShapeError(
                R.dtype_mismatch, f"element type {data.dtype} of `data` cannot be interpolated", "input:0", [0]
            )


_KINDS = ("float32", "float16", "bfloat16", "float64", "int8", "uint8", "int32", "int64")


class InterpolateFirst(Resize):
    """Sizes by an operand, axes by an attribute."""

    inputs = "data output_shape"
    reads = (1,)

    def shape(
        self,
        data: Tensor,
        sizes: Tensor,
        *,
        axes: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        want_dtype(sizes, "output_shape", 1, "an integer type")
        want_rank(sizes, "output_shape", 1, 1)
        if data.shape is not None:
            for axis in axes:
                normalise_axis(axis, len(data.shape), "attr:axes", "axes", negative=False)
        if data.shape is None:
            return Tensor(data.dtype, None)
        listed = sorted(set(axes))
        if values.as_dims(sizes) is None:
            result = [None if k in listed else dim for k, dim in enumerate(data.shape)]
            return Tensor(data.dtype, tuple(result))
        shape = self.result(data, sizes, None, constant(listed), (1, 1, 1), (), ())
        return Tensor(data.dtype, shape)

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

    inputs = "data output_shape scales axes?"
    reads = (1, 2, 3)

    def shape(
        self,
        data: Tensor,
        sizes: Tensor,
        scales: Tensor,
        axes: Tensor | None = None,
        *,
        shape_calculation_mode: str = "sizes",
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        self.check_data(data)
        want_dtype(sizes, "output_shape", 1, "int32, int64, uint32 or uint64")
        want_dtype(scales, "scales", 2, "a floating-point type")
        by_size = shape_calculation_mode == "sizes"
        shape = self.result(
            data, sizes if by_size else None, None if by_size else scales, axes, (1, 2, 3), pads_begin, pads_end
        )
        return Tensor(data.dtype, shape)

    def run(
        self,
        data: Any,
        sizes: Any,
        scales: Any,
        axes: Any = None,
        *,
        shape_calculation_mode: str = "sizes",
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.kernels.resize import resize_by

        by_size = shape_calculation_mode == "sizes"
        return resize_by(data, sizes if by_size else None, None if by_size else scales, axes, **attrs)


class Interpolate(Resize):
    """Sizes or scales by one operand."""

    inputs = "data scales_or_sizes axes?"
    reads = (1, 2)

    def shape(
        self,
        data: Tensor,
        given: Tensor,
        axes: Tensor | None = None,
        *,
        shape_calculation_mode: str = "sizes",
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        self.check_data(data)
        by_size = shape_calculation_mode == "sizes"
        want_dtype(
            given, "scales_or_sizes", 1, "int32, int64, uint32 or uint64" if by_size else "a floating-point type"
        )
        shape = self.result(
            data, given if by_size else None, None if by_size else given, axes, (1, 1, 2), pads_begin, pads_end
        )
        return Tensor(data.dtype, shape)

    def run(
        self, data: Any, given: Any, axes: Any = None, *, shape_calculation_mode: str = "sizes", **attrs: Any
    ) -> Any:
        from irlint.dryrun.kernels.resize import resize_by

        by_size = shape_calculation_mode == "sizes"
        return resize_by(data, given if by_size else None, None if by_size else given, axes, **attrs)


class UpSampling(Operator):
    """Pixels repeated, or laid through a transposed convolution; several images are brought to one size and put together."""

    inputs = "arg+"

    def shape(
        self,
        *tensors: Tensor,
        scale: int,
        sample_type: str,
        multi_input_mode: str = "concat",
        num_filter: int = 0,
        **_: Any,
    ) -> Tensor:
        data = tensors[0]
        want_rank(data, "data", 0, 4)
        if data.shape is None:
            return data
        height, width = (dims.multiply(dim, scale) for dim in data.shape[2:])
        depth = data.shape[1]
        if sample_type == "nearest":
            for k, tensor in enumerate(tensors[1:], 1):
                want_rank(tensor, f"input {k}", k, 4)
                if tensor.shape is None:
                    depth = None
                    continue
                for a, b in ((height, tensor.shape[2]), (width, tensor.shape[3])):
                    if isinstance(a, int) and isinstance(b, int) and (b == 0 or a % b):
                        message = f"input {k} {show(tensor.shape)} cannot be enlarged to {show_dim(height)} x {show_dim(width)}"
                        raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
                if multi_input_mode == "concat":
                    depth = dims.add(depth, tensor.shape[1])
                elif not dims.compatible(depth, tensor.shape[1]):
                    message = (
                        f"expected {show_dim(depth)} channels for input {k}, to be added, got {show(tensor.shape)}"
                    )
                    raise ShapeError(R.shape_mismatch, message, f"input:{k}", [0, k])
        return Tensor(data.dtype, (data.shape[0], depth, height, width))

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
            from irlint.dryrun.kernels.convolution import convolve_back

            kernel = 2 * scale - scale % 2
            pad = -(-(scale - 1) // 2)
            return convolve_back(
                arrays[0], arrays[1], None, strides=(scale, scale), pads_begin=(pad, pad), pads_end=(pad, pad),
                groups=arrays[0].shape[1], kernel=(kernel, kernel),
            )  # fmt: skip
        height, width = arrays[0].shape[2] * scale, arrays[0].shape[3] * scale
        large = [a.repeat(height // a.shape[2], 2).repeat(width // a.shape[3], 3) for a in arrays]
        return np.concatenate(large, 1) if multi_input_mode == "concat" else sum(large)


def _made(dim: Dim, mode: str) -> Dim:
    """Return the next even or odd length, as `to_even_up` and its kin say."""
    _, parity, way = mode.split("_")
    if not isinstance(dim, int) or dim % 2 == (parity == "odd"):
        return dim if isinstance(dim, int) else None
    return dim + 1 if way == "up" else dim - 1


class BilinearResize(Operator):
    """Another height and width: sizes, scales, or those of another image."""

    inputs = "data like?"

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
        want_rank(data, "data", 0, 4)
        if data.shape is None:
            return data
        size: list[Dim] = [height, width]
        if mode == "like":
            size = list(like.shape[2:]) if like is not None and like.shape is not None else [None, None]
        elif scale_height is not None or mode == "odd_scale":
            for k, scale in enumerate((scale_height, scale_width)):
                dim = data.shape[2 + k]
                factor = scale if scale is not None else 1.0
                if not isinstance(dim, int):
                    size[k] = None
                elif mode == "odd_scale":
                    size[k] = int(dim * factor) if dim % 2 == 0 else int((dim - 1) * factor) + 1
                else:
                    size[k] = int(dim * factor)
        elif mode.startswith("to_"):
            size = [_made(dim, mode) for dim in data.shape[2:]]
        elif mode != "size":
            return Tensor(data.dtype, (*data.shape[:2], None, None))
        return Tensor(data.dtype, (*data.shape[:2], *size[:2]))

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
