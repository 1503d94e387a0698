"""Shared by convolution and pooling: padding, strides, dilation and the output length of each spatial axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.graph import Dim, Shape
from irlint.text import words

SAME = ("same_upper", "same_lower")


def filled(numbers: Sequence[int], count: int, value: int) -> tuple[int, ...]:
    """Return an attribute with one number per spatial axis; if missing, `value` for all."""
    return tuple(numbers) if numbers else (value,) * count


def want_per_axis(name: str, numbers: Sequence[int], count: int, *, least: int | None = None) -> None:
    """Raise unless there is one number per spatial axis, none below `least`."""
    if len(numbers) != count:
        message = f"expected {words.count(count, 'number')} in `{name}` (one per spatial axis), got {list(numbers)}"
        raise ShapeError(R.wrong_value_length, message, f"attr:{name}", [0])
    for number in numbers:
        if least is not None and number < least:
            raise ShapeError(
                R.value_out_of_range,
                f"expected at least {least} in `{name}`, got {number}",
                f"attr:{name}",
                is_too_low=True,
            )


def want_windows(
    space: int,
    auto_pad: str,
    strides: Sequence[int],
    dilations: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
) -> None:
    """Raise unless strides, dilations and padding have one number per spatial axis; explicit padding is not negative."""
    want_per_axis("strides", strides, space, least=1)
    want_per_axis("dilations", dilations, space, least=1)
    least = 0 if auto_pad == "explicit" else None
    want_per_axis("pads_begin", begin, space, least=least)
    want_per_axis("pads_end", end, space, least=least)


def dilated(kernel: Dim, dilation: int) -> Dim:
    """Return the extent of a dilated kernel; an unknown one covers at least one element."""
    if isinstance(kernel, int):
        return (kernel - 1) * dilation + 1 if kernel > 0 else 0
    return dims.add(dims.multiply(dims.subtract(kernel, 1), dilation), 1)


def want_some(axis: int, kernel: int, part: str) -> None:
    """Raise for a window of nothing."""
    if kernel <= 0:
        message = f"expected a window of at least 1 along axis {axis}, got {kernel}"
        raise ShapeError(R.value_out_of_range, message, part, [0])


def want_window(shape: Shape, axis: int, kernel: Dim, before: int, after: int, part: str) -> None:
    """Raise unless a window fits into the padded data."""
    dim = shape[axis]
    if not isinstance(kernel, int):
        return
    want_some(axis, kernel, part)
    high = dims.bounds(dim)[1]
    if high is not None and kernel > high + before + after:
        padded = f" with padding {before} and {after}" if before or after else ""
        message = f"window of {kernel} is larger than dimension {axis} of {show(shape)}{padded}"
        raise ShapeError(R.shape_mismatch, message, part, [0, 1] if part == "input:1" else [0])


def windows(length: Dim, kernel: Dim, before: int, after: int, stride: int) -> Dim:
    """Return the number of windows."""
    total = dims.add(length, before + after) if before + after >= 0 else dims.subtract(length, -before - after)
    return dims.add(dims.floor_divide(dims.subtract(total, kernel), stride), 1)


def same_pads(length: int, kernel: int, stride: int, dilation: int) -> tuple[int, int]:
    """Return the padding, smaller half first, for ceil(length / stride) windows."""
    reach = (kernel - 1) * dilation + 1
    total = max((-(-length // stride) - 1) * stride + reach - length, 0)
    return total // 2, total - total // 2


def resolve_pads(
    spatial: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    auto_pad: str,
) -> tuple[list[int], list[int]]:
    """Return the padding in numbers, for kernels."""
    count = len(spatial)
    if auto_pad in SAME:
        pairs = [same_pads(*sizes) for sizes in zip(spatial, kernel, strides, dilations, strict=True)]
        small, large = [a for a, _ in pairs], [b for _, b in pairs]
        return (small, large) if auto_pad == "same_upper" else (large, small)
    if auto_pad == "valid":
        return [0] * count, [0] * count
    return list(filled(begin, count, 0)), list(filled(end, count, 0))


def view_of_windows(
    data: Any, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int], counts: Sequence[int]
) -> Any:
    """Return a view with one more axis per spatial axis: (..., positions..., kernel...), without a copy."""
    lead = data.ndim - len(kernel)
    steps = data.strides[lead:]
    shape = (*data.shape[:lead], *counts, *kernel)
    strided = (
        *data.strides[:lead],
        *(step * stride for step, stride in zip(steps, strides, strict=True)),
        *(step * dilation for step, dilation in zip(steps, dilations, strict=True)),
    )
    return np.lib.stride_tricks.as_strided(data, shape, strided, writeable=False)


def pad_spatial(data: Any, begin: Sequence[int], end: Sequence[int], value: Any = 0) -> Any:
    """Pad the last axes; negative padding crops."""
    if not any(begin) and not any(end):
        return data
    lead = data.ndim - len(begin)
    if min((*begin, *end)) < 0:
        cut = [slice(max(-a, 0), n - max(-b, 0)) for n, a, b in zip(data.shape[lead:], begin, end, strict=True)]
        view: Any = (..., *cut)
        data = data[view]
        begin, end = [max(a, 0) for a in begin], [max(b, 0) for b in end]
    shape = (*data.shape[:lead], *(n + a + b for n, a, b in zip(data.shape[lead:], begin, end, strict=True)))
    padded = np.full(shape, value, data.dtype) if value else np.zeros(shape, data.dtype)
    inside = tuple(slice(a, a + n) for n, a in zip(data.shape[lead:], begin, strict=True))
    where: Any = (..., *inside)
    padded[where] = data
    return padded
