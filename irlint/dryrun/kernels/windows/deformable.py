"""Convolution at moved places."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.kernels.windows.convolution import biased
from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import Windows


def convolve_deformed(
    data: Any,
    offsets: Any,
    filters: Any,
    mask: Any = None,
    bias: Any = None,
    *,
    group: int = 1,
    deformable_group: int = 1,
    bilinear_interpolation_pad: bool = False,
    **attrs: Any,
) -> Any:
    """Every tap of every window sampled where its offset (rows, columns) moves it, and weighted by the mask; plus a bias."""
    windows, kernel, space = Windows(filters.shape[2:], **attrs), filters.shape[2:], data.shape[2:]
    strides, dilations, begin = windows.strides, windows.dilations, windows.pads(space)[0]
    batch, channels, counts = data.shape[0], data.shape[1], offsets.shape[2:]
    taps = kernel[0] * kernel[1]
    moved = offsets.reshape(offsets.shape[0], deformable_group, taps, 2, *counts).astype(np.float64)
    rows, columns = (index.reshape(-1, 1, 1) for index in np.indices(kernel))
    y = np.arange(counts[0])[:, None] * strides[0] - begin[0] + rows * dilations[0] + moved[:, :, :, 0]
    x = np.arange(counts[1])[None, :] * strides[1] - begin[1] + columns * dilations[1] + moved[:, :, :, 1]
    weight = 1.0 if mask is None else mask.reshape(mask.shape[0], deformable_group, 1, taps, *counts)
    samples = _at(data.reshape(batch, deformable_group, -1, *space), y, x, bilinear_interpolation_pad) * weight
    samples = samples.reshape(batch, group, channels // group * taps, -1)
    weights = filters.reshape(group, filters.shape[0] // group, -1).astype(np.float64)
    return biased(np.matmul(weights, samples).reshape(batch, filters.shape[0], *counts), bias, data.dtype)


def _at(data: Any, y: Any, x: Any, padded: bool) -> Any:
    """Data (batch, group, channels, height, width) at places (batch, group, taps, rows, columns)."""
    height, width = data.shape[3:]
    # onnxruntime 1.32 counts NaN and infinity as outside, too; at NaN OpenVINO 2026.4.1 crashes
    y, x = (np.where(np.isfinite(place), place, -2.0) for place in (y, x))
    top, left = np.floor(y), np.floor(x)
    edge = -1 if padded else 0
    inside = (y > edge) & (x > edge) if padded else (y >= edge) & (x >= edge)
    inside = inside & (y < height) & (x < width)
    batch = np.arange(data.shape[0]).reshape(-1, 1, 1, 1, 1)
    group = np.arange(data.shape[1]).reshape(1, -1, 1, 1, 1)
    total: Any = 0
    for down in (0, 1):
        for across in (0, 1):
            row, column = top + down, left + across
            share = (1 - np.abs(y - row)) * (1 - np.abs(x - column))
            if padded:
                share = share * ((row >= 0) & (row < height) & (column >= 0) & (column < width))
            r = np.clip(row, 0, height - 1).astype(np.int64)
            c = np.clip(column, 0, width - 1).astype(np.int64)
            found = np.moveaxis(data[batch, group, :, r, c], -1, 2)
            total = total + found * (share * inside)[:, :, None]
    return total


def deformable_ps_roi_pooling(
    data: Any,
    rois: Any,
    offsets: Any = None,
    *,
    output_dim: int,
    spatial_scale: float,
    group_size: int = 1,
    spatial_bins_x: int = 1,
    spatial_bins_y: int = 1,
    trans_std: float = 1.0,
    part_size: int = 1,
    **_: Any,
) -> Any:
    """Means of a few places in every cell, from channels of its own; cells are moved by parts of the region's size."""
    size, (height, width) = group_size, data.shape[2:]
    cells = np.arange(size)
    kinds = np.arange(output_dim) // (output_dim // (offsets.shape[1] // 2) if offsets is not None else 1)
    part = cells * part_size // size
    channels = (np.arange(output_dim)[:, None] * size + cells)[..., None] * size + cells
    found = np.zeros((len(rois), output_dim, size, size), np.float64)
    for k, roi in enumerate(rois.astype(np.float64)):
        ends = np.copysign(np.floor(np.abs(roi[1:]) + 0.5), roi[1:]) + np.array([0, 0, 1, 1])
        left, top, right, low = ends * spatial_scale - 0.5
        wide, tall = max(right - left, 0.1), max(low - top, 0.1)
        moves = np.zeros((2, output_dim, size, size))
        if offsets is not None:
            for axis in (0, 1):
                moves[axis] = offsets[k, 2 * kinds + axis][:, part][:, :, part] * trans_std
        x = cells * wide / size + left + moves[0] * wide
        y = cells[:, None] * tall / size + top + moves[1] * tall
        x = x[..., None, None] + np.arange(spatial_bins_x) * (wide / size / spatial_bins_x)
        y = y[..., None, None] + np.arange(spatial_bins_y)[:, None] * (tall / size / spatial_bins_y)
        x, y = np.broadcast_arrays(x, y)
        inside = (x >= -0.5) & (x <= width - 0.5) & (y >= -0.5) & (y <= height - 0.5)
        x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
        first, above = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
        second, below = np.ceil(x).astype(np.int64), np.ceil(y).astype(np.int64)
        across, down = x - first, y - above
        image, at = data[int(roi[0])].astype(np.float64), channels[..., None, None]
        upper = image[at, above, first] * (1 - across) + image[at, above, second] * across
        lower = image[at, below, first] * (1 - across) + image[at, below, second] * across
        sums = ((upper * (1 - down) + lower * down) * inside).sum((-2, -1))
        found[k] = sums / np.maximum(inside.sum((-2, -1)), 1)
    return found.astype(data.dtype)
