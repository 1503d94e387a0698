"""Operators that make numbers of their parameters: constants, zeros, ranges."""

from __future__ import annotations

from math import ceil, isfinite

from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.numbers import INT_MAX, RANGES
from irlint.formats.lightnet.shapes.base import KnownTensor, ShapeCall, ShapeFunction, attr, shown

_DIMS = attr("dims")


def _zeros(call: ShapeCall, dtype: str | None, dims: list[int] | None) -> list[KnownTensor]:
    return [call.new(dtype, dims, _DIMS)]


def _create(
    call: ShapeCall,
    dtype: str | None,
    dims: list[int] | None,
    ran: list[float] | None,
    data: list[float] | None,
    from_file: bool | None,
) -> list[KnownTensor]:
    if ran is not None and ran[0] > ran[1]:
        message = f"expected [low, high] for `ran`, got [{ran[0]}, {ran[1]}]"
        call.report(R.value_out_of_range, "attr:ran", message, attr("ran", None, 0 if ran[0] else 1))
    return [call.new(dtype, dims, _DIMS)]


def _range_length(
    call: ShapeCall, dtype: str | None, start: float | None, stop: float | None, step: float | None
) -> int | None:
    """Return how many numbers a range has, after LightNet's checks of its ends."""
    if step is not None and step <= 0:
        call.fail(R.value_out_of_range, "attr:step", f"expected more than 0 for `step`, got {step}", attr("step"))
    if start is not None and stop is not None and stop <= start:
        repairs = map(attr, ("start", "stop") if start and stop > 0 else ("stop", "start"))
        call.fail(
            R.value_out_of_range, "attr:stop", f"expected more than `start` {start} for `stop`, got {stop}", *repairs
        )
    if dtype is not None:
        low, high = RANGES[dtype]
        for name, value in (("start", start), ("stop", stop), ("step", step)):
            if value is not None and not low <= value <= high:
                message = f"expected {low:g} to {high:g} ({dtype}) for `{name}`, got {value}"
                call.fail(R.value_out_of_range, f"attr:{name}", message, attr(name))
    if start is None or stop is None or step is None:
        return None
    length = (stop - start) / step
    if not isfinite(length) or ceil(length) > INT_MAX:
        message = f"too many numbers from {start} to {stop} by {step}; LightNet supports at most {INT_MAX}"
        call.fail(R.too_large, "attr:stop", message, attr("stop"))
    return ceil(length)


def _arange(
    call: ShapeCall, dtype: str | None, start: float | None, stop: float | None, step: float | None
) -> list[KnownTensor]:
    length = _range_length(call, dtype, start, stop, step)
    return [KnownTensor(dtype, None if length is None else [length])]


def _rearange(call: ShapeCall, start: float | None, stop: float | None, step: float | None) -> list[KnownTensor]:
    src = call.inputs[0]
    length = _range_length(call, src.dtype, start, stop, step)
    if length is not None and src.dims is not None and length != src.dims[0]:
        message = f"from {start} to {stop} by {step} are {length} numbers, but {call.tell(0)} is {shown(src.dims)}"
        call.fail(R.element_count_mismatch, "attr:stop", message, attr("stop"), call.other(0, [length]))
    return [src]


SHAPES: dict[str, ShapeFunction] = {"zeros": _zeros, "create": _create, "arange": _arange, "rearange": _rearange}
