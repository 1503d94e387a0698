"""Boxes by attributes: anchors, decoded, encoded, matched, overlapping."""

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
from irlint.dryrun.tensor import Tensor


class Nms(Operator):
    """Rows with a score and a box; boxes that a better one covers become -1."""

    def shape(
        self, data: Tensor, *, coord_start: int = 2, score_index: int = 1, id_index: int = -1, **_: Any
    ) -> list[Tensor]:
        want_least_rank(data, "data", 0, 2)
        for name, index in (("score_index", score_index), ("id_index", id_index)):
            if 0 <= index - coord_start < 4:
                message = f"`{name}` {index} is inside the box, which starts at `coord_start` {coord_start}"
                raise ShapeError(R.value_out_of_range, message, f"attr:{name}")
        if id_index == score_index:
            message = f"`id_index` and `score_index` are both {id_index}"
            raise ShapeError(R.value_out_of_range, message, "attr:id_index")
        if data.shape is None:
            return [data, data]
        width = dims.bounds(data.shape[-1])[1]
        if width is not None and (width < coord_start + 4 or max(score_index, id_index) >= width):
            message = (
                f"a row of `data` {show(data.shape)} is too short for a box at {coord_start}, a score at "
                f"{score_index} and a class at {id_index}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:0", [0])
        return [data, Tensor(data.dtype, (*data.shape[:-1], 1))]

    def run(self, data: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.boxes import nms

        return nms(data, **attrs)


class BoxDecode(Operator):
    """Boxes from offsets and anchors."""

    inputs = "data anchors"

    def shape(self, data: Tensor, anchors: Tensor, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 3)
        want_least_rank(anchors, "anchors", 1, 3)
        for k, tensor in enumerate((data, anchors)):
            if tensor.shape is not None and not dims.can_be(tensor.shape[-1], 4):
                raise ShapeError(
                    R.shape_mismatch,
                    f"expected 4 numbers per box in `{self.names[k]}`, got {show(tensor.shape)}",
                    f"input:{k}",
                    [k],
                )
        if (
            data.shape is not None
            and anchors.shape is not None
            and not dims.compatible(data.shape[1], dims.product(anchors.shape[:-1]))
        ):
            message = (
                f"number of boxes in `data` ({show_dim(data.shape[1])}) does not match `anchors` {show(anchors.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        return data

    def run(
        self,
        data: Any,
        anchors: Any,
        *,
        std0: float,
        std1: float,
        std2: float,
        std3: float,
        clip: float = -1.0,
        format: str = "center",
        **_: Any,
    ) -> Any:
        from irlint.dryrun.kernels.boxes import centres

        anchors = anchors.reshape(1, -1, 4)
        boxes = centres(anchors) if format == "corner" else anchors
        middle = data[..., :2] * np.array([std0, std1], data.dtype) * boxes[..., 2:] + boxes[..., :2]
        grown = data[..., 2:] * np.array([std2, std3], data.dtype)
        half = np.exp(np.minimum(grown, clip) if clip > 0 else grown) * boxes[..., 2:] / 2
        return np.concatenate([middle - half, middle + half], -1)


class BoxEncode(Operator):
    """Offsets from boxes and anchors, and a mask of the valid ones."""

    inputs = "samples matches anchors refs means stds"

    def shape(self, samples: Tensor, matches: Tensor, anchors: Tensor, *_: Tensor, **__: Any) -> list[Tensor]:
        want_rank(samples, "samples", 0, 2)
        want_rank(anchors, "anchors", 2, 3)
        found = Tensor(anchors.dtype, None if samples.shape is None else (*samples.shape, 4))
        return [found, found]

    def run(self, samples: Any, matches: Any, anchors: Any, refs: Any, means: Any, stds: Any, **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes import centres

        chosen = centres(np.take_along_axis(refs, matches.astype(np.int64)[..., None], 1))
        own = centres(anchors)
        moved = np.concatenate(
            [(chosen[..., :2] - own[..., :2]) / own[..., 2:], np.log(chosen[..., 2:] / own[..., 2:])], -1
        )
        valid = np.broadcast_to((samples > 0.5)[..., None], moved.shape)
        return [np.where(valid, (moved - means) / stds, 0).astype(anchors.dtype), valid.astype(anchors.dtype)]


class BipartiteMatching(Operator):
    """Rows and columns of scores, matched one to one."""

    def shape(self, data: Tensor, **_: Any) -> list[Tensor]:
        want_least_rank(data, "data", 0, 2)
        if data.shape is None:
            return [data, data]
        return [Tensor(data.dtype, data.shape[:-1]), Tensor(data.dtype, (*data.shape[:-2], data.shape[-1]))]

    def run(self, data: Any, *, threshold: float, is_ascend: bool = False, topk: int = -1, **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes import matches

        found = [matches(scores, is_ascend, threshold, topk) for scores in data.reshape(-1, *data.shape[-2:])]
        rows = np.stack([pair[0] for pair in found]).reshape(data.shape[:-1])
        columns = np.stack([pair[1] for pair in found]).reshape(*data.shape[:-2], data.shape[-1])
        return [rows.astype(data.dtype), columns.astype(data.dtype)]


class MultiBoxTarget(Operator):
    """Training targets of a detector: offsets, their mask, and classes for every anchor."""

    inputs = "anchor label cls_pred"

    def shape(self, anchor: Tensor, label: Tensor, scores: Tensor, **_: Any) -> list[Tensor]:
        want_rank(anchor, "anchor", 0, 3)
        want_rank(label, "label", 1, 3)
        want_rank(scores, "cls_pred", 2, 3)
        count = anchor.shape[1] if anchor.shape is not None else None
        batch = label.shape[0] if label.shape is not None else None
        numbers = dims.multiply(count, 4)
        return [
            Tensor(anchor.dtype, (batch, numbers)),
            Tensor(anchor.dtype, (batch, numbers)),
            Tensor(anchor.dtype, (batch, count)),
        ]


class RankedProposal(Operator):
    """Regions from scores and offsets: a fixed number for every image."""

    inputs = "cls_prob bbox_pred im_info"

    def shape(
        self,
        scores: Tensor,
        offsets: Tensor,
        info: Tensor,
        *,
        rpn_post_nms_top_n: int = 300,
        output_score: bool = False,
        many: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        want_least_rank(scores, "cls_prob", 0, 4)
        want_rank(offsets, "bbox_pred", 1, 4)
        want_rank(info, "im_info", 2, 2)
        batch = scores.shape[0] if scores.shape is not None and many else None if many else 1
        rows = dims.multiply(batch, rpn_post_nms_top_n)
        found = [Tensor(scores.dtype, (rows, 5))]
        return [*found, Tensor(scores.dtype, (rows, 1))] if output_score else found


class RegionCells(Operator):
    """A square of cells from every region."""

    inputs = "data rois more*"

    def shape(
        self,
        data: Tensor,
        rois: Tensor,
        *_: Tensor,
        pooled_size: Any,
        output_dim: int | None = None,
        width: int = 5,
        **__: Any,
    ) -> Tensor:
        want_rank(data, "data", 0, 4)
        want_rank(rois, "rois", 1, 2)
        if rois.shape is not None and not dims.can_be(rois.shape[1], width):
            raise ShapeError(
                R.shape_mismatch, f"expected rows of {width} numbers in `rois`, got {show(rois.shape)}", "input:1", [1]
            )
        size: Sequence[int] = (pooled_size, pooled_size) if isinstance(pooled_size, int) else pooled_size
        depth = output_dim if output_dim is not None else data.shape[1] if data.shape is not None else None
        return Tensor(data.dtype, (rois.shape[0] if rois.shape is not None else None, depth, *size))


class Located(Operator):
    """Boxes from class scores, offsets and anchors, the best ones first, and the number of valid ones."""

    inputs = "cls_prob loc_pred anchor"

    def shape(self, scores: Tensor, offsets: Tensor, anchors: Tensor, **_: Any) -> list[Tensor]:
        want_rank(scores, "cls_prob", 0, 3)
        want_rank(offsets, "loc_pred", 1, 2)
        want_rank(anchors, "anchor", 2, 3)
        batch, _classes, count = scores.shape or (None, None, None)
        return [Tensor(scores.dtype, (batch, count, 6)), Tensor("int32", (batch,))]


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
    """Boxes from class scores, offsets and anchors."""

    inputs = "cls_prob loc_pred anchor"

    def shape(self, scores: Tensor, offsets: Tensor, anchors: Tensor, **_: Any) -> Tensor:
        want_rank(scores, "cls_prob", 0, 3)
        want_rank(offsets, "loc_pred", 1, 2)
        want_rank(anchors, "anchor", 2, 3)
        batch, _classes, count = scores.shape or (None, None, None)
        if offsets.shape is not None and not dims.compatible(offsets.shape[1], dims.multiply(count, 4)):
            message = (
                f"expected 4 numbers for each of the {show_dim(count)} boxes of `cls_prob` in `loc_pred`, got "
                f"{show(offsets.shape)}"
            )
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        if anchors.shape is not None and not (
            dims.compatible(anchors.shape[1], count) and dims.can_be(anchors.shape[2], 4)
        ):
            message = f"expected the {show_dim(count)} boxes of `cls_prob` in `anchor`, got {show(anchors.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:2", [0, 2])
        return Tensor(scores.dtype, (batch, count, 6))

    def run(self, scores: Any, offsets: Any, anchors: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.boxes import detections

        return detections(scores, offsets, anchors, **attrs)


class BoxIou(Operator):
    """Overlap of each box of one list with each of another."""

    inputs = "lhs rhs"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        for k, boxes in enumerate((a, b)):
            if boxes.shape and not dims.can_be(boxes.shape[-1], 4):
                raise ShapeError(
                    R.shape_mismatch,
                    f"expected 4 numbers per box in `{self.names[k]}`, got {show(boxes.shape)}",
                    f"input:{k}",
                    [k],
                )
        if a.shape is None or b.shape is None:
            return Tensor(a.dtype, None)
        return Tensor(a.dtype, (*a.shape[:-1], *b.shape[:-1]))

    def run(self, a: Any, b: Any, *, format: str = "corner", **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes import corners, overlaps

        found = overlaps(corners(a.reshape(-1, 4), format), corners(b.reshape(-1, 4), format))
        return found.reshape(*a.shape[:-1], *b.shape[:-1]).astype(a.dtype)
