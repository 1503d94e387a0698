"""Boxes (x1, y1, x2, y2) or (x, y, width, height): how much they cover each other, and which of them are kept."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.kernels.boxes.suppression import shared, uncovered
from irlint.dryrun.lazy import np


def corners(boxes: Any, form: str) -> Any:
    """Boxes by their corners."""
    if form == "corner":
        return boxes
    middle, half = boxes[..., :2], boxes[..., 2:4] / 2
    return np.concatenate([middle - half, middle + half], -1)


def centres(boxes: Any) -> Any:
    """Boxes by middle and size, out of corners."""
    low, high = boxes[..., :2], boxes[..., 2:4]
    return np.concatenate([(low + high) / 2, high - low], -1)


def overlaps(a: Any, b: Any) -> Any:
    """What every box of a shares with every box of b, as a part of what both cover."""
    inside = shared(a, b)
    whole = _sizes(a)[:, None] + _sizes(b)[None] - inside
    return np.divide(inside, whole, out=np.zeros_like(inside), where=whole > 0)


def _sizes(boxes: Any) -> Any:
    return np.prod(np.maximum(boxes[:, 2:4] - boxes[:, :2], 0), -1)


def suppressed(boxes: Any, classes: Any | None, threshold: float, equal: bool = False) -> Any:
    """Which of boxes, the best first, remain when each one removes those (of its class) that it covers too much of."""

    def covers(a: Any, b: Any) -> Any:
        found = overlaps(a, b)
        found = found >= threshold if equal else found > threshold
        return found if classes is None else found & (a[:, 4, None] == b[None, :, 4])

    rows = boxes if classes is None else np.concatenate([boxes[:, :4], classes[:, None]], 1)
    kept = np.zeros(len(boxes), bool)
    kept[uncovered(rows, covers, None, 0.0 if threshold > 0 or (threshold == 0 and not equal) else None)] = True
    return kept


def nms(
    data: Any,
    *,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: str = "corner",
    out_format: str = "corner",
    **_: Any,
) -> list[Any]:
    """The best rows of every batch, then rows of -1; and where each came from."""
    rows = data.reshape(-1, *data.shape[-2:])
    count = rows.shape[1]
    most = count if topk < 0 else min(topk, count)
    found, origin = np.full_like(rows, -1), np.full((*rows.shape[:2], 1), -1, data.dtype)
    if most < 1:
        return [data, np.arange(rows.shape[0] * count, dtype=data.dtype).reshape(*data.shape[:-1], 1)]
    place = slice(coord_start, coord_start + 4)
    for k, batch in enumerate(rows):
        scores = batch[:, score_index]
        valid = scores > valid_thresh
        if id_index >= 0:
            valid &= batch[:, id_index] != background_id
        order = np.flatnonzero(valid)
        order = order[np.argsort(-scores[order], kind="stable")][:most]
        classes = None if force_suppress or id_index < 0 else batch[order, id_index]
        kept = order[suppressed(corners(batch[order, place], in_format), classes, overlap_thresh)]
        best = batch[kept].copy()
        if in_format != out_format:
            best[:, place] = centres(best[:, place]) if out_format == "center" else corners(best[:, place], in_format)
        found[k, : len(kept)] = best
        origin[k, : len(kept), 0] = kept + k * count
    return [found.reshape(data.shape), origin.reshape(*data.shape[:-1], 1)]


def detections(
    scores: Any,
    offsets: Any,
    anchors: Any,
    *,
    clip: bool = True,
    threshold: float = 0.01,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: Any = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    **_: Any,
) -> Any:
    """Rows (class, score, box), the best first; rows that do not count have class -1."""
    count = scores.shape[2]
    found = np.full((scores.shape[0], count, 6), -1, scores.dtype)
    boxes = centres(anchors.reshape(-1, 4))
    for k in range(scores.shape[0]):
        moved = offsets[k].reshape(-1, 4) * np.asarray(variances, scores.dtype)
        middle = moved[:, :2] * boxes[:, 2:] + boxes[:, :2]
        half = np.exp(moved[:, 2:]) * boxes[:, 2:] / 2
        places = np.concatenate([middle - half, middle + half], 1)
        places = np.clip(places, 0, 1) if clip else places
        best = scores[k, 1:].argmax(0)
        value = scores[k, 1:].max(0)
        rows = np.concatenate([best[:, None], value[:, None], places], 1).astype(scores.dtype)[value >= threshold]
        if len(rows) and 0 < nms_threshold <= 1:
            rows = _sorted(rows, nms_topk, nms_threshold, force_suppress)
        found[k, : len(rows)] = rows
    return found


def _sorted(rows: Any, most: int, threshold: float, force: bool) -> Any:
    """Rows by score; those that a better one covers, and those beyond the limit, get class -1."""
    order = np.argsort(-rows[:, 1], kind="stable")
    count = most if 0 < most < len(rows) else len(rows)
    result = rows.copy()
    result[count:, 0] = -1
    result[:count] = rows[order[:count]]
    kept = suppressed(result[:count, 2:], None if force else result[:count, 0], threshold, equal=True)
    result[:count, 0] = np.where(kept, result[:count, 0], -1)
    return result


def matches(scores: Any, ascending: bool, threshold: float, most: int) -> tuple[Any, Any]:
    """Rows and columns matched one to one, the best pair first: the column of every row and the row of every column."""
    rows, columns = np.full(scores.shape[0], -1.0), np.full(scores.shape[1], -1.0)
    order = np.argsort(scores.ravel() if ascending else -scores.ravel(), kind="stable")
    taken = 0
    for at in order:
        i, j = divmod(int(at), scores.shape[1])
        if rows[i] >= 0 or columns[j] >= 0:
            continue
        value = scores[i, j]
        if (
            value > threshold if ascending else value < threshold
        ) or 0 < most < taken:  # MXNet 1.9.1 makes one match more than `topk` says
            break
        rows[i], columns[j] = j, i
        taken += 1
    return rows, columns


def pooled(data: Any, regions: Any, size: tuple[int, int], scale: float) -> Any:
    """The largest number in every cell of every region (image, x1, y1, x2, y2)."""
    found = np.zeros((len(regions), data.shape[1], *size), data.dtype)
    for k, region in enumerate(regions):
        image = int(region[0])
        if not 0 <= image < data.shape[0]:
            continue
        ends = np.trunc(region[1:5] * scale + np.copysign(0.5, region[1:5] * scale)).astype(int)
        spans = []
        for axis, first, last in ((0, ends[1], ends[3]), (1, ends[0], ends[2])):
            cell = max(last - first + 1, 1) / size[axis]
            low = np.floor(np.arange(size[axis]) * cell).astype(int) + first
            high = np.ceil(np.arange(1, size[axis] + 1) * cell).astype(int) + first
            limit = data.shape[2 + axis]
            spans.append(list(zip(np.clip(low, 0, limit), np.clip(high, 0, limit), strict=True)))
        for i, (top, bottom) in enumerate(spans[0]):
            for j, (left, right) in enumerate(spans[1]):
                if bottom > top and right > left:
                    found[k, :, i, j] = data[image, :, top:bottom, left:right].max((1, 2))
    return found
