"""Regions of interest: cut out of feature maps, proposed, refined."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import NoKernel, ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_length
from irlint.dryrun.ops.shared.nms import upto, want_equal
from irlint.dryrun.tensor import Tensor
from irlint.dryrun.values import fits


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

    inputs = "data:[_,C,_,_]/T rois:[R,5]/T -> [R,C,height,width]/T=floats"
    kernel = "boxes/regions.roi_pooling"

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
    ) -> list[Tensor]:
        name, size = ("output_roi", output_roi) if output_roi else ("output_size", output_size)
        if size:
            want_length(len(size), 2, name, "side of the grid")
        height, width = (pooled_h or size[0], pooled_w or size[1]) if size else (pooled_h, pooled_w)
        want_positive(pooled_h=height, pooled_w=width, spatial_scale=spatial_scale)
        return self.match(data, rois, height=height, width=width).results


class PSROIPooling(Operator):
    """Every cell of the grid from channels of its own."""

    inputs = "data:[_,C,_,_]/D=floats rois:[R,5]/floats -> [R,output_dim,group_size,group_size]/D"
    kernel = "boxes/regions.ps_roi_pooling"

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
    ) -> list[Tensor]:
        want_positive(group_size=group_size, output_dim=output_dim, spatial_scale=spatial_scale)
        parts, what = group_size * group_size, "`group_size`^2"
        if mode == "bilinear":
            want_positive(spatial_bins_x=spatial_bins_x, spatial_bins_y=spatial_bins_y)
            parts, what = spatial_bins_x * spatial_bins_y, "bins"
        found = self.match(data, rois, output_dim=output_dim, group_size=group_size)
        if isinstance(found["C"], int) and found["C"] != output_dim * parts:
            message = (
                f"expected {output_dim * parts} channels (`output_dim` x {what}) for `data`, got {show(data.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return found.results


class DeformablePSROIPooling(Operator):
    """The same with cells moved by offsets."""

    inputs = "data:[_,_,_,_]/D rois:[R,_] offsets?:[_,_,_,_] -> [R,output_dim,group_size,group_size]/D"
    kernel = "windows/deformable.deformable_ps_roi_pooling"

    def shape(self, *tensors: Tensor | None, output_dim: int, group_size: int = 1, **_: Any) -> list[Tensor]:
        found = self.match(*tensors, output_dim=output_dim, group_size=group_size)
        want_not_negative(output_dim=output_dim, group_size=group_size)
        want_positive(output_dim=output_dim, group_size=group_size)
        return found.results


class ROIAlign(Operator):
    """Regions sampled between pixels."""

    inputs = "data:[N,C,_,_]/T rois:[R,4]/T batch_indices:[R]/integers -> [R,C,pooled_h,pooled_w]/T=floats"
    reads = (2,)
    kernel = "boxes/regions.roi_align"

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
    ) -> list[Tensor]:
        """`strict`: the runtime refuses the index of a batch past the end."""
        found = self.match(data, rois, batch, pooled_h=pooled_h, pooled_w=pooled_w)
        want_positive(pooled_h=pooled_h, pooled_w=pooled_w, spatial_scale=spatial_scale)
        want_not_negative(sampling_ratio=sampling_ratio)
        most = dims.bounds(found["N"])[1]
        last = None if most is None else most - 1
        for index in (batch.value or ()) if strict else ():
            if not fits(index, 0, last):
                message = f"index {show_dim(index)} in `batch_indices` is out of range for `data` {show(data.shape)}"
                raise ShapeError(R.value_out_of_range, message, "input:2", [0, 2])
        return found.results


class ROIAlignRotated(ROIAlign):
    """Regions with an angle."""

    inputs = "data:[N,C,_,_]/T rois:[R,5]/T batch_indices:[R]/integers -> [R,C,pooled_h,pooled_w]/T=floats"
    kernel = "boxes/rotated.roi_align_rotated"


class Proposal(Operator):
    """Regions from scores and offsets for anchor boxes: rows (image, box), and their scores."""

    inputs = "class_probs:[B,P,_,_]/D=floats bbox_deltas:[B,2*P,_,_]/floats image_shape:[_]/floats -> [rows*B,5]/D"

    def shape(self, probs: Tensor, deltas: Tensor, image: Tensor, *, post_nms_topn: int, **_: Any) -> list[Tensor]:
        found = self.match(probs, deltas, image, rows=post_nms_topn)
        if image.shape and not any(dims.can_be(image.shape[0], n) for n in (3, 4)):
            message = f"expected 3 or 4 numbers in `image_shape`, got {show(image.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [2])
        return found.results

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.boxes.proposals import proposal

        return proposal(*arrays, **attrs)[: len(self.signature.results)]


class ProposalScored(Proposal):
    inputs = f"{Proposal.inputs} [rows*B]/D"


class GenerateProposals(Operator):
    """Regions per image, as many as there are."""

    inputs = "im_info:[B,_] anchors:[_,_,A,4] boxesdeltas:[_,D,_,_] scores:[_,_,_,_]"
    kernel = "boxes/proposals.generate_proposals"

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
        matched = self.match(image, anchors, deltas, scores)
        batch, count = matched["B"], matched["A"]
        if image.shape is not None and not any(dims.can_be(image.shape[1], n) for n in (3, 4)):
            message = f"expected 3 or 4 numbers per image in `im_info`, got {show(image.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
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
        if not dims.compatible(dims.multiply(count, 4), matched["D"]):
            message = (
                f"expected 4 numbers for each of the {show_dim(count)} anchors per cell in `boxesdeltas`, got "
                f"{show(deltas.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:2", [1, 2])
        rows = upto(dims.multiply(batch, post_nms_count))
        return [Tensor(image.dtype, (rows, 4)), Tensor(image.dtype, (rows,)), Tensor(roi_num_type, (batch,))]


class RegionCells(Operator):
    """A square of cells from every region (image, x1, y1, x2, y2, or `width` other numbers)."""

    inputs = "data:[_,C,_,_] rois:[R,width] more*"

    def shape(self, *tensors: Any, pooled_size: Any, output_dim: int | None = None, width: int = 5, **_: Any) -> Tensor:
        found = self.match(*tensors, width=width)
        size: Sequence[int] = (pooled_size, pooled_size) if isinstance(pooled_size, int) else pooled_size
        depth = output_dim if output_dim is not None else found["C"]
        return Tensor(tensors[0].dtype, (found["R"], depth, *size))


class RegionPool(RegionCells):
    """The largest number in each cell of a grid laid on every region."""

    inputs = "data:[_,C,_,_] rois:[R,width]"

    def run(self, data: Any, rois: Any, *, pooled_size: Sequence[int], spatial_scale: float, **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes.regions import roi_pooling

        return roi_pooling(data, rois, output_size=pooled_size, spatial_scale=spatial_scale)


class RegionAlign(RegionPool):
    """Regions sampled between pixels."""

    def shape(self, *tensors: Any, pooled_size: Sequence[int], position_sensitive: bool = False, **_: Any) -> Tensor:
        found = super().shape(*tensors, pooled_size=pooled_size)
        if not position_sensitive or tensors[0].shape is None:
            return found
        count, depth, *cells = found.shape or ()
        return Tensor(found.dtype, (count, dims.exact_divide(depth, prod(pooled_size)), *cells))

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
        from irlint.dryrun.kernels.boxes.regions import roi_align

        if position_sensitive:
            raise NoKernel
        return roi_align(
            data, rois[:, 1:], rois[:, 0].astype(np.int64), pooled_h=pooled_size[0], pooled_w=pooled_size[1], spatial_scale=spatial_scale,
            sampling_ratio=max(sample_ratio, 0), mode="avg", aligned_mode="half_pixel_for_nn" if aligned else "asymmetric",
        )  # fmt: skip
