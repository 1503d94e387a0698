"""What detection networks give, turned into boxes and probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.kernels.boxes.suppression import parts, uncovered
from irlint.dryrun.kernels.reducing import softmax
from irlint.dryrun.kernels.special import sigmoid
from irlint.dryrun.lazy import np


def region_yolo(
    data: Any,
    *,
    axis: int,
    end_axis: int,
    coords: int,
    classes: int,
    num: int,
    mask: Sequence[int] = (),
    do_softmax: bool = True,
    **_: Any,
) -> Any:
    """Centres, objectness and classes of every region as probabilities; sizes stay."""
    regions = num if do_softmax else len(mask)
    if not do_softmax:  # OpenVINO 2026.4.1 outputs as many as `mask` has, and those are the first ones
        data = data[:, : regions * (classes + coords + 1)]
    parts = data.reshape(data.shape[0], regions, classes + coords + 1, -1).copy()
    parts[:, :, :2] = sigmoid(parts[:, :, :2])
    certain = slice(coords, coords + 1) if do_softmax else slice(coords, None)
    parts[:, :, certain] = sigmoid(parts[:, :, certain])
    if not do_softmax:
        return parts.reshape(data.shape)
    parts[:, :, coords + 1 :] = softmax(parts[:, :, coords + 1 :], axis=2)
    first, last = axis % data.ndim, end_axis % data.ndim
    return parts.reshape(*data.shape[:first], -1, *data.shape[last + 1 :])


def detection_output(
    logits: Any,
    classes: Any,
    priors: Any,
    aux_classes: Any = None,
    aux_logits: Any = None,
    *,
    num_classes: int | None = None,
    background_label_id: int = 0,
    top_k: int = -1,
    variance_encoded_in_target: bool = False,
    keep_top_k: Sequence[int] = (),
    code_type: str = "caffe.priorboxparameter.corner",
    share_location: bool = True,
    nms_threshold: float = 0.0,
    confidence_threshold: float = 0.0,
    clip_after_nms: bool = False,
    clip_before_nms: bool = False,
    decrease_label_id: bool = False,
    normalized: bool = False,
    input_height: int = 1,
    input_width: int = 1,
    objectness_score: float = 0.0,
    **_: Any,
) -> Any:
    """Rows (image, class, score, box), a row that begins with -1 after the last, then zeros."""
    batch, wide = logits.shape[0], 4 if normalized else 5
    anchors = priors.shape[2] // wide
    kinds = num_classes or classes.shape[1] // anchors
    places = 1 if share_location else kinds
    most = keep_top_k[0] if keep_top_k and keep_top_k[0] > 0 else -1
    count = most if most > 0 else (top_k if top_k > 0 else anchors) * kinds
    found: list[list[float]] = []
    for image in range(batch):
        mine = priors[min(image, priors.shape[0] - 1)]
        boxes = mine[0].reshape(anchors, wide)[:, wide - 4 :].astype(np.float32)
        if not normalized:
            boxes = boxes / np.array([input_width, input_height] * 2, np.float32)
        spread = np.ones((anchors, 4), np.float32)
        if not variance_encoded_in_target:
            spread = mine[1].reshape(-1)[: 4 * anchors].reshape(anchors, 4)
        scores = classes[image].reshape(anchors, kinds).copy()
        boxes = boxes[:, None]
        if aux_classes is not None:
            doubtful = aux_classes[image].reshape(anchors, 2)[:, 1] < objectness_score
            scores[doubtful] = np.eye(kinds, dtype=scores.dtype)[background_label_id]
            boxes = _decoded(boxes, spread[:, None], aux_logits[image].reshape(anchors, places, 4), code_type)
        placed = _decoded(boxes, spread[:, None], logits[image].reshape(anchors, places, 4), code_type)
        if clip_before_nms:
            placed = np.clip(placed, 0, 1)
        if decrease_label_id:
            rows = _together(placed, scores, background_label_id, confidence_threshold, top_k, nms_threshold)
        else:
            rows = []
            for kind in range(kinds):
                if kind != background_label_id:
                    at = placed[:, 0 if share_location else kind]
                    kept = _kept(at, scores[:, kind], confidence_threshold, top_k, nms_threshold)
                    rows += [(kind, int(k)) for k in kept]
        if 0 < most < len(rows):
            rows = sorted(rows, key=lambda row: -scores[row[1], row[0]])[:most]
        for kind, k in sorted(rows, key=lambda row: row[0]):
            box = placed[k, 0 if share_location else kind]
            box = np.clip(box, 0, 1) if clip_after_nms else box
            found.append([image, kind - decrease_label_id, float(scores[k, kind]), *box.tolist()])
    result = np.zeros((batch * count, 7), logits.dtype)
    result[: len(found)] = np.array(found, np.float64).reshape(-1, 7)[: len(result)]
    if len(found) < len(result):
        result[len(found), 0] = -1
    return result[None, None]


def _decoded(boxes: Any, spread: Any, moves: Any, code: str) -> Any:
    """Anchor boxes moved by what the network says."""
    moves = moves * spread
    if code.rpartition(".")[2] == "corner":
        return boxes + moves
    size = boxes[..., 2:] - boxes[..., :2]
    centre = (boxes[..., :2] + boxes[..., 2:]) / 2 + moves[..., :2] * size
    half = np.exp(moves[..., 2:]) * size / 2
    return np.concatenate([centre - half, centre + half], -1)


def _kept(boxes: Any, scores: Any, floor: float, most: int, iou: float) -> Any:
    """Boxes of one class, best first, none of which covers a better one."""
    order = _best(scores, floor, most)
    return order[uncovered(boxes[order], lambda a, b: parts(a, b) > iou, None, 0.0 if iou >= 0 else None)]


def _best(scores: Any, floor: float, most: int) -> Any:
    order = np.flatnonzero(scores > floor)
    order = order[np.argsort(-scores[order], kind="stable")]
    return order[:most] if most > -1 else order


def _together(boxes: Any, scores: Any, background: int, floor: float, most: int, iou: float) -> list[tuple[int, int]]:
    """The best class of every box, then boxes of all classes best first."""
    masked = scores.copy()
    masked[:, background] = -np.inf
    best = masked.argmax(1)
    value = masked[np.arange(len(best)), best]
    order = _best(value, floor, most)
    at = boxes[:, 0] if boxes.shape[1] == 1 else boxes[np.arange(len(best)), best]
    rows = np.concatenate([at[order], best[order, None].astype(at.dtype)], 1)

    def covers(a: Any, b: Any) -> Any:
        return (parts(a, b) > iou) & (a[:, 4, None] == b[None, :, 4])

    kept = order[uncovered(rows, covers, None, 0.0 if iou >= 0 else None)]
    return list(zip(best[kept].tolist(), kept.tolist(), strict=True))
