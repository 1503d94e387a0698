"""Boxes (centre, size, angle): how much of each other they cover, and regions cut out along their sides."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np


def overlaps_turned(box: Any, others: Any, clockwise: bool) -> Any:
    """How much of both together one box and each of others share."""
    shared = _shared(_corners(box[None], clockwise), _corners(others, clockwise))
    area = box[2] * box[3] + others[:, 2] * others[:, 3] - shared
    return np.where(area > 0, shared / np.where(area > 0, area, 1), 0)


def _corners(boxes: Any, clockwise: bool) -> Any:
    """(boxes, corners, 2), round each box in one direction."""
    angle = boxes[:, 4] if clockwise else -boxes[:, 4]
    along = np.stack([np.cos(angle), np.sin(angle)], -1) * boxes[:, 2:3] / 2
    across = np.stack([-np.sin(angle), np.cos(angle)], -1) * boxes[:, 3:4] / 2
    return np.stack([boxes[:, :2] + i * along + j * across for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))], 1)


def _cross(a: Any, b: Any) -> Any:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _shared(box: Any, others: Any) -> Any:
    """The area that a rectangle has in common with others: of the polygon of corners inside the other and of crossings."""
    box = np.broadcast_to(box, others.shape)
    points, real = [], []
    for one, other in ((box, others), (others, box)):
        side = np.roll(other, -1, 1) - other
        points.append(one)
        real.append((_cross(side[:, None], one[:, :, None] - other[:, None]) >= 0).all(-1))
    first, second = np.roll(box, -1, 1) - box, np.roll(others, -1, 1) - others
    slope = _cross(first[:, :, None], second[:, None])
    apart = others[:, None] - box[:, :, None]
    crossing = slope != 0
    safe = np.where(crossing, slope, 1)
    t, u = _cross(apart, second[:, None]) / safe, _cross(apart, first[:, :, None]) / safe
    crossing &= (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1)
    met = box[:, :, None] + t[..., None] * first[:, :, None]
    places = np.concatenate([*points, met.reshape(len(others), -1, 2)], 1)
    counted = np.concatenate([*real, crossing.reshape(len(others), -1)], 1)
    middle = (places * counted[..., None]).sum(1) / np.maximum(counted.sum(1), 1)[:, None]
    apart = places - middle[:, None]
    order = np.argsort(np.where(counted, np.arctan2(apart[..., 1], apart[..., 0]), np.inf), 1)
    ring = np.take_along_axis(apart, order[..., None], 1)
    ring = np.where(np.take_along_axis(counted, order, 1)[..., None], ring, ring[:, :1])
    return np.where(counted.any(1), np.abs(_cross(ring, np.roll(ring, -1, 1)).sum(1)) / 2, 0)


def roi_align_rotated(
    data: Any,
    rois: Any,
    batch: Any,
    *,
    pooled_h: int,
    pooled_w: int,
    spatial_scale: float,
    sampling_ratio: int = 0,
    clockwise_mode: bool = False,
    **_: Any,
) -> Any:
    """Means of a few places in every cell of every region (centre, size, angle)."""
    found = np.zeros((rois.shape[0], data.shape[1], pooled_h, pooled_w), np.float64)
    for k, (box, image) in enumerate(zip(rois.astype(np.float64), batch, strict=True)):
        (x, y), (width, height) = box[:2] * spatial_scale - 0.5, box[2:4] * spatial_scale
        angle = -box[4] if clockwise_mode else box[4]
        across, along = height / pooled_h, width / pooled_w
        rows = sampling_ratio or int(np.ceil(across))
        columns = sampling_ratio or int(np.ceil(along))
        if min(rows, columns) < 1:  # no samples: OpenVINO 2026.4.1 outputs zeros
            continue
        down = (np.arange(pooled_h * rows) + 0.5) * (across / rows) - height / 2
        right = (np.arange(pooled_w * columns) + 0.5) * (along / columns) - width / 2
        down, right = down[:, None], right[None]
        places = (
            down * np.cos(angle) - right * np.sin(angle) + y,
            down * np.sin(angle) + right * np.cos(angle) + x,
        )
        samples = _sampled(data[int(image)].astype(np.float64), *places)
        found[k] = samples.reshape(-1, pooled_h, rows, pooled_w, columns).mean((2, 4))
    return found.astype(data.dtype)


def _sampled(image: Any, y: Any, x: Any) -> Any:
    """An image between pixels, at places of any arrangement; those outside count nothing."""
    height, width = image.shape[1:]
    inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
    y, x = np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)
    top, left = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    low, right = np.minimum(top + 1, height - 1), np.minimum(left + 1, width - 1)
    dy, dx = y - top, x - left
    upper = image[:, top, left] * (1 - dx) + image[:, top, right] * dx
    lower = image[:, low, left] * (1 - dx) + image[:, low, right] * dx
    return (upper * (1 - dy) + lower * dy) * inside
