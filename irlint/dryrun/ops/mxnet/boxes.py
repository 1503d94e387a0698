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
from irlint.dryrun.tensor import Tensor


class Nms(Operator):
    """Rows with a score and a box; boxes that a better one covers become -1."""

    inputs = "data:[*_,_,_]"
    kernel = "boxes/boxes.nms"

    def shape(
        self, data: Tensor, *, coord_start: int = 2, score_index: int = 1, id_index: int = -1, **_: Any
    ) -> list[Tensor]:
        self.match(data)
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


class BoxDecode(Operator):
    """Boxes from offsets and anchors."""

    inputs = "data:[_,N,4] anchors:[*A=2..,4]"

    def shape(self, data: Tensor, anchors: Tensor, **_: Any) -> Tensor:
        found = self.match(data, anchors)
        count, cells = found["N"], found.shape("A")
        if cells is not None and not dims.compatible(count, dims.product(cells)):
            message = f"number of boxes in `data` ({show_dim(count)}) does not match `anchors` {show(anchors.shape)}"
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
        from irlint.dryrun.kernels.boxes.boxes import centres

        anchors = anchors.reshape(1, -1, 4)
        boxes = centres(anchors) if format == "corner" else anchors
        middle = data[..., :2] * np.array([std0, std1], data.dtype) * boxes[..., 2:] + boxes[..., :2]
        grown = data[..., 2:] * np.array([std2, std3], data.dtype)
        half = np.exp(np.minimum(grown, clip) if clip > 0 else grown) * boxes[..., 2:] / 2
        return np.concatenate([middle - half, middle + half], -1)


class BoxEncode(Operator):
    """Offsets from boxes and anchors, and a mask of the valid ones."""

    inputs = "samples:[N,S] matches anchors:[_,_,_]/A refs means stds -> [N,S,4]/A [N,S,4]/A"

    def run(self, samples: Any, matches: Any, anchors: Any, refs: Any, means: Any, stds: Any, **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes.boxes import centres

        chosen = centres(np.take_along_axis(refs, matches.astype(np.int64)[..., None], 1))
        own = centres(anchors)
        moved = np.concatenate(
            [(chosen[..., :2] - own[..., :2]) / own[..., 2:], np.log(chosen[..., 2:] / own[..., 2:])], -1
        )
        valid = np.broadcast_to((samples > 0.5)[..., None], moved.shape)
        return [np.where(valid, (moved - means) / stds, 0).astype(anchors.dtype), valid.astype(anchors.dtype)]


class BipartiteMatching(Operator):
    """Rows and columns of scores, matched one to one."""

    inputs = "data:[*B,R,C]/T -> [*B,R]/T [*B,C]/T"

    def run(self, data: Any, *, threshold: float, is_ascend: bool = False, topk: int = -1, **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes.boxes import matches

        found = [matches(scores, is_ascend, threshold, topk) for scores in data.reshape(-1, *data.shape[-2:])]
        rows = np.stack([pair[0] for pair in found]).reshape(data.shape[:-1])
        columns = np.stack([pair[1] for pair in found]).reshape(*data.shape[:-2], data.shape[-1])
        return [rows.astype(data.dtype), columns.astype(data.dtype)]


class MultiBoxTarget(Operator):
    """Training targets of a detector: offsets, their mask, and classes for every anchor."""

    inputs = "anchors:[_,A,_]/T label:[B,_,_] cls_pred:[_,_,_] -> [B,4*A]/T [B,4*A]/T [B,A]/T"


class RankedProposal(Operator):
    """Regions from scores and offsets: a fixed number for every image."""

    inputs = "cls_prob:[B,_,_,_,*_]/T bbox_pred:[_,_,_,_] im_info:[_,_] -> [rows,5]/T [rows,1]/T"

    def shape(
        self,
        *tensors: Tensor,
        rpn_post_nms_top_n: int = 300,
        output_score: bool = False,
        many: bool = False,
        **_: Any,
    ) -> list[Tensor]:
        batch = tensors[0].shape[0] if tensors[0].shape and many else None if many else 1
        found = self.match(*tensors, rows=dims.multiply(batch, rpn_post_nms_top_n)).results
        return found if output_score else found[:1]


class Located(Operator):
    """Boxes from class scores, offsets and anchors, the best ones first, and the number of valid ones."""

    inputs = "cls_prob:[B,_,N]/T loc_pred:[_,_] anchor:[_,_,_] -> [B,N,6]/T [B]/int32"


class MultiBoxPrior(Operator):
    """Anchor boxes around every cell."""

    inputs = "data:[_,_,H,W,*_]/T -> [1,boxes,4]/T"

    def shape(self, data: Tensor, *, sizes: Sequence[float], ratios: Sequence[float], **_: Any) -> list[Tensor]:
        cells = dims.product(data.shape[2:4]) if data.shape is not None else None
        return self.match(data, boxes=dims.multiply(cells, len(sizes) + len(ratios) - 1)).results

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

    inputs = "cls_prob:[B,_,N]/T loc_pred:[_,4*N] anchor:[_,N,4] -> [B,N,6]/T"
    kernel = "boxes/boxes.detections"


class BoxIou(Operator):
    """Overlap of each box of one list with each of another."""

    inputs = "lhs:[*A,4]/T rhs:[*B,4]"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        self.match(a, b)
        if a.shape is None or b.shape is None:
            return Tensor(a.dtype, None)
        return Tensor(a.dtype, (*a.shape[:-1], *b.shape[:-1]))

    def run(self, a: Any, b: Any, *, format: str = "corner", **_: Any) -> Any:
        from irlint.dryrun.kernels.boxes.boxes import corners, overlaps

        found = overlaps(corners(a.reshape(-1, 4), format), corners(b.reshape(-1, 4), format))
        return found.reshape(*a.shape[:-1], *b.shape[:-1]).astype(a.dtype)
