"""Choosing boxes, and making anchor boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from irlint.dryrun.kernels.boxes.rotated import overlaps_turned
from irlint.dryrun.kernels.boxes.suppression import parts, uncovered
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
    equal: bool = True,
    **_: Any,
) -> list[Any]:
    """`equal`: a box is covered, too, if what it shares is the threshold, as in OpenVINO 2026.4.1."""
    turned = boxes.shape[-1] == 5
    limit, threshold, floor, soft = int(_number(most, 0)), _number(iou, 0.0), _number(least, 0.0), _number(sigma, 0.0)

    def covers(a: Any, b: Any) -> Any:
        return parts(a, b) >= threshold if equal else parts(a, b) > threshold

    found = []
    placed = boxes.astype(np.float64) if turned else corners(boxes, box_encoding)
    for image in range(boxes.shape[0]):
        for kind in range(scores.shape[1]):
            mine = scores[image, kind].astype(np.float64)
            order = np.flatnonzero(mine > floor)
            if soft > 0 or turned:
                cover = partial(overlaps_turned, clockwise=clockwise) if turned else _part
                chosen, values = _chosen(placed[image, order], mine[order], limit, threshold, floor, soft, cover)
            else:
                far = 0.0 if threshold > 0 or (threshold == 0 and not equal) else None
                for order in _best_first(np.flatnonzero(mine > floor), mine, limit):
                    chosen = uncovered(placed[image, order], covers, limit, far)
                    if len(chosen) >= limit:
                        break
                values = mine[order[chosen]]
            rows = np.empty((len(chosen), 4))
            rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] = values, image, kind, order[chosen]
            found.append(rows)
    table = np.concatenate(found) if found else np.empty((0, 4))
    if sort_result_descending:
        table = table[np.lexsort((table[:, 3], table[:, 2], table[:, 1], -table[:, 0]))]
    return [
        table[:, 1:].astype(output_type),
        table[:, [1, 2, 0]].astype(np.float32),
        np.array([len(table)], output_type),
    ]


def _best_first(places: Any, scores: Any, limit: int) -> Iterator[Any]:
    """Yield the places of the best scores, the best first, of more than are wanted, and then all."""
    some = 4 * limit
    if 0 < some < len(places):
        own = scores[places]
        best = places[own >= np.partition(own, len(own) - some)[len(own) - some]]
        yield best[np.argsort(-scores[best], kind="stable")]
    yield places[np.argsort(-scores[places], kind="stable")]


def _part(box: Any, others: Any) -> Any:
    return parts(box[None], others)[0]


def _chosen(
    boxes: Any, scores: Any, limit: int, iou: float, floor: float, sigma: float, cover: Callable[[Any, Any], Any]
) -> tuple[list[int], list[float]]:
    """Return which boxes of one class are kept, best first, and their scores, lowered by the boxes kept before."""
    kept: list[int] = []
    values: list[float] = []
    left, scores = np.arange(len(boxes)), scores.copy()
    while left.size and len(kept) < limit:
        at = int(np.argmax(scores[left]))
        best = int(left[at])
        kept.append(best)
        values.append(float(scores[best]))
        left = np.delete(left, at)
        if not left.size:
            break
        shared = cover(boxes[best], boxes[left])
        if sigma > 0:
            scores[left] = scores[left] * np.where(shared <= iou, np.exp(-0.5 * shared * shared / sigma), 0)
            left = left[scores[left] > floor]
        else:
            left = left[shared <= iou]
    return kept, values
