"""Anchor boxes around the cells of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.lazy import np


def prior_box_clustered(
    grid: Any,
    image: Any,
    *,
    width: Sequence[float],
    height: Sequence[float],
    clip: bool = False,
    step: float = 0.0,
    step_w: float = 0.0,
    step_h: float = 0.0,
    offset: float = 0.0,
    variance: Sequence[float] = (),
    **_: Any,
) -> Any:
    rows, columns = (int(n) for n in grid)
    tall, wide = (float(n) for n in image)
    step_x, step_y = step_w or step or wide / columns, step_h or step or tall / rows
    y, x = np.meshgrid((np.arange(rows) + offset) * step_y, (np.arange(columns) + offset) * step_x, indexing="ij")
    w, h = np.array(width, np.float64), np.array(height, np.float64)
    x, y = x[..., None], y[..., None]
    boxes = np.stack([(x - w / 2) / wide, (y - h / 2) / tall, (x + w / 2) / wide, (y + h / 2) / tall], -1).reshape(-1)
    spread = np.tile(np.array(variance if len(variance) == 4 else [*variance, 0.1][:1] * 4), boxes.size // 4)
    return np.stack([np.clip(boxes, 0, 1) if clip else boxes, spread]).astype(np.float32)


def prior_box(
    grid: Any,
    image: Any,
    ratios: Sequence[float],
    each: int,
    *,
    min_size: Sequence[float] = (),
    max_size: Sequence[float] = (),
    fixed_size: Sequence[float] = (),
    fixed_ratio: Sequence[float] = (),
    density: Sequence[float] = (),
    clip: bool = False,
    step: float = 0.0,
    offset: float = 0.0,
    variance: Sequence[float] = (),
    scale_all_sizes: bool = True,
    min_max_aspect_ratios_order: bool = True,
    **_: Any,
) -> Any:
    """`ratios` are sides to each other, the square's first. Boxes of fixed sizes lie inside the image, on finer grids where
    a density asks for it. There is room for `each` boxes per cell, whatever the sizes come to."""
    rows, columns = (int(n) for n in grid)
    tall, wide = (float(n) for n in image)
    if step:
        y, x = (np.arange(rows) + offset) * step, (np.arange(columns) + offset) * step
    else:
        y, x = (np.arange(rows) + 0.5) * (tall / rows), (np.arange(columns) + 0.5) * (wide / columns)
    fixed = _fixed(ratios, fixed_size, fixed_ratio, density)
    free = _free(ratios, min_size, max_size, scale_all_sizes, min_max_aspect_ratios_order)
    shapes = np.array(fixed + free, np.float64).reshape(-1, 4)
    centre_x = x[None, :, None] + shapes[:, 0]
    centre_y = y[:, None, None] + shapes[:, 1]
    half_w, half_h = shapes[:, 2], shapes[:, 3]
    whole = (rows, columns, len(shapes))
    sides = (
        (centre_x - half_w) / wide, (centre_y - half_h) / tall, (centre_x + half_w) / wide, (centre_y + half_h) / tall
    )  # fmt: skip
    boxes = np.stack([np.broadcast_to(side, whole) for side in sides], -1)
    boxes[:, :, : len(fixed), :2] = np.maximum(boxes[:, :, : len(fixed), :2], 0)
    boxes[:, :, : len(fixed), 2:] = np.minimum(boxes[:, :, : len(fixed), 2:], 1)
    boxes = boxes.reshape(-1)[: rows * columns * each * 4]
    spread = np.tile(np.array(variance if len(variance) == 4 else [*variance, 0.1][:1] * 4), boxes.size // 4)
    return np.stack([np.clip(boxes, 0, 1) if clip else boxes, spread]).astype(np.float32)


Box = tuple[float, float, float, float]  # shift of the centre, half the width, half the height


def _fixed(
    ratios: Sequence[float], sizes: Sequence[float], fixed_ratios: Sequence[float], density: Sequence[float]
) -> list[Box]:
    found = []
    for k, size in enumerate(sizes):
        count = int(density[k]) if k < len(density) else 1
        shift = size / count
        for ratio in fixed_ratios or [r for r in ratios if density or abs(r - 1) > 1e-6]:
            root = ratio**0.5
            found += [
                ((at + 0.5) * shift - size / 2, (row + 0.5) * shift - size / 2, size / 2 * root, size / 2 / root)
                for row in range(count)
                for at in range(count)
            ]
    return found


def _free(
    ratios: Sequence[float], least: Sequence[float], most: Sequence[float], every: bool, largest_first: bool
) -> list[Box]:
    found: list[Box] = []
    for k, size in enumerate(least):
        found.append((0, 0, size / 2, size / 2))
        middle = (size * most[k]) ** 0.5 / 2 if k < len(most) else 0
        larger: list[Box] = [(0, 0, middle, middle)] if k < len(most) else []
        others: list[Box] = []
        if every or k == len(least) - 1:
            base = size if every else least[0]
            others = [(0, 0, base / 2 * r**0.5, base / 2 / r**0.5) for r in ratios if abs(r - 1) > 1e-6]
        found += larger + others if largest_first else others + larger
    return found
