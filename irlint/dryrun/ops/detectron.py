"""The steps of Detectron's region networks as single operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import same_dtype, want_dtype, want_rank
from irlint.dryrun.ops.nms import want_equal, want_last
from irlint.dryrun.ops.regions import want_not_negative
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class DetectronOutput(Operator):
    """Boxes, classes and scores from regions, offsets and scores."""

    inputs = "rois deltas scores im_info"

    def shape(
        self,
        rois: Tensor,
        deltas: Tensor,
        scores: Tensor,
        image: Tensor,
        *,
        num_classes: int,
        post_nms_count: int,
        max_detections_per_image: int,
        deltas_weights: Sequence[float] = (),
        class_agnostic_box_regression: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        tensors = (rois, deltas, scores, image)
        dtype = same_dtype(tensors, self.names)
        for k, tensor in enumerate(tensors):
            want_dtype(tensor, self.names[k], k, "a floating-point type")
            want_rank(tensor, self.names[k], k, 2)
        want_not_negative(post_nms_count=post_nms_count, max_detections_per_image=max_detections_per_image)
        want_last(rois, 4, "rois", 0)
        classes = 1 if class_agnostic_box_regression else num_classes
        if deltas.shape is not None and not dims.can_be(deltas.shape[1], num_classes * 4):
            message = f"expected 4 numbers for each of the {classes} classes in `deltas`, got {show(deltas.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        if scores.shape is not None and not dims.can_be(scores.shape[1], num_classes):
            message = f"expected one number for each of the {num_classes} classes in `scores`, got {show(scores.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [2])
        want_equal(rois, 0, deltas, 0, ("rois", "deltas"), (0, 1), "numbers of regions")
        want_equal(rois, 0, scores, 0, ("rois", "scores"), (0, 2), "numbers of regions")
        want_equal(deltas, 0, scores, 0, ("deltas", "scores"), (1, 2), "numbers of regions")
        if image.shape is not None and not (dims.can_be(image.shape[0], 1) and dims.can_be(image.shape[1], 3)):
            raise ShapeError(
                R.shape_mismatch, f"expected shape [1, 3] for `im_info`, got {show(image.shape)}", "input:3", [3]
            )
        rows = max_detections_per_image
        return [Tensor(dtype, (rows, 4)), Tensor("int32", (rows,)), Tensor(dtype, (rows,))]

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.proposals import detection_output

        return detection_output(*arrays, **attrs)


class GenerateProposalsSingleImage(Operator):
    """Regions from anchors, offsets and scores of one image."""

    inputs = "im_info anchors deltas scores"

    def shape(
        self, image: Tensor, anchors: Tensor, deltas: Tensor, scores: Tensor, *, post_nms_count: int, **_: Any
    ) -> list[Tensor]:
        tensors = (image, anchors, deltas, scores)
        dtype = same_dtype(tensors, self.names)
        for k, (tensor, rank) in enumerate(zip(tensors, (1, 2, 3, 3), strict=True)):
            want_dtype(tensor, self.names[k], k, "a floating-point type")
            want_rank(tensor, self.names[k], k, rank)
        want_not_negative(post_nms_count=post_nms_count)
        if image.shape is not None and not dims.can_be(image.shape[0], 3):
            raise ShapeError(
                R.shape_mismatch, f"expected 3 numbers for `im_info`, got {show(image.shape)}", "input:0", [0]
            )
        want_last(anchors, 4, "anchors", 1)
        for axis, what in ((1, "heights"), (2, "widths")):
            want_equal(deltas, axis, scores, axis, ("deltas", "scores"), (2, 3), what)
        if (
            deltas.shape is not None
            and scores.shape is not None
            and not dims.compatible(deltas.shape[0], dims.multiply(scores.shape[0], 4))
        ):
            message = (
                f"expected 4 numbers in `deltas` for each of `scores` {show(scores.shape)}, got {show(deltas.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:2", [2, 3])
        return [Tensor(dtype, (post_nms_count, 4)), Tensor(dtype, (post_nms_count,))]

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.proposals import generate_proposals_single

        return generate_proposals_single(*arrays, **attrs)


class PriorGridGenerator(Operator):
    """Anchor boxes laid on every cell of a feature map."""

    inputs = "priors feature_map im_data"

    def shape(self, priors: Tensor, features: Tensor, image: Tensor, *, flatten: bool = True, **_: Any) -> Tensor:
        dtype = same_dtype((priors, features, image), self.names)
        for k, (tensor, rank) in enumerate(((priors, 2), (features, 4), (image, 4))):
            want_dtype(tensor, self.names[k], k, "a floating-point type")
            want_rank(tensor, self.names[k], k, rank)
        want_last(priors, 4, "priors", 0)
        if features.shape is not None and image.shape is not None:
            want_equal(features, 0, image, 0, ("feature_map", "im_data"), (1, 2), "batch sizes")
        height, width = features.shape[2:] if features.shape is not None else (None, None)
        count = priors.shape[0] if priors.shape is not None else None
        if flatten:
            return Tensor(dtype, (dims.multiply(dims.multiply(height, width), count), 4))
        return Tensor(dtype, (height, width, count, 4))

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.detectron import prior_grid

        return prior_grid(*arrays, **attrs)


class ROIFeatureExtractor(Operator):
    """Regions cut out of the level of a feature pyramid that fits their size."""

    inputs = "rois pyramid+"

    def shape(
        self, rois: Tensor, *pyramid: Tensor, output_size: int, pyramid_scales: Sequence[int] = (), **_: Any
    ) -> list[Tensor]:
        dtype = same_dtype((rois, *pyramid), ["rois", *(f"pyramid level {k}" for k in range(len(pyramid)))])
        want_dtype(rois, "rois", 0, "a floating-point type")
        want_rank(rois, "rois", 0, 2)
        want_last(rois, 4, "rois", 0)
        want_not_negative(output_size=output_size)
        channels: Dim = None
        first = -1
        for k, level in enumerate(pyramid, 1):
            want_rank(level, f"pyramid level {k - 1}", k, 4)
            if level.shape is None:
                continue
            if not dims.can_be(level.shape[0], 1):
                message = f"expected batch size 1 for pyramid level {k - 1}, got {show(level.shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
            if first >= 0 and not dims.compatible(channels, level.shape[1]):
                message = f"channels of pyramid level {k - 1} {show(level.shape)} do not match the other levels"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [first, k])
            channels, first = dims.merge(channels, level.shape[1]), k
        count = rois.shape[0] if rois.shape is not None else None
        return [Tensor(dtype, (count, channels, output_size, output_size)), Tensor(dtype, (count, 4))]

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.detectron import roi_features

        return roi_features(*arrays, **attrs)


class TopKROIs(Operator):
    """The regions with the best scores."""

    inputs = "rois probs"

    def shape(self, rois: Tensor, probs: Tensor, *, max_rois: int, **_: Any) -> Tensor:
        dtype = same_dtype((rois, probs), self.names)
        want_dtype(rois, "rois", 0, "a floating-point type")
        want_rank(rois, "rois", 0, 2)
        want_rank(probs, "probs", 1, 1)
        want_last(rois, 4, "rois", 0)
        want_equal(rois, 0, probs, 0, ("rois", "probs"), (0, 1), "numbers of regions")
        want_not_negative(max_rois=max_rois)
        return Tensor(dtype, (max_rois, 4))

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.detectron import top_rois

        return top_rois(*arrays, **attrs)
