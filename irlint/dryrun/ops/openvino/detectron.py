"""The steps of Detectron's region networks as single operators."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.shared.regions import want_not_negative
from irlint.dryrun.tensor import Tensor


class DetectronOutput(Operator):
    """Boxes, classes and scores from regions, offsets and scores."""

    inputs = "rois:[R,4]/T deltas:[R,4*classes]/T scores:[R,classes]/T im_info:[1,3]/T -> [rows,4]/T=floats [rows]/int32 [rows]/T"
    kernel = "boxes/proposals.detection_output"

    def shape(
        self, *tensors: Tensor, num_classes: int, post_nms_count: int, max_detections_per_image: int, **_: Any
    ) -> list[Tensor]:
        want_not_negative(post_nms_count=post_nms_count, max_detections_per_image=max_detections_per_image)
        return self.match(*tensors, classes=num_classes, rows=max_detections_per_image).results


class GenerateProposalsSingleImage(Operator):
    """Regions from anchors, offsets and scores of one image."""

    inputs = "im_info:[3]/T anchors:[_,4]/T deltas:[_,H,W]/T scores:[A,H,W]/T -> [rows,4]/T=floats [rows]/T"
    kernel = "boxes/proposals.generate_proposals_single"

    def shape(
        self, image: Tensor, anchors: Tensor, deltas: Tensor, scores: Tensor, *, post_nms_count: int, **_: Any
    ) -> list[Tensor]:
        found = self.match(image, anchors, deltas, scores, rows=post_nms_count)
        want_not_negative(post_nms_count=post_nms_count)
        if deltas.shape is not None and not dims.compatible(deltas.shape[0], dims.multiply(found["A"], 4)):
            message = (
                f"expected 4 numbers in `deltas` for each of `scores` {show(scores.shape)}, got {show(deltas.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:2", [2, 3])
        return found.results


class PriorGridGenerator(Operator):
    """Anchor boxes laid on every cell of a feature map."""

    inputs = "priors:[P,4]/T feature_map:[B,_,H,W]/T im_data:[B,_,_,_]/T -> [H,W,P,4]/T=floats"
    kernel = "boxes/detectron.prior_grid"

    def shape(self, *tensors: Tensor, flatten: bool = True, **_: Any) -> Tensor:
        (grid,) = self.match(*tensors).results
        *cells, numbers = grid.shape or ()
        height, width, count = cells
        rows = dims.multiply(dims.multiply(height, width), count)
        return Tensor(grid.dtype, (rows, numbers)) if flatten else grid


class ROIFeatureExtractor(Operator):
    """Regions cut out of the level of a feature pyramid that fits their size."""

    inputs = "rois:[R,4]/T pyramid+:[1,C,_,_]/T -> [R,C,size,size]/T=floats [R,4]/T"
    kernel = "boxes/detectron.roi_features"

    def shape(self, *tensors: Tensor, output_size: int, **_: Any) -> list[Tensor]:
        want_not_negative(output_size=output_size)
        return self.match(*tensors, size=output_size).results


class TopKROIs(Operator):
    """The regions with the best scores."""

    inputs = "rois:[R,4]/T probs:[R]/T -> [rows,4]/T=floats"
    kernel = "boxes/detectron.top_rois"

    def shape(self, *tensors: Tensor, max_rois: int, **_: Any) -> list[Tensor]:
        want_not_negative(max_rois=max_rois)
        return self.match(*tensors, rows=max_rois).results
