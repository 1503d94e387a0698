"""Windows that slide over space: what convolutions, pooling and unfolded images of all formats have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError, too_low
from irlint.dryrun.lazy import np
from irlint.graph import Dim, Shape
from irlint.records import NamedTuple
from irlint.text import words

Numbers = tuple[int, ...]

SAME = ("same_upper", "same_lower", "same_mixed")


def filled(numbers: Sequence[int], count: int, value: int) -> tuple[int, ...]:
    """Return an attribute with one number per spatial axis; if missing, `value` for all."""
    return tuple(numbers) if numbers else (value,) * count


def want_per_axis(name: str, numbers: Sequence[int], count: int, *, least: int | None = None) -> None:
    """Raise unless there is one number per spatial axis, none below `least`."""
    if len(numbers) != count:
        message = f"expected {words.count(count, 'number')} in `{name}` (one per spatial axis), got {list(numbers)}"
        raise ShapeError(R.wrong_value_length, message, f"attr:{name}", [0])
    if least is not None and numbers and min(numbers) < least:
        low = next(number for number in numbers if number < least)
        raise too_low(name, f"at least {least}", low)


def want_channels(channels: Dim, inner: Dim, name: str, place: int = 1, split: str = "") -> None:
    """Raise unless data have the channels that filters take."""
    if not dims.compatible(channels, inner):
        message = (
            f"channels of `data` ({show_dim(channels)}) and {operand(name)} ({show_dim(inner)}{split}) do not match"
        )
        raise ShapeError(R.shape_mismatch, message, f"input:{place}", [0, place])


def want_parts(
    channels: Dim, parts: int, name: str, what: str = "channels of `data`", place: int = 0, of: str = ""
) -> None:
    """Raise unless channels can be split into as many parts as an attribute says."""
    if not dims.divisible(channels, parts):
        message = f"{what} ({show_dim(channels)}) are not a multiple of {of or f'`{name}` ({parts})'}"
        raise ShapeError(R.shape_mismatch, message, f"attr:{name}", [place])


def want_output(lengths: Sequence[Dim], least: int) -> None:
    """Raise if padding leaves less than `least` elements along an axis."""
    for k, length in enumerate(lengths):
        if isinstance(length, int) and length < least:
            message = (
                f"expected at least {words.count(least, 'element')} along spatial axis {k} of the output, got {length}"
            )
            raise ShapeError(R.empty_output, message, "attr:pads_begin", [0])


def _reach(size: Dim, gap: int) -> Dim:
    if isinstance(size, int):
        return (size - 1) * gap + 1 if size > 0 else 0
    return dims.add(dims.multiply(dims.subtract(size, 1), gap), 1)


def want_some(axis: int, length: Dim, part: str) -> None:
    """Raise for a window of nothing."""
    if isinstance(length, int) and length <= 0:
        message = f"expected a window of at least 1 along axis {axis}, got {length}"
        raise ShapeError(R.value_out_of_range, message, part, [0])


class Windows:
    """Windows over the last axes of data: their lengths, steps, gaps, the padding of the data, and how their number is rounded.

    `auto_pad`: explicit; valid (none); same_upper, same_lower (for as many windows as there are steps, the odd element after or before
    the data; same_mixed: before it but for the first axis). `rounding_type`: floor; to_zero (floor, but a window that is less than a
    step larger than the data is one); ceil (the last window may lack elements); ceil_torch (but not begin behind the data); full (as
    ceil, and what it lacks is padding); begun (a window for every step of the data). `may_crop`: steps larger than the window may
    leave out elements at the ends.
    """

    def __init__(
        self,
        kernel: Sequence[Dim],
        /,
        *,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
        pads_begin: Sequence[int] = (),
        pads_end: Sequence[int] = (),
        auto_pad: str = "explicit",
        rounding_type: str = "floor",
        may_crop: bool = False,
        **_: Any,
    ) -> None:
        self.kernel: Sequence[Any] = kernel
        self.space = len(kernel)
        self.strides, self.dilations = filled(strides, self.space, 1), filled(dilations, self.space, 1)
        self.before, self.after = filled(pads_begin, self.space, 0), filled(pads_end, self.space, 0)
        self.auto_pad, self.rounding_type, self.may_crop = auto_pad, rounding_type, may_crop

    def check(self) -> None:
        """Raise unless steps, gaps and padding have one number per axis, and explicit padding is not negative."""
        least = 0 if self.auto_pad == "explicit" else None
        want_per_axis("strides", self.strides, self.space, least=1)
        want_per_axis("dilations", self.dilations, self.space, least=1)
        want_per_axis("pads_begin", self.before, self.space, least=least)
        want_per_axis("pads_end", self.after, self.space, least=least)

    @property
    def reach(self) -> list[Any]:
        """How many elements a window spans along each axis; one of unknown length spans at least one."""
        return [_reach(size, self.dilations[k]) for k, size in enumerate(self.kernel)]

    def _around(self, axis: int, length: Dim, reach: Dim) -> tuple[int, int] | None:
        """Return the padding before and after the data along an axis; None if it depends on what is unknown."""
        stride, before, after = self.strides[axis], self.before[axis], self.after[axis]
        if self.auto_pad == "valid":
            return 0, 0
        if self.auto_pad not in SAME:
            if self.rounding_type == "full" and isinstance(length, int) and isinstance(reach, int):
                after += -(length + before + after - reach) % stride
            return before, after
        if not isinstance(length, int) or not isinstance(reach, int):
            return None
        total = (-(-length // stride) - 1) * stride + reach - length
        is_upper = self.auto_pad == "same_upper" or (self.auto_pad == "same_mixed" and axis == 0)
        if total < 0:
            before = -((-total - (not is_upper)) // 2) if self.may_crop else 0
            return before, total - before if self.may_crop else 0
        return (total // 2, total - total // 2) if is_upper else (total - total // 2, total // 2)

    def _count(self, axis: int, length: Dim, reach: Dim, around: tuple[int, int] | None) -> Dim:
        """Return the number of windows along an axis."""
        stride, is_floor = self.strides[axis], self.rounding_type in ("floor", "to_zero")
        if is_floor and self.auto_pad in SAME:
            return dims.ceil_divide(length, stride)
        if around is None:
            return None
        if is_floor and type(length) is int and type(reach) is int:
            total = length + sum(around) - reach
            return 1 - -total // stride if total < 0 and self.rounding_type == "to_zero" else total // stride + 1
        whole = dims.shift(length, sum(around))
        if self.rounding_type == "begun":
            return dims.ceil_divide(whole, stride)
        room = dims.subtract(whole, reach)
        count = dims.add(dims.floor_divide(room, stride) if is_floor else dims.ceil_divide(room, stride), 1)
        if self.rounding_type == "ceil_torch" and isinstance(count, int) and isinstance(length, int):
            count -= (count - 1) * stride >= length + around[0]
        return count

    def counts(self, lengths: Sequence[Dim]) -> list[Any]:
        """Return the number of windows along each axis."""
        pairs = enumerate(zip(lengths, self.reach, strict=False))
        return [self._count(k, *pair, self._around(k, *pair)) for k, pair in pairs]

    def lengths(
        self, shape: Shape, part: str, first: int = 2, *, strict: bool = True, rounded: bool = False
    ) -> list[Dim]:
        """Return the numbers of windows along axes from the `first` on; raise if one is larger than the padded data.

        Unless `strict`, this is seen only at known lengths, and not where the padding is made for the windows. `rounded`: a window may
        be larger, if there are not fewer than none.
        """
        found: list[Dim] = []
        for k, (length, reach) in enumerate(zip(shape[first:], self.reach, strict=False)):
            around = self._around(k, length, reach)
            count = self._count(k, length, reach, around)
            if (strict or (isinstance(length, int) and self.auto_pad not in SAME)) and not (
                rounded and (not isinstance(count, int) or count >= 0)
            ):
                self._want_fit(shape, first + k, reach, around, part)
            found.append(count)
        return found

    @staticmethod
    def _want_fit(shape: Shape, axis: int, reach: Dim, around: tuple[int, int] | None, part: str) -> None:
        if around is None or not isinstance(reach, int):
            return
        want_some(axis, reach, part)
        high = dims.bounds(shape[axis])[1]
        if high is not None and reach > high + sum(around):
            padded = f" with padding {around[0]} and {around[1]}" if any(around) else ""
            message = f"window of {reach} is larger than dimension {axis} of {show(shape)}{padded}"
            raise ShapeError(R.shape_mismatch, message, part, [0, int(part[-1])] if part.startswith("input:") else [0])

    def reached(self, counts: Sequence[Dim]) -> list[Any]:
        """Return over how many elements as many windows reach along each axis."""
        steps = zip(counts, self.strides, self.reach, strict=False)
        return [dims.add(dims.multiply(dims.subtract(count, 1), stride), reach) for count, stride, reach in steps]

    def spread(self, counts: Sequence[Dim], extra: Sequence[int]) -> list[Any]:
        """Return the lengths of a transposed convolution: how far the windows reach, less explicit padding and with what `extra` adds."""
        is_explicit = self.auto_pad == "explicit"
        more = [n - (a + b) * is_explicit for n, a, b in zip(extra, self.before, self.after, strict=False)]
        return list(map(dims.shift, self.reached(counts), more))

    # For kernels, where all lengths are known.

    def pads(self, lengths: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the padding before and after each axis in numbers."""
        pairs: Any = [self._around(k, *pair) for k, pair in enumerate(zip(lengths, self.reach, strict=True))]
        return tuple([before for before, _ in pairs]), tuple([after for _, after in pairs])

    def taps(self, counts: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...]]]:
        """Return for every place in the window the part of the padded data that it meets."""
        for place in np.ndindex(*self.kernel):
            steps = zip(place, self.dilations, counts, self.strides, strict=True)
            yield place, (..., *(slice(at * gap, at * gap + (n - 1) * step + 1, step) for at, gap, n, step in steps))

    def view(self, data: Any, value: Any = 0) -> Any:
        """Return padded data with one more axis per spatial axis: (..., positions..., kernel...), without a copy of each window."""
        lengths = data.shape[data.ndim - self.space :]
        return view_of_windows(
            pad_spatial(data, *self.pads(lengths), value),
            self.kernel,
            self.strides,
            self.dilations,
            self.counts(lengths),
        )


class Placed(NamedTuple):
    """Windows on data of known lengths: how many there are along each axis, their steps and gaps, and the padding of the data."""

    counts: Numbers
    strides: Numbers
    dilations: Numbers
    begin: Numbers
    end: Numbers


def placed(kernel: Numbers, lengths: Numbers, attrs: Mapping[str, Any]) -> Placed:
    """Return windows with some attributes on data of some lengths."""
    told = [(name, tuple(value) if type(value) is list else value) for name, value in attrs.items()]
    return _placed(kernel, lengths, tuple(told))


@lru_cache(maxsize=1024)  # a network has few kinds of windows, and is run again
def _placed(kernel: Numbers, lengths: Numbers, attrs: tuple[tuple[str, Any], ...]) -> Placed:
    windows = Windows(kernel, **dict(attrs))
    return Placed(tuple(windows.counts(lengths)), windows.strides, windows.dilations, *windows.pads(lengths))


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
