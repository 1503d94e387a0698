"""Operators that make numbers of their parameters (constants, zeros, ranges), that keep the shape of an input, or work on vectors."""

from __future__ import annotations

from math import ceil, isfinite

from irlint.formats.lightnet.reading.c_values import INT_MAX, RANGES
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import KnownTensor, Param, ShapeCall, ShapeFunction, attr, elements, shown

CHANNELS = 1  # in [N, C, H, W]

_DIMS = attr("dims")


def _zeros(call: ShapeCall, dtype: Param, dims: Param) -> list[KnownTensor]:
    return [call.new(dtype, dims, _DIMS)]


def _create(call: ShapeCall, dtype: Param, dims: Param, ran: Param, data: Param, from_file: Param) -> list[KnownTensor]:
    if ran is not None and ran[0] > ran[1]:
        message = f"expected [low, high] for `ran`, got [{ran[0]}, {ran[1]}]"
        call.report(R.value_out_of_range, "attr:ran", message, attr("ran", None, 0 if ran[0] else 1))
    return [call.new(dtype, dims, _DIMS)]


def _range_length(call: ShapeCall, dtype: Param, start: Param, stop: Param, step: Param) -> Param:
    """Return how many numbers a range has, after LightNet's checks of its ends."""
    if step is not None and step <= 0:
        call.fail(R.value_out_of_range, "attr:step", f"expected more than 0 for `step`, got {step}", attr("step"))
    if None not in (start, stop) and stop <= start:
        message = f"expected more than `start` {start} for `stop`, got {stop}"
        repairs = map(attr, ("start", "stop") if start and stop > 0 else ("stop", "start"))
        call.fail(R.value_out_of_range, "attr:stop", message, *repairs)
    if dtype is not None:
        _check_range(call, dtype, start=start, stop=stop, step=step)
    if None in (start, stop, step):
        return None
    length = (stop - start) / step
    if not isfinite(length) or ceil(length) > INT_MAX:
        message = f"too many numbers from {start} to {stop} by {step}; LightNet supports at most {INT_MAX}"
        call.fail(R.too_large, "attr:stop", message, attr("stop"))
    return ceil(length)


def _check_range(call: ShapeCall, dtype: str, **values: Param) -> None:
    """Check that an element type holds the parameters of a range."""
    low, high = RANGES[dtype]
    for name, value in values.items():
        if value is not None and not low <= value <= high:
            message = f"expected {low:g} to {high:g} ({dtype}) for `{name}`, got {value}"
            call.fail(R.value_out_of_range, f"attr:{name}", message, attr(name))


def _arange(call: ShapeCall, dtype: Param, start: Param, stop: Param, step: Param) -> list[KnownTensor]:
    length = _range_length(call, dtype, start, stop, step)
    return [KnownTensor(dtype, None if length is None else [length])]


def _rearange(call: ShapeCall, start: Param, stop: Param, step: Param) -> list[KnownTensor]:
    dtype, dims = call.inputs[0]
    length = _range_length(call, dtype, start, stop, step)
    if None not in (length, dims) and length != dims[0]:
        message = f"from {start} to {stop} by {step} are {length} numbers, but {call.tell(0)} is {shown(dims)}"
        call.fail(R.element_count_mismatch, "attr:stop", message, attr("stop"), call.other(0, [length]))
    return [call.inputs[0]]


def _as_first(call: ShapeCall, *params: Param) -> list[KnownTensor]:
    return [call.inputs[0]]


def _lrelu(call: ShapeCall, slope: Param) -> list[KnownTensor]:
    dtype = call.inputs[0].dtype
    if dtype in ("TL_INT64", "TL_UINT64"):
        message = f"unsupported type {dtype} for {call.tell(0)}; LightNet loads it and aborts when it runs"
        call.report(R.aborts_at_run, "input:0", message, call.retyped(0, "TL_FLOAT"))
    return [call.inputs[0]]


def _batchnorm(call: ShapeCall, epsilon: Param) -> list[KnownTensor]:
    src, *others = (tensor.dims for tensor in call.inputs)
    for k, dims in enumerate(others, 1):
        if None not in (src, dims) and dims[0] != src[CHANNELS]:
            repairs = call.other(k, [src[CHANNELS]]), call.other(0, [*src[:1], dims[0], *src[2:]])
            call.fail_length(k, src[CHANNELS], f"channel of {call.tell(0)} {shown(src)}", *repairs)
    return [call.inputs[0]]


def _dot_product(call: ShapeCall) -> list[KnownTensor]:
    return [KnownTensor(call.inputs[0].dtype, [1])]


def _transform_bbox(call: ShapeCall, *params: Param) -> list[KnownTensor]:
    dims = call.inputs[0].dims
    if dims is not None and dims[4] != 4:
        message = f"expected 4 elements in the last dimension of {call.tell(0)}, got {shown(dims)}"
        call.fail(R.shape_mismatch, "input:0", message, call.other(0, [*dims[:4], 4]))
    return [call.inputs[0]]


def _sort_by_key(call: ShapeCall, direction: Param) -> list[KnownTensor]:
    key, val = (tensor.dims for tensor in call.inputs)
    if None not in (key, val) and key[0] != val[0]:
        message = f"expected {elements(key[0])} in {call.tell(1)}, as in {call.tell(0)}, got {val[0]}"
        call.fail(R.shape_mismatch, "input:1", message, call.other(1, key), call.other(0, val))
    return call.inputs


def _load_rows(call: ShapeCall) -> list[KnownTensor]:
    dtype, dims = call.inputs[0]
    return [KnownTensor(dtype, None if dims is None else _padded(dims))]


def _store_rows(call: ShapeCall) -> list[KnownTensor]:
    dims = call.inputs[0].dims
    if dims is not None and _padded(dims) != list(dims):
        message = f"expected a multiple of 8 for dimension 1 of {call.tell(0)}, got {shown(dims)}"
        call.fail(R.shape_mismatch, "input:0", message, call.other(0, _padded(dims)))
    return [call.inputs[0]]


def _padded(dims: Param) -> list[int]:
    """Return the shape of a matrix in the memory of a DPU: its rows are multiples of 8."""
    return [dims[0], (dims[1] + 7) // 8 * 8]


def _pick1d(call: ShapeCall, length: Param, stride: Param) -> list[KnownTensor]:
    src, index = call.inputs
    if None not in (length, index.dims) and length > index.dims[0]:
        message = f"`len` {length} is larger than {call.tell(1)} ({elements(index.dims[0])})"
        call.fail(R.value_out_of_range, "attr:len", message, attr("len", index.dims[0]), call.other(1, [length]))
    return [call.new(src.dtype, None if None in (length, stride) else [length * stride], attr("stride"))]


SHAPES: dict[str, ShapeFunction] = {
    "zeros": _zeros,
    "create": _create,
    "arange": _arange,
    "rearange": _rearange,
    "relu": _as_first,
    "sigmoid": _as_first,
    "forward": _as_first,
    "elew": _as_first,
    "sort1d": _as_first,
    "lrelu": _lrelu,
    "batchnorm": _batchnorm,
    "dot_product": _dot_product,
    "transform_bboxSQD": _transform_bbox,
    "sort1d_by_key": _sort_by_key,
    "ldmr": _load_rows,
    "svmr": _store_rows,
    "pick1d": _pick1d,
    "print": lambda call, *params: [],
    "fprint": lambda call, *params: [],
}
