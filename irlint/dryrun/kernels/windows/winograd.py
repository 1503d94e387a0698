"""Convolution with windows of 3 x 3 by Winograd's minimal filtering: 16 products where windows take 36."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from irlint.dryrun.lazy import np

CACHE = 1 << 20  # bytes that a core has close at hand
_OUTER = ((1, 1, 1, 0), (0, 1, -1, -1))
_FILTER = ((1, 0, 0), (0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (0, 0, 1))
_INNER = ((1, 0, -1, 0), (0, 1, 1, 0), (0, -1, 1, 0), (0, 1, 0, -1))


def worth_tiles(filters: Any, strides: Sequence[int], dilations: Sequence[int], counts: Sequence[int]) -> bool:
    """Whether the products that are saved are more than what transforming costs."""
    plain = filters.shape[2:] == (3, 3) and max(*strides, *dilations) == 1 and filters.dtype.kind == "f"
    return bool(plain and min(filters.shape[:2]) >= 32 and min(counts) > 0 and counts[0] * counts[1] >= 512)


def convolve_tiles(data: Any, filters: Any, begin: Sequence[int], counts: Sequence[int], pad_value: float) -> Any:
    """Data (batch, channels, height, width), filters (out, channels, 3, 3); some rows of tiles at a time.

    The image is dealt out to four: even and odd rows and columns. With rows joined, what one place in all tiles of 4 x 4
    holds is one of the four, shifted. Rounds no worse than sums of products do; but a number that is not finite would spread
    over its tile: then there is no result.
    """
    (batch, channels), out = data.shape[:2], filters.shape[0]
    high, wide = (-(-count // 2) for count in counts)
    step = wide + 1
    rows = max(1, min(high, CACHE // (16 * max(channels, out) * step * data.itemsize)))
    rows = -(-high // -(-high // rows))
    weights = np.matmul(_square(_FILTER, data.dtype), filters.reshape(-1, 9).T).reshape(16, out, channels)
    inner, outer = _square(_INNER, data.dtype), _square(_OUTER, data.dtype)
    size = rows * step
    taps = np.empty((16, channels, size), data.dtype)
    sums = np.empty((16, channels, size), data.dtype)
    products = np.empty((16, out, size), data.dtype)
    pixels = np.empty((4, out * size), data.dtype)
    result = np.empty((batch, out, *counts), data.dtype)
    dealt = np.full((2, 2, channels, rows * -(-high // rows) + 2, step), pad_value, data.dtype)
    flat = dealt.reshape(2, 2, channels, -1)
    for image in range(batch):
        _deal(data[image], dealt, begin)
        for first in range(0, high, rows):
            for tap in range(16):
                (down, y), (right, x) = divmod(tap // 4, 2), divmod(tap % 4, 2)
                start = (first + down) * step + right
                taps[tap] = flat[y, x, :, start : start + size]
            np.matmul(inner, taps.reshape(16, -1), out=sums.reshape(16, -1))
            np.matmul(weights, sums, out=products)
            np.matmul(outer, products.reshape(16, -1), out=pixels)
            if not _finite(pixels):
                return None
            tiles = pixels.reshape(2, 2, out, rows, step)
            for y, x in np.ndindex(2, 2):
                goal = result[image, :, 2 * first + y : 2 * (first + rows) : 2, x::2]
                goal[...] = tiles[y, x, :, : goal.shape[1], : goal.shape[2]]
    return result


def _finite(array: Any) -> bool:
    """Whether all numbers are finite, and far from being infinite."""
    flat = array.reshape(-1)
    return bool(np.isfinite(np.dot(flat, flat)))


@lru_cache
def _square(matrix: tuple[tuple[float, ...], ...], dtype: Any) -> Any:
    """What a transform along each of two axes is for both of them."""
    return np.kron(np.array(matrix), np.array(matrix)).astype(dtype)


def _deal(image: Any, dealt: Any, begin: Sequence[int]) -> None:
    """Even and odd rows and columns of the padded image."""
    for y, x in np.ndindex(2, 2):
        top, left = (max(begin[0] - y + 1, 0) // 2, max(begin[1] - x + 1, 0) // 2)
        part = image[:, 2 * top + y - begin[0] :: 2, 2 * left + x - begin[1] :: 2]
        goal = dealt[y, x, :, top:, left:]
        part = part[:, : goal.shape[1], : goal.shape[2]]
        goal[:, : part.shape[1], : part.shape[2]] = part
