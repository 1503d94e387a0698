"""Regions of interest: cut out of feature maps, proposed, refined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_dtype, want_length, want_rank
from irlint.dryrun.ops.nms import upto, want_equal, want_last
from irlint.dryrun.ops.pooling import want_index_type
from irlint.dryrun.tensor import Tensor
from irlint.dryrun.values import fits
from irlint.graph import Dim


def want_positive(**attrs: float) -> None:
    """Raise unless attributes are positive."""
    for name, number in attrs.items():
        if number <= 0:
            raise too_low(name, "more than 0", number)


def want_not_negative(**attrs: float) -> None:
    for name, number in attrs.items():
        if number < 0:
            raise too_low(name, "at least 0", number)


class ROIPooling(Operator):
    """The same grid of cells from every region, whatever its size."""

    inputs = "data rois"
    width = 5

    def shape(
        self,
        data: Tensor,
        rois: Tensor,
        *,
        output_size: Sequence[int] = (),
        output_roi: Sequence[int] = (),
        pooled_h: int = 0,
        pooled_w: int = 0,
        spatial_scale: float = 0.0,
        method: str = "max",
        **_: Any,
    ) -> Tensor:
        dtype = same_dtype((data, rois), self.names)
        want_dtype(data, "data", 0, "a floating-point type")
        want_rank(data, "data", 0, 4)
        want_rank(rois, "rois", 1, 2)
        want_last(rois, self.width, "rois", 1)
        name, size = ("output_roi", output_roi) if output_roi else ("output_size", output_size)
        if size:
            want_length(len(size), 2, name, "side of the grid")
        height, width = (pooled_h or size[0], pooled_w or size[1]) if size else (pooled_h, pooled_w)
        want_positive(pooled_h=height, pooled_w=width)
        want_positive(spatial_scale=spatial_scale)
        if method not in ("max", "bilinear"):
            raise ShapeError(
                R.value_not_in_enum,
                f"unknown value `{method}` for `method`; expected `max` or `bilinear`",
                "attr:method",
            )
        channels = data.shape[1] if data.shape is not None else None
        count = rois.shape[0] if rois.shape is not None else None
        return Tensor(dtype, (count, channels, height, width))

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.regions import roi_pooling

        return roi_pooling(*arrays, **attrs)


class PSROIPooling(Operator):
    """Every cell of the grid from channels of its own."""

    inputs = "data rois"

    def shape(
        self,
        data: Tensor,
        rois: Tensor,
        *,
        output_dim: int,
        group_size: int,
        spatial_scale: float,
        spatial_bins_x: int = 1,
        spatial_bins_y: int = 1,
        mode: str = "average",
        **_: Any,
    ) -> Tensor:
        want_dtype(data, "data", 0, "a floating-point type")
        want_dtype(rois, "rois", 1, "a floating-point type")
        if mode not in ("average", "bilinear"):
            raise ShapeError(
                R.value_not_in_enum,
                f"expected `average` or `bilinear` for `mode`, got {f'`{mode}`' if mode else 'nothing'}",
                "attr:mode",
            )
        want_positive(group_size=group_size, output_dim=output_dim, spatial_scale=spatial_scale)
        parts = group_size * group_size if mode == "average" else spatial_bins_x * spatial_bins_y
        if mode == "bilinear":
            want_positive(spatial_bins_x=spatial_bins_x, spatial_bins_y=spatial_bins_y)
        want_rank(data, "data", 0, 4)
        want_rank(rois, "rois", 1, 2)
        want_last(rois, 5, "rois", 1)
        channels = data.shape[1] if data.shape is not None else None
        if isinstance(channels, int):
            if mode == "average" and output_dim * parts != channels:
                message = (
                    f"expected {output_dim * parts} channels (`output_dim` x `group_size`^2) for `data`, got "
                    f"{show(data.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:0", [0])
            if mode == "bilinear" and (channels % parts or output_dim * parts != channels):
                message = (
                    f"expected {output_dim * parts} channels (`output_dim` x bins) for `data`, got {show(data.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        count = rois.shape[0] if rois.shape is not None else None
        return Tensor(data.dtype, (count, output_dim, group_size, group_size))

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.regions import ps_roi_pooling

        return ps_roi_pooling(*arrays, **attrs)


class DeformablePSROIPooling(Operator):
    """The same with cells moved by offsets."""

    inputs = "data rois offsets?"

    def shape(
        self,
        data: Tensor,
        rois: Tensor,
        offsets: Tensor | None = None,
        *,
        output_dim: int,
        group_size: int = 1,
        **_: Any,
    ) -> Tensor:
        want_rank(data, "data", 0, 4)
        want_rank(rois, "rois", 1, 2)
        want_rank(offsets, "offsets", 2, 4)
        want_not_negative(output_dim=output_dim, group_size=group_size)
        want_positive(output_dim=output_dim, group_size=group_size)
        count = rois.shape[0] if rois.shape is not None else None
        return Tensor(data.dtype, (count, output_dim, group_size, group_size))

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.deformable import deformable_ps_roi_pooling

        return deformable_ps_roi_pooling(*arrays, **attrs)


class ROIAlign(Operator):
    """Regions sampled between pixels."""

    inputs = "data rois batch_indices"
    reads = (2,)
    width = 4

    def shape(
        self,
        data: Tensor,
        rois: Tensor,
        batch: Tensor,
        *,
        pooled_h: int,
        pooled_w: int,
        sampling_ratio: int = 0,
        spatial_scale: float = 0.0,
        strict: bool = False,
        **_: Any,
    ) -> Tensor:
        """`strict`: the runtime refuses the index of a batch past the end."""
        dtype = same_dtype((data, rois), self.names)
        want_dtype(data, "data", 0, "a floating-point type")
        want_dtype(batch, "batch_indices", 2, "an integer type")
        want_rank(data, "data", 0, 4)
        want_rank(rois, "rois", 1, 2)
        want_rank(batch, "batch_indices", 2, 1)
        want_last(rois, self.width, "rois", 1)
        count = want_equal(rois, 0, batch, 0, ("rois", "batch_indices"), (1, 2), "numbers of regions")
        want_positive(pooled_h=pooled_h, pooled_w=pooled_w, spatial_scale=spatial_scale)
        want_not_negative(sampling_ratio=sampling_ratio)
        most = dims.bounds(data.shape[0])[1] if data.shape is not None else None
        last = None if most is None else most - 1
        for index in (batch.value or ()) if strict else ():
            if not fits(index, 0, last):
                message = f"index {show_dim(index)} in `batch_indices` is out of range for `data` {show(data.shape)}"
                raise ShapeError(R.value_out_of_range, message, "input:2", [0, 2])
        channels = data.shape[1] if data.shape is not None else None
        return Tensor(dtype, (count, channels, pooled_h, pooled_w))

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.regions import roi_align

        return roi_align(*arrays, **attrs)


class ROIAlignRotated(ROIAlign):
    """Regions with an angle."""

    width = 5

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.rotated import roi_align_rotated

        return roi_align_rotated(*arrays, **attrs)


class Proposal(Operator):
    """Regions from scores and offsets for anchor boxes: rows (image, box), and their scores."""

    inputs = "class_probs bbox_deltas image_shape"
    scored = False

    def shape(self, probs: Tensor, deltas: Tensor, image: Tensor, *, post_nms_topn: int, **_: Any) -> list[Tensor]:
        for k, tensor in enumerate((probs, deltas, image)):
            want_dtype(tensor, self.names[k], k, "a floating-point type")
            want_rank(tensor, self.names[k], k, 1 if k == 2 else 4)
        batch: Dim = None
        if probs.shape is not None and deltas.shape is not None:
            batch = want_equal(probs, 0, deltas, 0, ("class_probs", "bbox_deltas"), (0, 1), "batch sizes")
            if not dims.compatible(dims.multiply(probs.shape[1], 2), deltas.shape[1]):
                message = (
                    f"channels of `bbox_deltas` {show(deltas.shape)} are not twice those of `class_probs` "
                    f"{show(probs.shape)}"
                )
                raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        else:
            batch = next((t.shape[0] for t in (probs, deltas) if t.shape is not None), None)
        if image.shape and not any(dims.can_be(image.shape[0], n) for n in (3, 4)):
            message = f"expected 3 or 4 numbers in `image_shape`, got {show(image.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [2])
        rows = dims.multiply(batch, post_nms_topn)
        boxes = Tensor(probs.dtype, (rows, 5))
        return [boxes, Tensor(probs.dtype, (rows,))] if self.scored else [boxes]

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.proposals import proposal

        found = proposal(*arrays, **attrs)
        return found if self.scored else found[:1]


class ProposalScored(Proposal):
    scored = True


class GenerateProposals(Operator):
    """Regions per image, as many as there are."""

    inputs = "im_info anchors boxesdeltas scores"

    def shape(
        self,
        image: Tensor,
        anchors: Tensor,
        deltas: Tensor,
        scores: Tensor,
        *,
        pre_nms_count: int,
        post_nms_count: int,
        nms_eta: float = 1.0,
        roi_num_type: str | None = "int64",
        **_: Any,
    ) -> list[Tensor]:
        want_positive(pre_nms_count=pre_nms_count, post_nms_count=post_nms_count)
        if nms_eta != 1.0:
            raise ShapeError(R.value_out_of_range, f"expected 1 for `nms_eta`, got {nms_eta:g}", "attr:nms_eta")
        want_index_type(roi_num_type, "roi_num_type")
        for k, tensor in enumerate((image, anchors, deltas, scores)):
            want_rank(tensor, self.names[k], k, 2 if k == 0 else 4)
        dtype = image.dtype
        batch: Dim = None
        if image.shape is not None:
            batch = image.shape[0]
            if not any(dims.can_be(image.shape[1], n) for n in (3, 4)):
                raise ShapeError(
                    R.shape_mismatch,
                    f"expected 3 or 4 numbers per image in `im_info`, got {show(image.shape)}",
                    "input:0",
                    [0],
                )
        want_last(anchors, 4, "anchors", 1)
        for a, i, b, j, names, what in (
            (anchors, 2, scores, 1, (1, 3), "numbers of anchors per cell"),
            (anchors, 0, scores, 2, (1, 3), "heights"),
            (anchors, 1, scores, 3, (1, 3), "widths"),
            (scores, 2, deltas, 2, (3, 2), "heights"),
            (scores, 3, deltas, 3, (3, 2), "widths"),
            (image, 0, scores, 0, (0, 3), "batch sizes"),
            (image, 0, deltas, 0, (0, 2), "batch sizes"),
            (deltas, 0, scores, 0, (2, 3), "batch sizes"),
        ):
            found = want_equal(a, i, b, j, (self.names[names[0]], self.names[names[1]]), names, what)
            if what == "batch sizes":
                batch = dims.merge(batch, found)
        if (
            anchors.shape is not None
            and deltas.shape is not None
            and not dims.compatible(dims.multiply(anchors.shape[2], 4), deltas.shape[1])
        ):
            message = (
                f"expected 4 numbers for each of the {show_dim(anchors.shape[2])} anchors per cell in "
                f"`boxesdeltas`, got {show(deltas.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:2", [1, 2])
        rows = upto(dims.multiply(batch, post_nms_count))
        return [Tensor(dtype, (rows, 4)), Tensor(dtype, (rows,)), Tensor(roi_num_type, (batch,))]

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.proposals import generate_proposals

        return generate_proposals(*arrays, **attrs)


class RegionPool(Operator):
    """The largest number in each cell of a grid laid on every region (image, x1, y1, x2, y2)."""

    inputs = "data rois"

    def shape(self, data: Tensor, rois: Tensor, *, pooled_size: Sequence[int], **_: Any) -> Tensor:
        want_rank(data, "data", 0, 4)
        want_rank(rois, "rois", 1, 2)
        if rois.shape is not None and not dims.can_be(rois.shape[1], 5):
            raise ShapeError(
                R.shape_mismatch, f"expected rows of 5 numbers in `rois`, got {show(rois.shape)}", "input:1", [1]
            )
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
