"""Operators that cut, join, permute, reduce or resample along axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isclose, isfinite, prod

from irlint.formats.lightnet.reading.c_values import as_double, as_float, cut, single, wrapped
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import (
    Dims,
    KnownTensor,
    Param,
    ShapeCall,
    ShapeFunction,
    ShapeRepair,
    attr,
    elements,
    shown,
)
from irlint.text.numbers import told

_DIMS, _SCALES = attr("dims"), attr("scales")


def _check_axis(call: ShapeCall, axis: int, name: str = "axis", element: int | None = None) -> None:
    dims = call.inputs[0].dims
    if axis < 0 or (dims is not None and axis >= len(dims)):
        of = "" if dims is None else f" for {call.tell(0)} {shown(dims)}"
        repairs = attr(name, None, element), call.other(0)
        call.fail(R.axis_out_of_range, f"attr:{name}", f"axis {axis} is out of range{of}", *repairs, element=element)


def _along(call: ShapeCall, axis: Param) -> Param:
    """Return the dimensions of the first input, which has this axis; None if one of them is unknown."""
    if axis is None:
        return None
    _check_axis(call, axis)
    return call.inputs[0].dims


def _with(dims: Dims, axis: int, size: int) -> list[int]:
    return [*dims[:axis], size, *dims[axis + 1 :]]


def _slice(call: ShapeCall, axis: Param, start: Param, length: Param) -> list[KnownTensor]:
    dtype, dims = call.inputs[0].dtype, _along(call, axis)
    if dims is None:
        return [KnownTensor(dtype)]
    size = dims[axis]
    if start is not None and start >= size:
        _past_end(call, axis, start, length, f"`start` {start} is past the end of", attr("start"))
    if length is None:
        return [KnownTensor(dtype)]
    if length > size:
        _past_end(call, axis, start, length, f"`len` {length} is larger than", attr("len"))
    if start is not None and wrapped(start + length) > size:
        repairs = attr("start", size - length), attr("len", size - start)
        _past_end(call, axis, start, length, f"`start` {start} plus `len` {length} is past the end of", *repairs)
    return [KnownTensor(dtype, _with(dims, axis, length))]


def _past_end(
    call: ShapeCall, axis: int, start: Param, length: Param, what: str, first: ShapeRepair, *more: ShapeRepair
) -> None:
    """Report a slice past the end of its axis; it may fit another one."""
    dims = call.inputs[0].dims
    reach = (start or 0) + (length or 1)
    elsewhere = [attr("axis", k) for k, n in enumerate(dims) if dims[axis] < reach <= n][:1]
    message = f"{what} dimension {axis} of {call.tell(0)} {shown(dims)}"
    call.fail(R.value_out_of_range, first.part, message, *elsewhere, first, *more, call.other(0, None, axis))


def _reduce(call: ShapeCall, axis: Param) -> list[KnownTensor]:
    dims = _along(call, axis)
    return [KnownTensor(call.inputs[0].dtype, None if dims is None else _with(dims, axis, 1))]


def _reduce_arg(call: ShapeCall, axis: Param) -> list[KnownTensor]:
    (reduced,) = _reduce(call, axis)
    return [reduced, KnownTensor("TL_INT32", reduced.dims)]


def _softmax(call: ShapeCall, axis: Param) -> list[KnownTensor]:
    _along(call, axis)
    return [call.inputs[0]]


def _concat(call: ShapeCall, axis: Param) -> list[KnownTensor]:
    dtype, a, b = call.inputs[0].dtype, _along(call, axis), call.inputs[1].dims
    if None in (a, b):
        return [KnownTensor(dtype)]
    if len(a) > len(b):
        _differ(call, "both need the same rank", call.other(1), call.other(0))
    for k, (one, another) in enumerate(zip(a, b, strict=False)):
        if k != axis and one != another:
            repairs = [call.other(1, _with(a, axis, b[axis])), call.other(0, _with(b, axis, a[axis]))]
            if _with(a, k, 0) == _with(b, k, 0):
                repairs.append(attr("axis", k))
            _differ(call, f"they can differ only in dimension {axis}", *repairs)
    if len(a) < len(b):
        has = f"{call.tell(1)} has {len(b)} dimensions, but {call.tell(0)} has {len(a)}"
        call.note(R.wrong_rank, "input:1", f"{has}; LightNet ignores the rest")
    return [call.new(dtype, _with(a, axis, a[axis] + b[axis]), call.other(1))]


def _differ(call: ShapeCall, why: str, *repairs: ShapeRepair) -> None:
    a, b = (tensor.dims for tensor in call.inputs)
    message = f"shapes of {call.tell(1)} {shown(b)} and {call.tell(0)} {shown(a)} do not match; {why}"
    call.fail(R.shape_mismatch, "input:1", message, *repairs)


def _transpose(call: ShapeCall, axes: Param) -> list[KnownTensor]:
    dtype, dims = call.inputs[0]
    if None in (axes, dims):
        return [KnownTensor(dtype)]
    rank = len(dims)
    used = [*axes[:rank], *[0] * (rank - len(axes))]  # a short list is read on into zeroed memory
    seen: set[int] = set()
    for index, axis in enumerate(used[: len(axes)]):
        if axis in seen:
            message = f"duplicate axis {axis} in `axes`; expected 0 to {rank - 1}, once each"
            repairs = attr("axes", None, index), call.other(0)
            call.fail(R.axis_out_of_range, "attr:axes", message, *repairs, element=index)
        _check_axis(call, axis, "axes", index)
        seen.add(axis)
    if len(axes) != rank:
        message = f"expected {rank} numbers in `axes` (one per dimension of {call.tell(0)}), got {len(axes)}"
        if len(set(used)) != rank:
            call.fail(R.wrong_value_length, "attr:axes", message, attr("axes"), call.other(0))
        call.note(R.wrong_value_length, "attr:axes", message)
    return [KnownTensor(dtype, [dims[axis] for axis in used])]


def _reshape(call: ShapeCall, dims: Param) -> list[KnownTensor]:
    dtype, old = call.inputs[0]
    if None not in (dims, old) and wrapped(prod(old)) != wrapped(prod(dims)):
        wanted = f"`dims` with {elements(prod(old))}, as {call.tell(0)} {shown(old)}"
        message = f"expected {wanted}, got {shown(dims)} with {told(prod(dims))}"
        call.fail(R.element_count_mismatch, "attr:dims", message, _DIMS, call.other(0))
    return [call.new(dtype, dims, _DIMS)]


def _check_mode(call: ShapeCall, mode: Param) -> None:
    if mode == "TL_LINEAR":
        message = "expected `TL_NEAREST` for `mode`, got `TL_LINEAR`; LightNet loads it and aborts when it runs"
        call.report(R.aborts_at_run, "attr:mode", message, attr("mode", "TL_NEAREST"))


def _check_length(call: ShapeCall, name: str, values: Sequence[float], dims: Dims) -> None:
    if len(values) != len(dims):
        each = f"one per dimension of {call.tell(0)} {shown(dims)}"
        message = f"expected {len(dims)} numbers in `{name}` ({each}), got {len(values)}"
        call.fail(R.wrong_value_length, f"attr:{name}", message, attr(name), call.other(0))


def _resize(call: ShapeCall, mode: Param, dims: Param) -> list[KnownTensor]:
    dtype, old = call.inputs[0]
    _check_mode(call, mode)
    if None not in (dims, old):
        _check_length(call, "dims", dims, old)
    return [call.new(dtype, dims, _DIMS)]


def _upsample(call: ShapeCall, mode: Param, scales: Param) -> list[KnownTensor]:
    dtype, old = call.inputs[0]
    _check_mode(call, mode)
    if None in (scales, old):
        return [KnownTensor(dtype)]
    _check_length(call, "scales", scales, old)
    dims = []
    for index, (scale, size) in enumerate(zip(scales, old, strict=True)):
        product = single(as_float(scale) * single(size))
        dims.append(cut(floor(product)) if isfinite(product) else cut(product))
        if dims[-1] <= 0:
            message = f"scaling {elements(size)} by {scale:.4g}{_written(call, index, scale)} leaves none"
            repairs = attr("scales", None, index), call.other(0)
            call.fail(R.empty_output, "attr:scales", message, *repairs, element=index)
    return [call.new(dtype, dims, _SCALES)]


def _written(call: ShapeCall, index: int, scale: float) -> str:
    """Return how the file writes a scale, if LightNet reads another one."""
    raw = call.operator.node.attrs["scales"][index]
    return "" if isclose(as_double(raw), scale, rel_tol=1e-6, abs_tol=1e-6) else f" (LightNet reads {raw} as this)"


def _gather(call: ShapeCall) -> list[KnownTensor]:
    """Inputs are those called src*, in file order; src1 is what the others are compared with."""
    first = list(call.operator.names).index("src1")
    for k in range(len(call.inputs)):
        call.same_dtype(k, first)
        call.same_shape(k, first)
    dtype, dims = call.inputs[first]
    return [call.new(dtype, None if dims is None else [len(call.inputs), *dims], call.other(first))]


def _scatter(call: ShapeCall, outputs: list[int]) -> list[KnownTensor]:
    """One tensor, of which every output is a slice. `outputs`: positions of the outputs in the file's list."""
    dtype, dims = call.inputs[0]
    if dims is None:
        return [KnownTensor(dtype)]
    if len(dims) < 2:
        message = f"expected rank 2 or more for {call.tell(0)}, got {shown(dims)}"
        call.fail(R.wrong_rank, "input:0", message, call.other(0))
    slices = dims[0]
    if len(outputs) != slices:
        part = f"output_name:{outputs[slices]}" if len(outputs) > slices else "outputs"
        wanted = f"expected {slices} output{'s' * (slices != 1)} (slices of {call.tell(0)} {shown(dims)})"
        repairs = ShapeRepair("outputs", None, None), call.other(0, [len(outputs), *dims[1:]])
        call.fail(R.wrong_output_count, part, f"{wanted}, got {len(outputs)}", *repairs)
    return [KnownTensor(dtype, dims[1:])]


def _submean(call: ShapeCall, mean: Param, dtype: Param) -> list[KnownTensor]:
    given, dims = call.inputs[0]
    if given == "TL_BOOL":
        message = f"unsupported type TL_BOOL for {call.tell(0)}"
        call.fail(R.dtype_mismatch, "input:0", message, call.retyped(0, "TL_UINT8"))
    if dims is None:
        return [KnownTensor(dtype)]
    height, width, channels = dims
    if channels != 3:
        message = f"expected shape [H, W, 3] for {call.tell(0)} (3 means), got {shown(dims)}"
        call.note(R.shape_mismatch, "input:0", message)
    return [KnownTensor(dtype, [channels, height, width])]


SHAPES: dict[str, ShapeFunction] = {
    "slice": _slice,
    "maxreduce": _reduce,
    "maxreduce_arg": _reduce_arg,
    "softmax": _softmax,
    "concat": _concat,
    "transpose": _transpose,
    "reshape": _reshape,
    "resize": _resize,
    "upsample": _upsample,
    "gather": _gather,
    "scatter": _scatter,
    "submean": _submean,
}
