"""Convolution through strided windows and matrix products."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from irlint.dryrun.kernels.products import EXACT, blocks, largest, less
from irlint.dryrun.kernels.windows.depthwise import convolve_each
from irlint.dryrun.kernels.windows.winograd import convolve_tiles, worth_tiles
from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import SAME, Windows, filled, pad_spatial, placed, view_of_windows
from irlint.dryrun.running.arrays import narrowed, widened

_MOST = 255  # what an integer of 8 bits less its zero point is at most
BLOCK = 1 << 19  # elements of unfolded windows that are worked on at a time


def convolve(
    data: Any,
    filters: Any,
    bias: Any = None,
    *,
    groups: int = 1,
    pad_value: float = 0.0,
    tiles: bool = True,
    **attrs: Any,
) -> Any:
    """Data (batch, channels, space...), filters (out, channels / groups, window...), a bias (out). Without `tiles` the result is exact
    where sums of products are."""
    kernel, dtype = filters.shape[2:], data.dtype
    counts, strides, dilations, begin, end = placed(kernel, data.shape[2:], attrs)
    data, filters = widened(data), widened(filters)
    if prod(kernel) == 1 and groups == 1 and not any(begin) and not any(end):
        return biased(_pointwise(data, filters, strides), bias, dtype)
    result = None
    if groups == data.shape[1] > 1 and filters.shape[1] == 1 and data.dtype.kind == "f" and min(counts) > 0:
        result = convolve_each(data, filters, strides, dilations, begin, counts, pad_value)
    elif tiles and groups == 1 and worth_tiles(filters, strides, dilations, counts):
        result = convolve_tiles(data, filters, begin, counts, pad_value)
    if result is None:
        padded = pad_spatial(data, begin, end, pad_value)
        result = _general(padded, filters, strides, dilations, counts, groups)
    return biased(result, bias, dtype)


def biased(result: Any, bias: Any, dtype: Any) -> Any:
    """Return a result, which is overwritten, plus one number per channel, in an element type, unless that of the bias is wider."""
    if bias is not None:
        bias = widened(bias).reshape((-1,) + (1,) * (result.ndim - 2))
    if dtype != np.float16:
        result = result.astype(dtype, copy=False)
        if bias is None:
            return result
        return np.add(result, bias, out=result if np.result_type(result, bias) == result.dtype else None)
    if bias is None:
        return narrowed(result).astype(dtype, copy=False)
    found = np.empty(result.shape, np.float16)
    for part, out, more in blocks(result, found, bias):
        part += more
        out[...] = narrowed(part)
    return found


def whole_filters(weight: Any, zero: Any) -> dict[str, Any]:
    """Return filters of integers as `convolve_whole` takes them: less their zero point, with the sums of sizes of each channel, the
    largest of all channels, and the sums of all numbers."""
    filters = less(weight, None if zero is None else zero.reshape((-1,) + (1,) * (weight.ndim - 1)), 0)
    window = np.ones(prod(filters.shape[2:]), np.float32)
    each = filters.reshape(*filters.shape[:2], -1)
    sizes, totals = np.abs(each) @ window, (each @ window).sum(1, dtype=np.float64)
    return {"filters": filters, "sizes": sizes, "most": np.asarray(sizes.sum(1).max(initial=0)), "totals": totals}


def convolve_whole(
    data: Any, filters: Any, sizes: Any, most: Any, totals: Any, *, groups: int = 1, **attrs: Any
) -> Any:
    """Return the exact convolution of integers that are stored as 32-bit floats, as such or in 64 bits: of as many channels at a time
    as sums are exact for. Numbers around zero allow more of them, so a middle is subtracted first."""
    if _MOST * float(most) <= EXACT or max(largest(data), 1) * float(most) <= EXACT:
        return convolve(data, filters, groups=groups, tiles=False, **attrs)
    depth = filters.shape[1]
    low, high = min(data.min(), 0), max(data.max(), 0)  # with the padding
    middle = np.rint((low + high) / 2)
    data, far = data - middle, max(high - middle, middle - low)
    for parts in range(int(-(-far * most // EXACT)), depth + 1 if groups == 1 else 1):
        bounds = list(itertools.pairwise([depth * k // parts for k in range(parts + 1)]))
        if all(far * sizes[:, a:b].sum(1).max() <= EXACT for a, b in bounds):
            break
    else:
        data, filters, bounds = data.astype(np.float64), filters.astype(np.float64), [(0, data.shape[1])]
    total = middle * totals.reshape((-1,) + (1,) * (data.ndim - 2))
    for a, b in bounds:
        of = filters if groups > 1 else filters[:, a:b]
        total = total + convolve(data[:, a:b], of, groups=groups, pad_value=-middle, tiles=False, **attrs)
    return total


def _pointwise(data: Any, filters: Any, strides: Sequence[int]) -> Any:
    """A window of one: a matrix product per image."""
    if any(stride != 1 for stride in strides):
        view: Any = (..., *(slice(None, None, stride) for stride in strides))
        data = np.ascontiguousarray(data[view])
    shape = (data.shape[0], filters.shape[0], *data.shape[2:])
    rows = data.reshape(*data.shape[:2], prod(data.shape[2:]))
    return np.matmul(filters.reshape(filters.shape[:2]), rows).reshape(shape)


def _general(
    data: Any, filters: Any, strides: Sequence[int], dilations: Sequence[int], counts: Sequence[int], groups: int
) -> Any:
    """Windows unfolded block by block, and multiplied by the filters."""
    batch, kernel, space = data.shape[0], filters.shape[2:], len(counts)
    out, depth = filters.shape[0] // groups, filters.shape[1]
    weights = filters.reshape(groups, out, depth * prod(kernel))
    result = np.empty((batch, groups, out, prod(counts)), np.result_type(data, filters))
    views = [(goal, _grouped(view, groups)) for goal, view in _views(data, kernel, strides, dilations, counts)]
    step = prod(counts[1:])
    rows = max(1, min(counts[0], BLOCK // max(1, depth * prod(kernel) * step)))
    columns = np.empty((depth, *kernel, rows, *counts[1:]), data.dtype)
    for image, group in np.ndindex(batch, groups):
        for first in range(0, counts[0], rows):
            many = min(rows, counts[0] - first)
            room = columns if many == rows else np.empty((depth, *kernel, many, *counts[1:]), data.dtype)
            block: Any = (..., slice(first, first + many), *(slice(None),) * (space - 1))
            for goal, view in views:
                order = (0, *range(space + 1, view.ndim - 2), *range(1, space + 1))  # channels, window, positions
                room[goal] = view[image, group].transpose(order)[block]
            part = result[image, group, :, first * step : (first + many) * step]
            np.matmul(weights[group], room.reshape(weights.shape[2], many * step), out=part)
    return result.reshape(batch, groups * out, *counts)


def _views(
    data: Any, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int], counts: Sequence[int]
) -> Iterator[tuple[Any, Any]]:
    """Views (batch, channels, positions..., window...) of what windows meet, and which part of the windows that is. With long
    strides the image is dealt out first, so that what one column of the windows meets lies side by side."""
    if not 1 < strides[-1] <= kernel[-1] // 2:
        yield ..., view_of_windows(data, kernel, strides, dilations, counts)
        return
    dealt: dict[int, Any] = {}
    for k in range(kernel[-1]):
        skipped, phase = divmod(k * dilations[-1], strides[-1])
        if phase not in dealt:
            part: Any = (..., slice(phase, None, strides[-1]))
            dealt[phase] = np.ascontiguousarray(data[part])
        rest: Any = (..., slice(skipped, None))
        column = (*kernel[:-1], 1), (*strides[:-1], 1), (*dilations[:-1], 1)
        yield (*(slice(None),) * len(kernel), k), view_of_windows(dealt[phase][rest], *column, counts)[..., 0]


def _grouped(windows: Any, groups: int) -> Any:
    """The channel axis of a view split into groups without a copy."""
    depth = windows.shape[1] // groups
    shape = (windows.shape[0], groups, depth, *windows.shape[2:])
    step = windows.strides[1]
    strides = (windows.strides[0], depth * step, step, *windows.strides[2:])
    return np.lib.stride_tricks.as_strided(windows, shape, strides, writeable=False)


def convolve_back(
    data: Any,
    filters: Any,
    output_shape: Any = None,
    *,
    bias: Any = None,
    output_padding: Sequence[int] = (),
    odd_first: bool | None = None,
    groups: int = 1,
    **attrs: Any,
) -> Any:
    """Transposed convolution: every element spreads its filter; filters are (channels, out / groups, window...). `odd_first`: padding
    follows from the lengths that are asked for, an odd element of it is at the beginning or at the end."""
    windows = Windows(filters.shape[2:], **attrs)
    kernel, full = windows.kernel, windows.reached(data.shape[2:])
    extra = filled(output_padding, windows.space, 0)
    lengths = [int(n) for n in (windows.spread(data.shape[2:], extra) if output_shape is None else output_shape)]
    if output_shape is not None and odd_first is None and windows.auto_pad in SAME:
        odd_first = windows.auto_pad == "same_upper"  # OpenVINO 2026.4.1: the other way round than in a convolution
    begin: Sequence[int] = windows.before if windows.auto_pad == "explicit" else (0,) * windows.space
    if odd_first is not None:
        spare = [max(reach + more - length, 0) for reach, more, length in zip(full, extra, lengths, strict=True)]
        begin = [(total + odd_first) // 2 for total in spare]
    batch, depth, out = data.shape[0], data.shape[1] // groups, filters.shape[1]
    dtype = data.dtype
    wide = np.float32 if dtype == np.float16 else dtype
    parts = data.reshape(batch, groups, depth, prod(data.shape[2:])).astype(wide, copy=False)
    weights = filters.reshape(groups, depth, out * prod(kernel)).astype(wide, copy=False)
    columns = np.matmul(np.swapaxes(weights, 1, 2)[None], parts)
    columns = columns.reshape(batch, groups * out, *kernel, *data.shape[2:])
    room = [max(f, b + n) for f, b, n in zip(full, begin, lengths, strict=True)]
    image = np.zeros((batch, groups * out, *room), columns.dtype)
    for place, view in windows.taps(data.shape[2:]):
        taps: Any = (slice(None), slice(None), *place)
        image[view] += columns[taps]
    inside: Any = (slice(None), slice(None), *(slice(b, b + n) for b, n in zip(begin, lengths, strict=True)))
    return biased(np.ascontiguousarray(image[inside]), bias, dtype)
