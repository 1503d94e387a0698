"""Windows of images as columns, back again, and windows of two images compared."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import Windows


def unfolded(data: Any, windows: Windows, value: Any = 0) -> Any:
    """Images as columns (batch, channels x window, positions)."""
    view, space = windows.view(data, value), windows.space
    order = (0, 1, *range(2 + space, 2 + 2 * space), *range(2, 2 + space))
    return view.transpose(order).reshape(data.shape[0], data.shape[1] * prod(windows.kernel), -1)


def folded(columns: Any, windows: Windows, lengths: Sequence[int]) -> Any:
    """Columns added up where they came from: images of given lengths."""
    counts, (before, after) = windows.counts(lengths), windows.pads(lengths)
    parts = columns.reshape(columns.shape[0], -1, *windows.kernel, *counts)
    room = [n + a + b for n, a, b in zip(lengths, before, after, strict=True)]
    found = np.zeros((*parts.shape[:2], *room), parts.dtype)
    for place, where in windows.taps(counts):
        tap: Any = (slice(None), slice(None), *place)
        found[where] += parts[tap]
    inner: Any = (..., *(slice(a, a + n) for a, n in zip(before, lengths, strict=True)))
    return found[inner]


def correlate(
    a: Any,
    b: Any,
    *,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
    **_: Any,
) -> Any:
    """Means of products (or distances) of windows of a and moved windows of b, one channel per move."""
    wide = [(0, 0), (0, 0), (pad_size, pad_size), (pad_size, pad_size)]
    a, b = np.pad(a, wide), np.pad(b, wide)
    border = max_displacement + (kernel_size - 1) // 2
    height, width = (-(-(n - 2 * border) // stride1) for n in a.shape[2:])
    reach = max_displacement // stride2
    moves = [(y * stride2, x * stride2) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1)]
    found = np.zeros((a.shape[0], len(moves), height, width), a.dtype)

    def cut(image: Any, y: int, x: int) -> Any:
        top, left = max_displacement + y, max_displacement + x
        return image[
            :, :, top : top + (height - 1) * stride1 + 1 : stride1, left : left + (width - 1) * stride1 + 1 : stride1
        ]

    for k, (y, x) in enumerate(moves):
        for h in range(kernel_size):
            for w in range(kernel_size):
                one, other = cut(a, h, w), cut(b, y + h, x + w)
                found[:, k] += (one * other if is_multiply else np.abs(one - other)).sum(1)
    return found / a.dtype.type(kernel_size * kernel_size * a.shape[1])
