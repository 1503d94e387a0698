"""Images told by attributes: enlarged, cut, sampled, divided into cells, covered with boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_least_rank, want_rank
from irlint.dryrun.ops.windows import dilated, filled, want_window, windows
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


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
                        raise ShapeError(
                            R.shape_mismatch,
                            f"input {k} {show(tensor.shape)} cannot be enlarged to {show_dim(height)} x {show_dim(width)}",
                            f"input:{k}",
                            [0, k],
                        )
                if multi_input_mode == "concat":
                    depth = dims.add(depth, tensor.shape[1])
                elif not dims.compatible(depth, tensor.shape[1]):
                    raise ShapeError(
                        R.shape_mismatch,
                        f"input {k} {show(tensor.shape)} must have {show_dim(depth)} channels to be added",
                        f"input:{k}",
                        [0, k],
                    )
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


class Crop(Operator):
    """A window of the image: of a given size, or as large as another image."""

    inputs = "arg+"

    def shape(
        self,
        data: Tensor,
        like: Tensor | None = None,
        *,
        offset: Sequence[int] = (0, 0),
        h_w: Sequence[int] = (0, 0),
        center_crop: bool = False,
        **_: Any,
    ) -> Tensor:
        want_rank(data, "data", 0, 4)
        if data.shape is None:
            return data
        size: Sequence[Dim] = h_w
        if like is not None:
            want_least_rank(like, "crop_like", 1, 4)
            size = like.shape[2:4] if like.shape is not None else (None, None)
        for k in range(2):
            first = 0 if center_crop else offset[k]
            if dims.bounds(size[k])[0] + first > (dims.bounds(data.shape[2 + k])[1] or 1 << 62):
                raise ShapeError(
                    R.shape_mismatch,
                    f"a window of {show(tuple(size))} at {tuple(offset)} does not lie within {show(data.shape)}",
                    "input:0",
                    [0],
                )
        return Tensor(data.dtype, (*data.shape[:2], *size[:2]))

    def run(
        self,
        data: Any,
        like: Any = None,
        *,
        offset: Sequence[int] = (0, 0),
        h_w: Sequence[int] = (0, 0),
        center_crop: bool = False,
        **_: Any,
    ) -> Any:
        height, width = like.shape[2:4] if like is not None else h_w
        top, left = ((data.shape[2] - height) // 2, (data.shape[3] - width) // 2) if center_crop else offset
        return data[:, :, top : top + height, left : left + width]


class BilinearSampler(Operator):
    """The image looked up at the places of a grid (batch, 2, height, width)."""

    inputs = "data grid"

    def shape(self, data: Tensor, grid: Tensor, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        want_rank(grid, "grid", 1, 4)
        if grid.shape is not None and not dims.can_be(grid.shape[1], 2):
            raise ShapeError(R.shape_mismatch, f"grid {show(grid.shape)} must have 2 channels, x and y", "input:1", [1])
        if data.shape is None or grid.shape is None:
            return Tensor(data.dtype, None)
        if not dims.compatible(data.shape[0], grid.shape[0]):
            raise ShapeError(
                R.shape_mismatch,
                f"data {show(data.shape)} and grid {show(grid.shape)} must be of one batch",
                "input:1",
                [0, 1],
            )
        return Tensor(data.dtype, (*data.shape[:2], *grid.shape[2:]))

    def run(self, data: Any, grid: Any, **_: Any) -> Any:
        from irlint.dryrun.kernels.resize import grid_sample

        return grid_sample(data, np.moveaxis(grid, 1, -1), align_corners=True, mode="bilinear", padding_mode="zeros")


class GridGenerator(Operator):
    """Places to look up: an affine map of a regular grid, or a regular grid moved by a flow."""

    def shape(self, data: Tensor, *, transform_type: str, target_shape: Sequence[int] = (0, 0), **_: Any) -> Tensor:
        if transform_type == "warp":
            want_rank(data, "data", 0, 4)
            if data.shape is not None and not dims.can_be(data.shape[1], 2):
                raise ShapeError(R.shape_mismatch, f"a flow has 2 channels, data is {show(data.shape)}", "input:0", [0])
            return data
        want_rank(data, "data", 0, 2)
        if data.shape is not None and not dims.can_be(data.shape[1], 6):
            raise ShapeError(
                R.shape_mismatch, f"an affine map has 6 numbers, data is {show(data.shape)}", "input:0", [0]
            )
        if min(target_shape) < 1:
            raise ShapeError(R.value_out_of_range, f"target_shape is {tuple(target_shape)}", "attr:target_shape")
        return Tensor(data.dtype, (data.shape[0] if data.shape is not None else None, 2, *target_shape[:2]))

    def run(self, data: Any, *, transform_type: str, target_shape: Sequence[int] = (0, 0), **_: Any) -> Any:
        height, width = data.shape[2:] if transform_type == "warp" else target_shape
        y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
        if transform_type == "warp":
            step = np.array([(width - 1) / 2, (height - 1) / 2]).reshape(2, 1, 1)
            return (data / step + np.stack([x, y])).astype(data.dtype)
        places = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
        return (data.reshape(-1, 2, 3) @ places).reshape(-1, 2, height, width).astype(data.dtype)


class SpatialTransformer(Operator):
    """An affine map of a regular grid, and the image looked up there."""

    inputs = "data loc"

    def shape(self, data: Tensor, loc: Tensor, *, target_shape: Sequence[int] = (0, 0), **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        want_rank(loc, "loc", 1, 2)
        if loc.shape is not None and not dims.can_be(loc.shape[1], 6):
            raise ShapeError(R.shape_mismatch, f"an affine map has 6 numbers, loc is {show(loc.shape)}", "input:1", [1])
        return Tensor(data.dtype, None if data.shape is None else (*data.shape[:2], *target_shape[:2]))

    def run(self, data: Any, loc: Any, *, target_shape: Sequence[int] = (0, 0), **_: Any) -> Any:
        grid = GridGenerator.run(None, loc, transform_type="affine", target_shape=target_shape)  # type: ignore[arg-type]
        return BilinearSampler.run(None, data, grid)  # type: ignore[arg-type]


class RegionPool(Operator):
    """The largest number in each cell of a grid laid on every region (image, x1, y1, x2, y2)."""

    inputs = "data rois"

    def shape(self, data: Tensor, rois: Tensor, *, pooled_size: Sequence[int], **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        want_rank(rois, "rois", 1, 2)
        if rois.shape is not None and not dims.can_be(rois.shape[1], 5):
            raise ShapeError(R.shape_mismatch, f"rois {show(rois.shape)} must be rows of 5 numbers", "input:1", [1])
        count = rois.shape[0] if rois.shape is not None else None
        return Tensor(data.dtype, (count, self.depth(data, pooled_size), *pooled_size))

    def depth(self, data: Tensor, pooled_size: Sequence[int]) -> Dim:
        return data.shape[1] if data.shape is not None else None

    def run(self, data: Any, rois: Any, *, pooled_size: Sequence[int], spatial_scale: float, **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes import pooled

        return pooled(data, rois, (pooled_size[0], pooled_size[1]), spatial_scale)


class RegionAlign(RegionPool):
    """Regions sampled between pixels."""

    def shape(
        self, data: Tensor, rois: Tensor, *, pooled_size: Sequence[int], position_sensitive: bool = False, **_: Any
    ) -> Tensor:
        found = super().shape(data, rois, pooled_size=pooled_size)
        if not position_sensitive or data.shape is None or found.shape is None:
            return found
        cells = pooled_size[0] * pooled_size[1]
        return Tensor(data.dtype, (found.shape[0], dims.exact_divide(data.shape[1], cells), *pooled_size))

    def run(
        self,
        data: Any,
        rois: Any,
        *,
        pooled_size: Sequence[int],
        spatial_scale: float,
        sample_ratio: int = -1,
        position_sensitive: bool = False,
        aligned: bool = False,
        **_: Any,
    ) -> Any:
        from irlint.dryrun.errors import NoKernel
        from irlint.dryrun.kernels.regions import roi_align

        if position_sensitive:
            raise NoKernel
        return roi_align(
            data, rois[:, 1:], rois[:, 0].astype(np.int64), pooled_h=pooled_size[0], pooled_w=pooled_size[1], spatial_scale=spatial_scale,
            sampling_ratio=max(sample_ratio, 0), mode="avg", aligned_mode="half_pixel_for_nn" if aligned else "asymmetric",
        )  # fmt: skip


def _made(dim: Dim, mode: str) -> Dim:
    """Return the next even or odd length, as `to_even_up` and its kin say."""
    _, parity, way = mode.split("_")
    if not isinstance(dim, int) or dim % 2 == (parity == "odd"):
        return dim if isinstance(dim, int) else None
    return dim + 1 if way == "up" else dim - 1


class BilinearResize(Operator):
    """Another height and width, in numbers, by scales, or as another image has them."""

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


class AdaptivePool(Operator):
    """Means of as many windows as asked for."""

    def shape(self, data: Tensor, *, output_size: Sequence[int] = (), **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        size = (1, 1) if not output_size else (output_size[0], output_size[-1])
        return Tensor(data.dtype, None if data.shape is None else (*data.shape[:2], *size[:2]))

    def run(self, data: Any, *, output_size: Sequence[int] = (), **_: Any) -> Any:
        from irlint.dryrun.kernels.pooling import adaptive_average

        size = (1, 1) if not output_size else (output_size[0], output_size[-1])
        return adaptive_average(data, list(size))


class MultiBoxPrior(Operator):
    """Anchor boxes around every cell."""

    def shape(self, data: Tensor, *, sizes: Sequence[float], ratios: Sequence[float], **_: Any) -> Tensor:
        want_least_rank(data, "data", 0, 4)
        each = len(sizes) + len(ratios) - 1
        cells = dims.product(data.shape[2:4]) if data.shape is not None else None
        return Tensor(data.dtype, (1, dims.multiply(cells, each), 4))

    def run(
        self,
        data: Any,
        *,
        sizes: Sequence[float],
        ratios: Sequence[float],
        clip: bool = False,
        steps: Sequence[float] = (-1, -1),
        offsets: Sequence[float] = (0.5, 0.5),
        **_: Any,
    ) -> Any:
        height, width = data.shape[2:4]
        step_y, step_x = steps if min(steps) > 0 else (1 / height, 1 / width)
        y, x = np.meshgrid(
            (np.arange(height) + offsets[0]) * step_y, (np.arange(width) + offsets[1]) * step_x, indexing="ij"
        )
        first = np.sqrt(ratios[0])
        halves = [(s * height / width * first / 2, s / first / 2) for s in sizes]
        halves += [(sizes[0] * height / width * np.sqrt(r) / 2, sizes[0] / np.sqrt(r) / 2) for r in ratios[1:]]
        boxes = np.stack([np.stack([x - w, y - h, x + w, y + h], -1) for w, h in halves], 2).reshape(1, -1, 4)
        return (np.clip(boxes, 0, 1) if clip else boxes).astype(data.dtype)


class MultiBoxDetection(Operator):
    """Boxes out of class scores, offsets and anchors."""

    inputs = "cls_prob loc_pred anchor"

    def shape(self, scores: Tensor, offsets: Tensor, anchors: Tensor, **_: Any) -> Tensor:
        want_rank(scores, "cls_prob", 0, 3)
        want_rank(offsets, "loc_pred", 1, 2)
        want_rank(anchors, "anchor", 2, 3)
        batch, _classes, count = scores.shape or (None, None, None)
        if offsets.shape is not None and not dims.compatible(offsets.shape[1], dims.multiply(count, 4)):
            raise ShapeError(
                R.shape_mismatch,
                f"loc_pred {show(offsets.shape)} must have 4 numbers for each of the {show_dim(count)} boxes of cls_prob",
                "input:1",
                [0, 1],
            )
        if anchors.shape is not None and not (
            dims.compatible(anchors.shape[1], count) and dims.can_be(anchors.shape[2], 4)
        ):
            raise ShapeError(
                R.shape_mismatch,
                f"anchor {show(anchors.shape)} must be the {show_dim(count)} boxes of cls_prob",
                "input:2",
                [0, 2],
            )
        return Tensor(scores.dtype, (batch, count, 6))

    def run(self, scores: Any, offsets: Any, anchors: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.boxes import detections

        return detections(scores, offsets, anchors, **attrs)


class BoxOverlap(Operator):
    """How much each box of one list covers of each of another."""

    inputs = "lhs rhs"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        for k, boxes in enumerate((a, b)):
            if boxes.shape and not dims.can_be(boxes.shape[-1], 4):
                raise ShapeError(
                    R.shape_mismatch, f"a box is 4 numbers, {self.names[k]} is {show(boxes.shape)}", f"input:{k}", [k]
                )
        if a.shape is None or b.shape is None:
            return Tensor(a.dtype, None)
        return Tensor(a.dtype, (*a.shape[:-1], *b.shape[:-1]))

    def run(self, a: Any, b: Any, *, format: str = "corner", **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes import corners, overlaps

        found = overlaps(corners(a.reshape(-1, 4), format), corners(b.reshape(-1, 4), format))
        return found.reshape(*a.shape[:-1], *b.shape[:-1]).astype(a.dtype)


class Correlation(Operator):
    """Patches of one image compared to moved patches of another."""

    inputs = "data1 data2"

    def shape(
        self,
        a: Tensor,
        b: Tensor,
        *,
        kernel_size: int = 1,
        max_displacement: int = 1,
        stride1: int = 1,
        stride2: int = 1,
        pad_size: int = 0,
        **_: Any,
    ) -> Tensor:
        want_rank(a, "data1", 0, 4)
        want_rank(b, "data2", 1, 4)
        if a.shape is None:
            return Tensor(a.dtype, None)
        border = max_displacement + (kernel_size - 1) // 2
        reach = max_displacement // stride2 * 2 + 1
        part = "attr:max_displacement" if max_displacement >= kernel_size // 2 else "attr:kernel_size"
        for axis in (2, 3):  # mxnet 1.9.1 computes with unsigned numbers and refuses, or makes a gigantic output
            want_window(a.shape, axis, 2 * border + 1, pad_size, pad_size, part)
        lengths = [
            dims.ceil_divide(dims.subtract(dims.add(dim, 2 * pad_size), 2 * border), stride1) for dim in a.shape[2:]
        ]
        return Tensor(a.dtype, (a.shape[0], reach * reach, *lengths))

    def run(self, a: Any, b: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.patches import correlate

        return correlate(a, b, **attrs)


class Columns(Operator):
    """Windows of an image as columns of a matrix."""

    def shape(
        self,
        data: Tensor,
        *,
        kernel: Sequence[int],
        stride: Sequence[int] = (),
        dilate: Sequence[int] = (),
        pad: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        space = len(kernel)
        want_least_rank(data, "data", 0, space + 2)
        if data.shape is None:
            return data
        steps, reach, pads = filled(stride, space, 1), filled(dilate, space, 1), filled(pad, space, 0)
        for k in range(space):
            want_window(data.shape, k + 2, dilated(kernel[k], reach[k]), pads[k], pads[k], "attr:kernel")
        counts = [
            windows(dim, dilated(kernel[k], reach[k]), pads[k], pads[k], steps[k])
            for k, dim in enumerate(data.shape[2 : space + 2])
        ]
        area = 1
        for n in kernel:
            area *= n
        return Tensor(data.dtype, (data.shape[0], dims.multiply(data.shape[1], area), dims.product(counts)))

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.patches import to_columns

        first: Any = (..., *(0,) * (data.ndim - len(attrs["kernel"]) - 2))
        return to_columns(data[first], **attrs)


class FromColumns(Operator):
    """Columns of windows added up to an image."""

    def shape(
        self,
        data: Tensor,
        *,
        output_size: Sequence[int],
        kernel: Sequence[int],
        stride: Sequence[int] = (),
        dilate: Sequence[int] = (),
        pad: Sequence[int] = (),
        **_: Any,
    ) -> Tensor:
        want_rank(data, "data", 0, 3)
        if data.shape is None:
            return data
        windows = 1
        for k, (size, width) in enumerate(zip(output_size, kernel, strict=False)):
            reach = (dilate[k] if dilate else 1) * (width - 1) + 1
            windows *= (size + 2 * (pad[k] if pad else 0) - reach) // (stride[k] if stride else 1) + 1
        if not dims.can_be(data.shape[2], windows):
            raise ShapeError(
                R.shape_mismatch,
                f"an image of {tuple(output_size)} has {windows} windows, but data {show(data.shape)} holds {show_dim(data.shape[2])}",
                "attr:output_size",
                [0],
            )
        area = 1
        for n in kernel:
            area *= n
        if not dims.divisible(data.shape[1], area):
            raise ShapeError(
                R.shape_mismatch,
                f"columns of {show_dim(data.shape[1])} numbers are no windows of {tuple(kernel)}; data is {show(data.shape)}",
                "input:0",
                [0],
            )
        return Tensor(data.dtype, (data.shape[0], dims.exact_divide(data.shape[1], area), *output_size))

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.patches import from_columns

        return from_columns(data, **attrs)
