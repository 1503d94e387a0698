"""Boxes of all classes chosen together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.dryrun.kernels.boxes.suppression import uncovered
from irlint.dryrun.lazy import np

Row = tuple[int, int, float, int]  # image, class, score, box


def _shared(boxes: Any, others: Any, normalized: bool) -> Any:
    """How much of both together every box and every other share."""
    extra = 0.0 if normalized else 1.0
    sides = []
    for axis in (0, 1):
        side = np.minimum(boxes[:, None, axis + 2], others[None, :, axis + 2])
        side -= np.maximum(boxes[:, None, axis], others[None, :, axis])
        sides.append(side)
    apart = (sides[0] < 0) | (sides[1] < 0)
    inside = (sides[0] + extra) * (sides[1] + extra)
    inside[apart] = 0
    sizes = [np.prod(np.maximum(each[:, 2:] - each[:, :2] + extra, 0), -1) for each in (boxes, others)]
    whole = sizes[0][:, None] + sizes[1][None] - inside
    return np.divide(inside, whole, out=np.zeros_like(inside), where=whole > 0)


def _best(scores: Any, wanted: Any, top_k: int) -> Any:
    """Which of the wanted boxes have the best scores, in that order."""
    order = np.flatnonzero(wanted)
    order = order[np.argsort(-scores[order], kind="stable")]
    return order[:top_k] if top_k > -1 else order


def _listed(
    rows_of: list[list[Row]],
    box_of: Callable[[Row], tuple[Any, int]],
    keep_top_k: int,
    sort_result_type: str,
    sort_result_across_batch: bool,
    output_type: str,
    by_class: bool = True,
) -> list[Any]:
    """What was chosen of every image, cut and sorted; without `by_class` classes are gathered across images only. `box_of`
    gives the box of a row, and where it stood."""
    chosen: list[Row] = []
    counts = []
    for rows in rows_of:
        best = sorted(rows, key=lambda row: (-row[2], row[1], row[3]))
        best = best[:keep_top_k] if keep_top_k > -1 else best
        if sort_result_type == "classid" and by_class:
            best.sort(key=lambda row: (row[1], -row[2], row[3]))
        counts.append(len(best))
        chosen += best
    if sort_result_across_batch:
        if sort_result_type == "score":
            chosen.sort(key=lambda row: (-row[2], row[0], row[1], row[3]))
        elif sort_result_type == "classid":
            chosen.sort(key=lambda row: (row[1], row[0], -row[2], row[3]))
    found = [box_of(row) for row in chosen]
    table = np.array([[row[1], row[2], *box] for row, (box, _) in zip(chosen, found, strict=True)], np.float32)
    places = np.array([place for _, place in found], output_type)
    return [table.reshape(-1, 6), places.reshape(-1, 1), np.array(counts, output_type)]


def _narrowing(boxes: Any, limit: float, eta: float, normalized: bool) -> list[int]:
    """Return which boxes, the best first, remain where each one that does lowers the limit, down to a half."""
    kept: list[int] = []
    for place in range(len(boxes)):
        if (_shared(boxes[place, None], boxes[kept], normalized) < limit).all():
            kept.append(place)
            if limit > 0.5:
                limit *= eta
    return kept


def multiclass_nms(
    boxes: Any,
    scores: Any,
    counts: Any = None,
    *,
    score_threshold: float = 0.0,
    iou_threshold: float = 0.0,
    nms_top_k: int = -1,
    background_class: int = -1,
    normalized: bool = True,
    nms_eta: float = 1.0,
    keep_top_k: int = -1,
    sort_result_type: str = "none",
    sort_result_across_batch: bool = False,
    output_type: str = "int64",
    **_: Any,
) -> list[Any]:
    """Boxes (images, boxes, 4) that all classes share; with `counts` of every image (classes, all images' boxes, 4)."""

    def covers(a: Any, b: Any) -> Any:
        return ~(_shared(a, b, normalized) < iou_threshold)

    ends = np.cumsum(counts) if counts is not None else ()
    rows_of: list[list[Row]] = []
    for image in range(len(boxes) if counts is None else len(counts)):
        rows: list[Row] = []
        mine = scores[image] if counts is None else scores[:, ends[image] - counts[image] : ends[image]]
        for kind in range(len(mine)):
            if kind == background_class:
                continue
            own = boxes[image] if counts is None else boxes[kind, ends[image] - counts[image] : ends[image]]
            order = _best(mine[kind], mine[kind] >= score_threshold, nms_top_k)
            if nms_eta < 1 and iou_threshold > 0.5:
                kept = _narrowing(own[order], iou_threshold, nms_eta, normalized)
            else:
                kept = uncovered(own[order], covers, None, 1.0 if iou_threshold > 0 else None)
            rows += [(image, kind, float(mine[kind, box]), int(box)) for box in order[kept]]
        rows_of.append(rows)

    def box_of(row: Row) -> tuple[Any, int]:
        image, kind, _, box = row
        if counts is None:
            return boxes[image, box], image * boxes.shape[1] + box
        place = int(ends[image] - counts[image]) + box
        return boxes[kind, place], place * len(boxes) + kind

    return _listed(rows_of, box_of, keep_top_k, sort_result_type, sort_result_across_batch, output_type)


def matrix_nms(
    boxes: Any,
    scores: Any,
    *,
    score_threshold: float = 0.0,
    nms_top_k: int = -1,
    keep_top_k: int = -1,
    background_class: int = -1,
    decay_function: str = "linear",
    gaussian_sigma: float = 2.0,
    post_threshold: float = 0.0,
    normalized: bool = True,
    sort_result_type: str = "none",
    sort_result_across_batch: bool = False,
    output_type: str = "int64",
    **_: Any,
) -> list[Any]:
    """Scores lowered by how much better boxes of the class cover a box."""
    rows_of: list[list[Row]] = []
    for image in range(boxes.shape[0]):
        rows: list[Row] = []
        for kind in range(scores.shape[1]):
            if kind == background_class:
                continue
            mine = scores[image, kind]
            order = _best(mine, mine > score_threshold, nms_top_k)
            if not order.size:
                continue
            near = np.tril(_shared(boxes[image, order], boxes[image, order], normalized), -1)
            covered = near.max(1)  # of every box by better ones
            if decay_function == "gaussian":
                decay = np.exp((covered[None] ** 2 - near**2) * gaussian_sigma)
            else:
                decay = (1 - near) / (1 - covered[None])
            better = np.tril(np.ones_like(near, bool), -1)
            lowered = mine[order] * np.where(better, decay, 1).min(1)
            rows += [(image, kind, float(s), int(k)) for s, k in zip(lowered, order, strict=True) if s > post_threshold]
        rows_of.append(rows)

    def box_of(row: Row) -> tuple[Any, int]:
        return boxes[row[0], row[3]], row[0] * boxes.shape[1] + row[3]

    return _listed(rows_of, box_of, keep_top_k, sort_result_type, sort_result_across_batch, output_type, False)
