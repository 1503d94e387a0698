"""The steps of Detectron's region networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.kernels.boxes.regions import roi_align
from irlint.dryrun.lazy import np


def prior_grid(
    priors: Any,
    features: Any,
    image: Any,
    *,
    flatten: bool = True,
    h: int = 0,
    w: int = 0,
    stride_x: float = 0.0,
    stride_y: float = 0.0,
    **_: Any,
) -> Any:
    """The boxes around the middle of every cell."""
    rows, columns = h or features.shape[2], w or features.shape[3]
    x = (np.arange(columns) + 0.5) * (stride_x or image.shape[3] / columns)
    y = (np.arange(rows) + 0.5) * (stride_y or image.shape[2] / rows)
    y, x = np.meshgrid(y, x, indexing="ij")
    grid = (np.stack([x, y, x, y], -1)[:, :, None] + priors).astype(priors.dtype)
    return grid.reshape(-1, 4) if flatten else grid


def roi_features(
    rois: Any,
    *pyramid: Any,
    output_size: int,
    sampling_ratio: int = 0,
    pyramid_scales: Sequence[int] = (),
    aligned: bool = False,
    **_: Any,
) -> list[Any]:
    """Every region from the level that fits its size: the third for 224 pixels, one more or less for twice or half that."""
    found = np.zeros((rois.shape[0], pyramid[0].shape[1], output_size, output_size), pyramid[0].dtype)
    area = (rois[:, 2] - rois[:, 0]) * (rois[:, 3] - rois[:, 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        level = np.floor(np.log2(np.sqrt(np.maximum(area, 0)) / 224 + 1e-6) + 2)
    level = np.clip(level, 0, len(pyramid) - 1).astype(np.int64)
    for k, (features, scale) in enumerate(zip(pyramid, pyramid_scales, strict=False)):
        mine = np.flatnonzero((level == k) & (area > 0))
        if mine.size:
            found[mine] = roi_align(
                features,
                rois[mine],
                np.zeros(mine.size, np.int64),
                pooled_h=output_size,
                pooled_w=output_size,
                spatial_scale=1 / scale,
                sampling_ratio=sampling_ratio,
                aligned_mode="half_pixel" if aligned else "asymmetric",
                whole=True,
            )
    return [found, rois]


def top_rois(rois: Any, scores: Any, *, max_rois: int, **_: Any) -> Any:
    best = np.argsort(-scores, kind="stable")[:max_rois]
    found = np.zeros((max_rois, 4), rois.dtype)
    found[: best.size] = rois[best]
    return found
