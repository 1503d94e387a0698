"""Windows of images as columns, back again, and windows of two images compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import dilated, filled, pad_spatial, view_of_windows


def _counts(lengths: Sequence[int], kernel: Any, steps: Any, reach: Any, pads: Any) -> list[int]:
    found = []
    for k, length in enumerate(lengths):
        size: Any = dilated(kernel[k], reach[k])
        found.append((length + 2 * pads[k] - size) // steps[k] + 1)
    return found


def to_columns(data: Any, *, kernel: Any, stride: Any = (), dilate: Any = (), pad: Any = (), **_: Any) -> Any:
    space = len(kernel)
    steps, reach, pads = filled(stride, space, 1), filled(dilate, space, 1), filled(pad, space, 0)
    counts = _counts(data.shape[2:], kernel, steps, reach, pads)
    view = view_of_windows(pad_spatial(data, pads, pads), kernel, steps, reach, counts)
    order = (0, 1, *range(2 + space, 2 + 2 * space), *range(2, 2 + space))
    return view.transpose(order).reshape(data.shape[0], data.shape[1] * int(np.prod(kernel)), -1)


def from_columns(
    data: Any, *, output_size: Any, kernel: Any, stride: Any = (), dilate: Any = (), pad: Any = (), **_: Any
) -> Any:
    """Columns added up where they came from."""
    space = len(kernel)
    steps, reach, pads = filled(stride, space, 1), filled(dilate, space, 1), filled(pad, space, 0)
    counts = _counts(output_size, kernel, steps, reach, pads)
    depth = data.shape[1] // int(np.prod(kernel))
    parts = data.reshape(data.shape[0], depth, *kernel, *counts)
    found = np.zeros((data.shape[0], depth, *(n + 2 * p for n, p in zip(output_size, pads, strict=True))), data.dtype)
    for tap in np.ndindex(*kernel):
        where = tuple(
            slice(t * r, t * r + (c - 1) * s + 1, s) for t, r, c, s in zip(tap, reach, counts, steps, strict=True)
        )
        place: Any = (..., *where)
        picked: Any = (slice(None), slice(None), *tap)
        found[place] += parts[picked]
    inside = tuple(slice(p, p + n) for n, p in zip(output_size, pads, strict=True))
    view: Any = (..., *inside)
    return found[view]


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
