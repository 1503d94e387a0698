"""Choosing boxes, and making anchor boxes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.dryrun.kernels.rotated import overlaps_turned
from irlint.dryrun.lazy import np


def _number(operand: Any, default: float) -> float:
    return default if operand is None else float(np.asarray(operand).reshape(-1)[0])


def corners(boxes: Any, encoding: str) -> Any:
    """Boxes as two opposite corners, the lower one first."""
    if encoding == "center":
        centre, half = boxes[..., :2], boxes[..., 2:] / 2
        return np.concatenate([centre - half, centre + half], -1)
    low, high = np.minimum(boxes[..., :2], boxes[..., 2:]), np.maximum(boxes[..., :2], boxes[..., 2:])
    return np.concatenate([low, high], -1)


def overlaps(box: Any, others: Any) -> Any:
    """How much of both together one box and each of others share."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    shared = np.clip(high - low, 0, None).prod(-1)
    area = (box[2:] - box[:2]).prod() + (others[:, 2:] - others[:, :2]).prod(-1) - shared
    return np.where(area > 0, shared / np.where(area > 0, area, 1), 0)


def non_max_suppression(
    boxes: Any,
    scores: Any,
    most: Any = None,
    iou: Any = None,
    least: Any = None,
    sigma: Any = None,
    *,
    box_encoding: str = "corner",
    sort_result_descending: bool = True,
    output_type: str = "int64",
    clockwise: bool = True,
    **_: Any,
) -> list[Any]:
    turned = boxes.shape[-1] == 5
    limit, threshold, floor, soft = int(_number(most, 0)), _number(iou, 0.0), _number(least, 0.0), _number(sigma, 0.0)
    found: list[tuple[float, int, int, int]] = []
    placed = boxes.astype(np.float64) if turned else corners(boxes, box_encoding)

    def cover(box: Any, others: Any) -> Any:
        return overlaps_turned(box, others, clockwise) if turned else overlaps(box, others)

    for image in range(boxes.shape[0]):
        for kind in range(scores.shape[1]):
            chosen = _chosen(
                placed[image], scores[image, kind].astype(np.float64), limit, threshold, floor, soft, cover
            )
            found += [(score, image, kind, box) for score, box in chosen]
    if sort_result_descending:
        found.sort(key=lambda row: (-row[0], row[1], row[2], row[3]))
    rows = np.array([row[1:] for row in found], output_type).reshape(-1, 3)
    values = np.array([[row[1], row[2], row[0]] for row in found], np.float32).reshape(-1, 3)
    return [rows, values, np.array([len(found)], output_type)]


def _chosen(
    boxes: Any, scores: Any, limit: int, iou: float, floor: float, sigma: float, cover: Callable[[Any, Any], Any]
) -> list[tuple[float, int]]:
    """The boxes of one class that are kept, best first."""
    kept: list[tuple[float, int]] = []
    left = np.flatnonzero(scores > floor)
    scores = scores.copy()
    while left.size and len(kept) < limit:
        best = left[np.lexsort((left, -scores[left]))[0]]
        kept.append((float(scores[best]), int(best)))
        left = left[left != best]
        if not left.size:
            break
        shared = cover(boxes[best], boxes[left])
        if sigma > 0:
            scores[left] = scores[left] * np.where(shared <= iou, np.exp(-0.5 * shared * shared / sigma), 0)
            left = left[scores[left] > floor]
        else:
            left = left[shared <= iou]
    return kept
