"""Convolution through strided windows and matrix products."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import prod
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.ops.windows import filled, pad_spatial, resolve_pads, view_of_windows
from irlint.dryrun.values import strides_of

BLOCK = 1 << 21  # elements of unfolded windows that are worked on at a time
CACHE = 1 << 20  # bytes that a core has close at hand


def convolve(
    data: Any,
    filters: Any,
    *,
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
    pads_begin: Sequence[int] = (),
    pads_end: Sequence[int] = (),
    auto_pad: str = "explicit",
    groups: int = 1,
    pad_value: float = 0.0,
    **_: Any,
) -> Any:
    """Data (batch, channels, space...), filters (out, channels / groups, window...)."""
    space = data.ndim - 2
    kernel = filters.shape[2:]
    strides, dilations = filled(strides, space, 1), filled(dilations, space, 1)
    begin, end = resolve_pads(data.shape[2:], kernel, strides, dilations, pads_begin, pads_end, auto_pad)
    dtype = data.dtype
    if dtype == np.float16:
        data, filters = data.astype(np.float32), filters.astype(np.float32)
    if prod(kernel) == 1 and groups == 1 and not any(begin) and not any(end):
        result = _pointwise(data, filters, strides)
    else:
        sizes = [n + a + b for n, a, b in zip(data.shape[2:], begin, end, strict=True)]
        counts = [(sizes[k] - (kernel[k] - 1) * dilations[k] - 1) // strides[k] + 1 for k in range(space)]
        if groups == data.shape[1] and filters.shape[1] == 1 and data.dtype.kind == "f" and min(counts) > 0:
            result = _depthwise(data, filters, strides, dilations, begin, counts, pad_value)
        else:
            padded = pad_spatial(data, begin, end, pad_value)
            result = _general(padded, filters, strides, dilations, counts, groups)
    return result.astype(dtype, copy=False)


def _pointwise(data: Any, filters: Any, strides: Sequence[int]) -> Any:
    """A window of one: a matrix product per image."""
    if any(stride != 1 for stride in strides):
        view: Any = (..., *(slice(None, None, stride) for stride in strides))
        data = np.ascontiguousarray(data[view])
    shape = (data.shape[0], filters.shape[0], *data.shape[2:])
    rows = data.reshape(*data.shape[:2], prod(data.shape[2:]))
    return np.matmul(filters.reshape(filters.shape[:2]), rows).reshape(shape)


def _depthwise(
    data: Any,
    filters: Any,
    strides: Sequence[int],
    dilations: Sequence[int],
    begin: Sequence[int],
    counts: Sequence[int],
    pad_value: float,
) -> Any:
    """One filter (or a few) per channel: shifted images, multiplied and summed, a few channels at a time.

    With strides the image is dealt out to as many smaller ones, so that the pixels which one tap meets lie side by side;
    rows are joined, so that a tap is one long shift. Images are shifted along the last axis beforehand, and what the rows
    of a filter make of them is shifted and summed afterwards. What comes out beyond a row's end is cut off.
    """
    batch, channels, times = data.shape[0], data.shape[1], filters.shape[0] // data.shape[1]
    kernel = filters.shape[2:]
    reach = [((k - 1) * d) // s for k, d, s in zip(kernel, dilations, strides, strict=True)]
    sizes = [count + far for count, far in zip(counts, reach, strict=True)]
    steps = strides_of(sizes)
    whole, length = prod(sizes), sum((count - 1) * step for count, step in zip(counts, steps, strict=True)) + 1
    rows = _taps(kernel[:-1], strides, dilations, steps)
    places = _taps(kernel[-1:], strides[-1:], dilations[-1:], steps[-1:])
    phases = [row + place for row in rows for place in places]
    room = (len(phases) + kernel[-1] + times * (prod(kernel[:-1]) + 1)) * (whole + reach[-1])
    block = min(channels, max(1, CACHE // (data.itemsize * room)))
    dealt = {phase: np.full((block, whole + reach[-1]), pad_value, data.dtype) for phase in phases}
    cuts = {phase: _dealing(phase, data.shape[2:], sizes, strides, begin) for phase in phases}
    columns = np.empty((block, kernel[-1], whole), data.dtype)
    products = {row: np.empty((block, times * len(taps), whole), data.dtype) for row, taps in rows.items()}
    total = np.empty((block, times, counts[0] * steps[0]), data.dtype)
    split = filters.reshape(channels, times, -1, kernel[-1])
    weights = {
        row: (split if len(rows) == 1 else split.take([k for k, _ in taps], 2)).reshape(channels, -1, kernel[-1])
        for row, taps in rows.items()
    }
    result = np.empty((batch, channels, times, *counts), data.dtype)
    inside: Any = (..., *map(slice, counts))
    for image, first in itertools.product(range(batch), range(0, channels, block)):
        part = data[image, first : first + block]
        many, terms = part.shape[0], []
        for phase, (goal, source) in cuts.items():
            dealt[phase][:many, :whole].reshape(many, *sizes)[goal] = part[source]
        for row, taps in rows.items():
            for place, shifts in places.items():
                for k, shift in shifts:
                    columns[:many, k] = dealt[row + place][:many, shift : shift + whole]
            np.matmul(weights[row][first : first + many], columns[:many], out=products[row][:many])
            parts = products[row][:many].reshape(many, times, len(taps), whole)
            terms += [parts[:, :, k, shift : shift + length] for k, (_, shift) in enumerate(taps)]
        _sum(terms, total[:many, :, :length])
        result[image, first : first + many] = total[:many].reshape(many, times, counts[0], *sizes[1:])[inside]
    return result.reshape(batch, channels * times, *counts)


def _taps(
    kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int], steps: Sequence[int]
) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """By phase: the taps that meet it, each with how far it lies off in the image of that phase."""
    found: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for number, place in enumerate(itertools.product(*map(range, kernel))):
        offsets = [(at * d, s, step) for at, d, s, step in zip(place, dilations, strides, steps, strict=False)]
        phase = tuple(at % s for at, s, _ in offsets)
        found.setdefault(phase, []).append((number, sum(at // s * step for at, s, step in offsets)))
    return found


def _sum(terms: Sequence[Any], goal: Any) -> None:
    if len(terms) == 1:
        goal[...] = terms[0]
        return
    np.add(terms[0], terms[1], out=goal)
    for term in terms[2:]:
        np.add(goal, term, out=goal)


def _dealing(
    phase: Sequence[int], lengths: Sequence[int], sizes: Sequence[int], strides: Sequence[int], begin: Sequence[int]
) -> tuple[Any, Any]:
    """Which elements of a phase are which of the image: every stride-th of the padded image, from the phase on."""
    goals, sources = [slice(None)], [slice(None)]
    for at, length, size, stride, before in zip(phase, lengths, sizes, strides, begin, strict=True):
        first = max(-((at - before) // stride), 0)
        start = at + first * stride - before
        count = max(min(-(-(length - start) // stride), size - first), 0)
        goals.append(slice(first, first + count))
        sources.append(slice(start, start + (count - 1) * stride + 1, stride) if count else slice(0, 0))
    return tuple(goals), tuple(sources)


def _general(
    data: Any, filters: Any, strides: Sequence[int], dilations: Sequence[int], counts: Sequence[int], groups: int
) -> Any:
    """Windows unfolded block by block, and multiplied by the filters."""
    batch, kernel = data.shape[0], filters.shape[2:]
    out, depth = filters.shape[0] // groups, filters.shape[1]
    weights = filters.reshape(groups, out, depth * prod(kernel))
    result = np.empty((batch, groups, out, *counts), np.result_type(data, filters))
    space = len(kernel)
    windows = view_of_windows(data, kernel, strides, dilations, counts)
    windows = windows.reshape(batch, groups, depth, *counts, *kernel) if groups == 1 else _grouped(windows, groups)
    order = (0, *range(space + 1, 2 * space + 1), *range(1, space + 1))  # channels, window, positions
    rows = max(1, BLOCK // max(1, depth * prod(kernel) * prod(counts[1:])))
    for image in range(batch):
        for group in range(groups):
            view = windows[image, group].transpose(order)
            for first in range(0, counts[0], rows):
                block: Any = (..., slice(first, first + rows), *(slice(None),) * (space - 1))
                part = view[block]
                columns = part.reshape(weights.shape[2], -1)
                goal = result[image, group, :, first : first + rows]
                goal[...] = (weights[group] @ columns).reshape(goal.shape)
    return result.reshape(batch, groups * out, *counts)


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
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
    pads_begin: Sequence[int] = (),
    pads_end: Sequence[int] = (),
    output_padding: Sequence[int] = (),
    auto_pad: str = "explicit",
    groups: int = 1,
    **_: Any,
) -> Any:
    """Transposed convolution: every element spreads its filter; filters are (channels, out / groups, window...)."""
    space, kernel = data.ndim - 2, filters.shape[2:]
    strides, dilations = filled(strides, space, 1), filled(dilations, space, 1)
    extra = filled(output_padding, space, 0)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    full = [(n - 1) * s + r for n, s, r in zip(data.shape[2:], strides, reach, strict=True)]
    begin, lengths = _placed(data.shape[2:], full, strides, pads_begin, pads_end, extra, auto_pad, output_shape, reach)
    batch, depth, out = data.shape[0], data.shape[1] // groups, filters.shape[1]
    dtype = data.dtype
    wide = np.float32 if dtype == np.float16 else dtype
    parts = data.reshape(batch, groups, depth, prod(data.shape[2:])).astype(wide, copy=False)
    weights = filters.reshape(groups, depth, out * prod(kernel)).astype(wide, copy=False)
    columns = np.matmul(np.swapaxes(weights, 1, 2)[None], parts)
    columns = columns.reshape(batch, groups * out, *kernel, *data.shape[2:])
    room = [max(f, b + n) for f, b, n in zip(full, begin, lengths, strict=True)]
    image = np.zeros((batch, groups * out, *room), columns.dtype)
    for place in np.ndindex(*kernel):
        view: Any = (
            slice(None),
            slice(None),
            *(
                slice(at * d, at * d + (n - 1) * s + 1, s)
                for at, d, n, s in zip(place, dilations, data.shape[2:], strides, strict=True)
            ),
        )
        taps: Any = (slice(None), slice(None), *place)
        image[view] += columns[taps]
    cut: Any = (slice(None), slice(None), *(slice(b, b + n) for b, n in zip(begin, lengths, strict=True)))
    return np.ascontiguousarray(image[cut]).astype(dtype, copy=False)


def _placed(
    sizes: Sequence[int],
    full: Sequence[int],
    strides: Sequence[int],
    pads_begin: Sequence[int],
    pads_end: Sequence[int],
    extra: Sequence[int],
    auto_pad: str,
    output_shape: Any,
    reach: Sequence[int],
) -> tuple[list[int], list[int]]:
    """Where the result begins in the full image, and how long it is."""
    space = len(full)
    if output_shape is not None:
        lengths = [int(n) for n in output_shape]
        total = [
            max((n - 1) * s + r + e - o, 0) for n, s, r, e, o in zip(sizes, strides, reach, extra, lengths, strict=True)
        ]
        if auto_pad == "same_upper":
            return [t // 2 for t in total], lengths
        if auto_pad == "same_lower":
            return [t - t // 2 for t in total], lengths
        begin = [0] * space if auto_pad == "valid" else list(filled(pads_begin, space, 0))
        return begin, lengths
    if auto_pad in ("same_upper", "same_lower", "valid"):
        return [0] * space, [f + e for f, e in zip(full, extra, strict=True)]
    begin, end = list(filled(pads_begin, space, 0)), list(filled(pads_end, space, 0))
    return begin, [f - b - n + e for f, b, n, e in zip(full, begin, end, extra, strict=True)]
