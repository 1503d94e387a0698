"""Regions cut out of feature maps, and proposed."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np


def deformable_ps_roi_pooling(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def generate_proposals(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def proposal(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def ps_roi_pooling(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def roi_align(
    data: Any,
    rois: Any,
    batch: Any,
    *,
    pooled_h: int,
    pooled_w: int,
    spatial_scale: float,
    sampling_ratio: int = 0,
    mode: str = "avg",
    aligned_mode: str = "asymmetric",
    **_: Any,
) -> Any:
    """Cells of every region (x1, y1, x2, y2), each sampled at a few places between pixels."""
    shift = 0.5 if aligned_mode.startswith("half_pixel") else 0.0
    found = np.zeros((rois.shape[0], data.shape[1], pooled_h, pooled_w), np.float64)
    for k, (box, image) in enumerate(zip(rois.astype(np.float64) * spatial_scale - shift, batch, strict=True)):
        width, height = box[2] - box[0], box[3] - box[1]
        if not shift:
            width, height = max(width, 1.0), max(height, 1.0)
        cell_h, cell_w = height / pooled_h, width / pooled_w
        count_y = sampling_ratio or max(int(np.ceil(cell_h)), 1)
        count_x = sampling_ratio or max(int(np.ceil(cell_w)), 1)
        y = box[1] + (np.arange(pooled_h * count_y) + 0.5) * (cell_h / count_y)
        x = box[0] + (np.arange(pooled_w * count_x) + 0.5) * (cell_w / count_x)
        samples, weights = _sampled(data[int(image)].astype(np.float64), y, x)
        shape = (data.shape[1], pooled_h, count_y, pooled_w, count_x)
        if mode == "max":
            found[k] = (samples * weights).max(0).reshape(shape).max((2, 4))
        else:
            found[k] = (samples * weights).sum(0).reshape(shape).mean((2, 4))
    return found.astype(data.dtype)


def _sampled(image: Any, y: Any, x: Any) -> tuple[Any, Any]:
    """The four neighbours of every place (rows y, columns x), and their weights; places outside count nothing."""
    height, width = image.shape[1:]
    inside = ((y >= -1) & (y <= height))[:, None] & ((x >= -1) & (x <= width))[None, :]
    y, x = np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)
    top, left = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    low, right = np.minimum(top + 1, height - 1), np.minimum(left + 1, width - 1)
    dy, dx = y - top, x - left
    parts = [image[:, a][:, :, b] for a in (top, low) for b in (left, right)]
    weights = [a[:, None] * b[None, :] * inside for a in (1 - dy, dy) for b in (1 - dx, dx)]
    return np.stack(parts), np.stack(weights)[:, None]


def roi_align_rotated(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel


def roi_pooling(*arrays: Any, **attrs: Any) -> Any:
    raise NoKernel
