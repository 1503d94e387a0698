"""Convolution at moved places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import filled, resolve_pads


def convolve_deformed(
    data: Any,
    offsets: Any,
    filters: Any,
    mask: Any = None,
    *,
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
    pads_begin: Sequence[int] = (),
    pads_end: Sequence[int] = (),
    auto_pad: str = "explicit",
    group: int = 1,
    deformable_group: int = 1,
    bilinear_interpolation_pad: bool = False,
    **_: Any,
) -> Any:
    """Every tap of every window sampled where its offset (rows, columns) moves it, and weighted by the mask."""
    strides, dilations = filled(strides, 2, 1), filled(dilations, 2, 1)
    kernel, space = filters.shape[2:], data.shape[2:]
    begin, _ends = resolve_pads(space, kernel, strides, dilations, pads_begin, pads_end, auto_pad)
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
    return np.matmul(weights, samples).reshape(batch, filters.shape[0], *counts).astype(data.dtype)


def _at(data: Any, y: Any, x: Any, padded: bool) -> Any:
    """Data (batch, group, channels, height, width) at places (batch, group, taps, rows, columns)."""
    height, width = data.shape[3:]
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
