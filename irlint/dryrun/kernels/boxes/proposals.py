"""Boxes out of anchors and what networks say they are to be moved by, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any

from irlint.dryrun.kernels.boxes import suppression
from irlint.dryrun.lazy import np

_WIDEST = log(1000 / 16)  # to what power of e a side may grow


def moved(boxes: Any, moves: Any, extra: float, widest: float) -> Any:
    """Boxes (x1, y1, x2, y2) moved by parts of their size, and made larger by powers of e; a side is `extra` longer than
    the difference of its ends."""
    size = boxes[..., 2:] - boxes[..., :2] + extra
    centre = boxes[..., :2] + size / 2 + moves[..., :2] * size
    half = np.exp(np.minimum(moves[..., 2:], widest)) * size / 2
    return np.concatenate([centre - half, centre + half - extra], -1)


def inside(boxes: Any, height: float, width: float, extra: float) -> Any:
    ends = np.array([width, height, width, height], boxes.dtype) - boxes.dtype.type(extra)
    return np.maximum(np.minimum(boxes, ends), 0)


def uncovered(boxes: Any, limit: float, most: int, extra: float) -> Any:
    """Boxes, best first, none of which covers a better one by more than the limit."""

    def covers(a: Any, b: Any) -> Any:
        inside = suppression.shared(a, b, extra)
        whole = suppression.sizes(a, extra)[:, None] + suppression.sizes(b, extra)[None] - inside
        return inside > limit * whole

    return suppression.uncovered(boxes, covers, most, extra if limit >= 0 else None)


def _of_one(
    image: Any,
    anchors: Any,
    moves: Any,
    scores: Any,
    least: Any,
    limit: float,
    before: int,
    after: int,
    extra: float,
    covering: float,
    early: bool = False,
) -> tuple[Any, Any]:
    """Boxes and scores of one image; anchors (height, width, per cell, 4), moves (per cell * 4, height, width). No side is
    shorter than `least`."""
    high, wide, each = anchors.shape[:3]
    steps = moves.reshape(each, 4, high, wide).transpose(2, 3, 0, 1)
    boxes = inside(moved(anchors, steps, extra, _WIDEST), image[0], image[1], extra).reshape(-1, 4)
    large = (boxes[:, 2:] - boxes[:, :2] + extra >= least).all(-1)
    values = scores.transpose(1, 2, 0).reshape(-1)
    if early:
        values = values * large
    best = np.argsort(-values, kind="stable")[:before]
    best = best[large[best] | early]
    kept = best[uncovered(boxes[best], limit, after, covering)]
    return boxes[kept], values[kept]


def generate_proposals_single(
    image: Any,
    anchors: Any,
    moves: Any,
    scores: Any,
    *,
    min_size: float,
    nms_threshold: float,
    pre_nms_count: int,
    post_nms_count: int,
    **_: Any,
) -> list[Any]:
    cells = anchors.reshape(*scores.shape[1:], scores.shape[0], 4)
    found = _of_one(image, cells, moves, scores, min_size, nms_threshold, pre_nms_count, post_nms_count, 1.0, 0.0, True)
    boxes, values = np.zeros((post_nms_count, 4), scores.dtype), np.zeros(post_nms_count, scores.dtype)
    boxes[: len(found[0])], values[: len(found[0])] = found
    return [boxes, values]


def generate_proposals(
    image: Any,
    anchors: Any,
    moves: Any,
    scores: Any,
    *,
    min_size: float,
    nms_threshold: float,
    pre_nms_count: int,
    post_nms_count: int,
    normalized: bool = True,
    roi_num_type: str = "int64",
    **_: Any,
) -> list[Any]:
    extra = 0.0 if normalized else 1.0
    found = []
    for size, move, score in zip(image, moves, scores, strict=True):
        least = min_size * np.array([size[-1], size[2]])
        found.append(
            _of_one(size, anchors, move, score, least, nms_threshold, pre_nms_count, post_nms_count, extra, extra)
        )
    counts = np.array([len(boxes) for boxes, _ in found], roi_num_type)
    return [np.concatenate([each[k] for each in found]) for k in (0, 1)] + [counts]


def detection_output(
    rois: Any,
    moves: Any,
    scores: Any,
    image: Any,
    *,
    score_threshold: float,
    nms_threshold: float,
    max_delta_log_wh: float,
    num_classes: int,
    post_nms_count: int,
    max_detections_per_image: int,
    deltas_weights: Sequence[float] = (),
    **_: Any,
) -> list[Any]:
    """The best boxes of every class but the first, then the best of all. Boxes have moves of their own for every class,
    though the file may say otherwise: the CPU plug-in does not heed it."""
    weights = np.array(deltas_weights or (1.0,) * 4, rois.dtype)
    steps = moves.reshape(len(rois), -1, 4) / weights
    sound = (rois[:, 2:] > rois[:, :2]).all(-1)
    rows: list[tuple[float, int, Any]] = []
    for kind in range(1, num_classes):
        boxes = np.maximum(moved(rois, steps[:, kind], 1.0, max_delta_log_wh), 0)
        boxes, values = np.where(sound[:, None], boxes, 0), np.where(sound, scores[:, kind], 0)
        best = np.flatnonzero(values > score_threshold)
        best = best[np.argsort(-values[best], kind="stable")]
        kept = best[uncovered(boxes[best], nms_threshold, post_nms_count, 1.0)]
        rows += [(float(values[k]), kind, boxes[k]) for k in kept]
    rows = sorted(rows, key=lambda row: -row[0])[:max_detections_per_image]
    found = np.zeros((max_detections_per_image, 4), rois.dtype)
    kinds, values = np.zeros(len(found), np.int32), np.zeros(len(found), rois.dtype)
    for k, (value, kind, box) in enumerate(rows):
        found[k], kinds[k], values[k] = box, kind, value
    return [found, kinds, values]


def proposal(
    probs: Any,
    moves: Any,
    image: Any,
    *,
    base_size: int,
    pre_nms_topn: int,
    post_nms_topn: int,
    nms_thresh: float,
    feat_stride: int,
    min_size: int,
    ratio: Sequence[float],
    scale: Sequence[float],
    clip_before_nms: bool = True,
    clip_after_nms: bool = False,
    normalize: bool = False,
    box_size_scale: float = 1.0,
    box_coordinate_scale: float = 1.0,
    framework: str = "",
    **_: Any,
) -> list[Any]:
    """The best boxes of every image: rows (image, box), a row that begins with -1 after the last; and their scores."""
    swapped = framework == "tensorflow"
    extra = 0.0 if swapped else 1.0
    anchors = _anchors(base_size, ratio, scale, swapped)
    batch, (high, wide) = len(probs), probs.shape[2:]
    height, width = (image[1], image[0]) if swapped else (image[0], image[1])
    y, x = np.meshgrid(np.arange(high) * feat_stride, np.arange(wide) * feat_stride, indexing="ij")
    corner = np.stack([y, x, y, x] if swapped else [x, y, x, y], -1)
    boxes = (corner[:, :, None] + anchors).astype(np.float32)
    if swapped:
        boxes = inside(boxes, height, width, 0.0)
    least = min_size * np.array([image[-1], image[2]])
    rows, values = np.zeros((batch * post_nms_topn, 5), np.float32), np.zeros(batch * post_nms_topn, np.float32)
    units = np.array([box_coordinate_scale] * 2 + [box_size_scale] * 2, np.float32)
    count = 0
    for k in range(batch):
        steps = moves[k].reshape(len(anchors), 4, high, wide).transpose(2, 3, 0, 1) / units
        placed = moved(boxes, steps, extra, np.inf) + np.array([0, 0, extra, extra], np.float32)
        if clip_before_nms:
            placed = inside(placed, height, width, extra)
        large = (placed[..., 2:] - placed[..., :2] + extra >= least).all(-1)
        scores = (probs[k, len(anchors) :].transpose(1, 2, 0) * large).reshape(-1)
        best = np.argsort(-scores, kind="stable")[:pre_nms_topn]
        placed = placed.reshape(-1, 4)
        kept = best[uncovered(placed[best], nms_thresh, post_nms_topn, extra)]
        found = inside(placed[kept], height, width, 0.0) if clip_after_nms else placed[kept]
        if normalize:
            found = found / np.array([width, height, width, height], np.float32)
        rows[count : count + len(kept)] = np.concatenate([np.full((len(kept), 1), k), found], 1)
        values[count : count + len(kept)] = scores[kept]
        count += len(kept)
    if count < len(rows):
        rows[count, 0] = -1
    return [rows.astype(probs.dtype), values.astype(probs.dtype)]


def _anchors(base: int, ratios: Sequence[float], scales: Sequence[float], swapped: bool) -> Any:
    """Boxes of all ratios and scales round one place: round the origin, or the middle of a square whose sides are whole."""
    found = []
    extra, middle = (0.0, 0.0) if swapped else (1.0, 0.5 * (base - 1))
    for ratio in ratios:
        width = (base * base / ratio) ** 0.5
        width = width if swapped else np.floor(width + 0.5)
        height = width * ratio if swapped else np.floor(width * ratio + 0.5)
        for scale in scales:
            x, y = 0.5 * (width * scale - extra), 0.5 * (height * scale - extra)
            found.append((middle - x, middle - y, middle + x, middle + y))
    return np.array(found, np.float32)
