"""Operators that cut, join, permute, reduce or resample along axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite

from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.numbers import as_float, count, cut, single, wrapped
from irlint.formats.lightnet.shapes.base import (
    Dims,
    KnownTensor,
    ShapeCall,
    ShapeFunction,
    ShapeRepair,
    attr,
    elements,
    shown,
)
from irlint.text.numbers import told

_DIMS, _SCALES = attr("dims"), attr("scales")


def _check_axis(call: ShapeCall, k: int, axis: int, name: str = "axis", element: int | None = None) -> None:
    dims = call.inputs[k].dims
    if axis < 0 or (dims is not None and axis >= len(dims)):
        of = "" if dims is None else f" for {call.tell(k)} {shown(dims)}"
        repairs = attr(name, None, element), call.other(k)
        call.fail(R.axis_out_of_range, f"attr:{name}", f"axis {axis} is out of range{of}", *repairs, element=element)


def _with(dims: Dims, axis: int, size: int) -> list[int]:
    return [*dims[:axis], size, *dims[axis + 1 :]]


def _slice(call: ShapeCall, axis: int | None, start: int | None, length: int | None) -> list[KnownTensor]:
    src = call.inputs[0]
    if axis is not None:
        _check_axis(call, 0, axis)
    if axis is None or src.dims is None:
        return [KnownTensor(src.dtype)]
    size = src.dims[axis]
    if start is not None and start >= size:
        _past_end(call, axis, start, length, f"`start` {start} is past the end of", attr("start"))
    if length is None:
        return [KnownTensor(src.dtype)]
    if length > size:
        _past_end(call, axis, start, length, f"`len` {length} is larger than", attr("len"))
    if start is not None and wrapped(start + length) > size:
        repairs = attr("start", size - length), attr("len", size - start)
        _past_end(call, axis, start, length, f"`start` {start} plus `len` {length} is past the end of", *repairs)
    return [KnownTensor(src.dtype, _with(src.dims, axis, length))]


def _past_end(
    call: ShapeCall, axis: int, start: int | None, length: int | None, what: str, first: ShapeRepair, *more: ShapeRepair
) -> None:
    """Report a slice past the end of its axis; it may fit another one."""
    dims = call.inputs[0].dims or ()
    reach = (start or 0) + (length or 1)
    elsewhere = [attr("axis", k) for k, n in enumerate(dims) if dims[axis] < reach <= n][:1]
    message = f"{what} dimension {axis} of {call.tell(0)} {shown(dims)}"
    call.fail(R.value_out_of_range, first.part, message, *elsewhere, first, *more, call.other(0, None, axis))


def _reduce(call: ShapeCall, axis: int | None) -> list[KnownTensor]:
    src = call.inputs[0]
    if axis is not None:
        _check_axis(call, 0, axis)
    if axis is None or src.dims is None:
        return [KnownTensor(src.dtype)]
    return [KnownTensor(src.dtype, _with(src.dims, axis, 1))]


def _reduce_arg(call: ShapeCall, axis: int | None) -> list[KnownTensor]:
    (reduced,) = _reduce(call, axis)
    return [reduced, KnownTensor("TL_INT32", reduced.dims)]


def _softmax(call: ShapeCall, axis: int | None) -> list[KnownTensor]:
    if axis is not None:
        _check_axis(call, 0, axis)
    return [call.inputs[0]]


def _concat(call: ShapeCall, axis: int | None) -> list[KnownTensor]:
    (dtype, a), (_, b) = call.inputs
    if axis is not None:
        _check_axis(call, 0, axis)
    if axis is None or a is None or b is None:
        return [KnownTensor(dtype)]
    if len(a) > len(b):
        _differ(call, a, b, "both need the same rank", call.other(1), call.other(0))
    for k, (one, another) in enumerate(zip(a, b, strict=False)):
        if k != axis and one != another:
            repairs = [call.other(1, _with(a, axis, b[axis])), call.other(0, _with(b, axis, a[axis]))]
            if len(a) == len(b) and _with(a, k, 0) == _with(b, k, 0):
                repairs.append(attr("axis", k))
            _differ(call, a, b, f"they can differ only in dimension {axis}", *repairs)
    if len(a) < len(b):
        has = f"{call.tell(1)} has {len(b)} dimensions, but {call.tell(0)} has {len(a)}"
        call.note(R.wrong_rank, "input:1", f"{has}; LightNet ignores the rest")
    return [call.new(dtype, _with(a, axis, a[axis] + b[axis]), call.other(1))]


def _differ(call: ShapeCall, a: Dims, b: Dims, why: str, *repairs: ShapeRepair) -> None:
    message = f"shapes of {call.tell(1)} {shown(b)} and {call.tell(0)} {shown(a)} do not match; {why}"
    call.fail(R.shape_mismatch, "input:1", message, *repairs)


def _transpose(call: ShapeCall, axes: list[int] | None) -> list[KnownTensor]:
    src = call.inputs[0]
    if axes is None or src.dims is None:
        return [KnownTensor(src.dtype)]
    rank = len(src.dims)
    used = [*axes[:rank], *[0] * (rank - len(axes))]  # a short list is read on into zeroed memory
    seen: set[int] = set()
    for index, axis in enumerate(used[: len(axes)]):
        if axis in seen:
            message = f"duplicate axis {axis} in `axes`; expected 0 to {rank - 1}, once each"
            repairs = attr("axes", None, index), call.other(0)
            call.fail(R.axis_out_of_range, "attr:axes", message, *repairs, element=index)
        if not 0 <= axis < rank:
            _check_axis(call, 0, axis, "axes", index)
        seen.add(axis)
    if len(axes) != rank:
        message = f"expected {rank} numbers in `axes` (one per dimension of {call.tell(0)}), got {len(axes)}"
        if len(set(used)) != rank:
            call.fail(R.wrong_value_length, "attr:axes", message, attr("axes"), call.other(0))
        call.note(R.wrong_value_length, "attr:axes", message)
    return [KnownTensor(src.dtype, [src.dims[axis] for axis in used])]


def _reshape(call: ShapeCall, dims: list[int] | None) -> list[KnownTensor]:
    src = call.inputs[0]
    if dims is None:
        return [KnownTensor(src.dtype)]
    if src.dims is not None and wrapped(count(src.dims)) != wrapped(count(dims)):
        wanted = f"{told(count(src.dims))} element{'s' * (count(src.dims) != 1)}"
        message = f"expected `dims` with {wanted}, as {call.tell(0)} {shown(src.dims)}, got {shown(dims)} with {told(count(dims))}"
        call.fail(R.element_count_mismatch, "attr:dims", message, _DIMS, call.other(0))
    return [call.new(src.dtype, dims, _DIMS)]


def _check_mode(call: ShapeCall, mode: str | None) -> None:
    if mode == "TL_LINEAR":
        message = "expected `TL_NEAREST` for `mode`, got `TL_LINEAR`; LightNet loads it and aborts when it runs"
        call.report(R.aborts_at_run, "attr:mode", message, attr("mode", "TL_NEAREST"))


def _check_length(call: ShapeCall, name: str, values: Sequence[float], dims: Dims) -> None:
    if len(values) != len(dims):
        each = f"one per dimension of {call.tell(0)} {shown(dims)}"
        message = f"expected {len(dims)} numbers in `{name}` ({each}), got {len(values)}"
        call.fail(R.wrong_value_length, f"attr:{name}", message, attr(name), call.other(0))


def _resize(call: ShapeCall, mode: str | None, dims: list[int] | None) -> list[KnownTensor]:
    src = call.inputs[0]
    _check_mode(call, mode)
    if dims is None:
        return [KnownTensor(src.dtype)]
    if src.dims is not None:
        _check_length(call, "dims", dims, src.dims)
    return [call.new(src.dtype, dims, _DIMS)]


def _upsample(call: ShapeCall, mode: str | None, scales: list[float] | None) -> list[KnownTensor]:
    src = call.inputs[0]
    _check_mode(call, mode)
    if scales is None or src.dims is None:
        return [KnownTensor(src.dtype)]
    _check_length(call, "scales", scales, src.dims)
    dims = []
    for index, (scale, size) in enumerate(zip(scales, src.dims, strict=True)):
        product = single(as_float(scale) * single(size))
        dims.append(cut(floor(product)) if isfinite(product) else cut(product))
        if dims[-1] <= 0:
            by = f"{scale:.4g}{_written(call, index, scale)}"
            message = f"scaling {elements(size)} by {by} leaves none"
            repairs = attr("scales", None, index), call.other(0)
            call.fail(R.empty_output, "attr:scales", message, *repairs, element=index)
    return [call.new(src.dtype, dims, _SCALES)]


def _written(call: ShapeCall, index: int, scale: float) -> str:
    """Return how the file writes a scale, if LightNet reads another one."""
    raw = call.node.attrs["scales"][index]
    return "" if abs(raw - scale) < 1e-6 else f" (LightNet reads {raw} as this)"


def _gather(call: ShapeCall) -> list[KnownTensor]:
    """Inputs are those called src*, in file order; src1 is what the others are compared with."""
    first = list(call.names).index("src1")
    for k in range(len(call.inputs)):
        call.same_dtype(k, first)
        call.same_shape(k, first)
    src = call.inputs[first]
    if src.dims is None:
        return [KnownTensor(src.dtype)]
    return [call.new(src.dtype, [len(call.inputs), *src.dims], call.other(first))]


def _scatter(call: ShapeCall, outputs: list[int]) -> list[KnownTensor]:
    """One tensor, of which every output is a slice. `outputs`: positions of the outputs in the file's list."""
    src = call.inputs[0]
    if src.dims is None:
        return [KnownTensor(src.dtype)]
    if len(src.dims) < 2:
        message = f"expected rank 2 or more for {call.tell(0)}, got {shown(src.dims)}"
        call.fail(R.wrong_rank, "input:0", message, call.other(0))
    slices = src.dims[0]
    if len(outputs) != slices:
        part = f"output_name:{outputs[slices]}" if len(outputs) > slices else "outputs"
        wanted = f"expected {slices} output{'s' * (slices != 1)} (slices of {call.tell(0)} {shown(src.dims)})"
        repairs = ShapeRepair("outputs", None), call.other(0, [len(outputs), *src.dims[1:]])
        call.fail(R.wrong_output_count, part, f"{wanted}, got {len(outputs)}", *repairs)
    return [KnownTensor(src.dtype, src.dims[1:])]


def _load_rows(call: ShapeCall) -> list[KnownTensor]:
    src = call.inputs[0]
    if src.dims is None:
        return [src]
    return [KnownTensor(src.dtype, [src.dims[0], (src.dims[1] + 7) // 8 * 8])]


def _submean(call: ShapeCall, mean: list[float] | None, dtype: str | None) -> list[KnownTensor]:
    src = call.inputs[0]
    if src.dtype == "TL_BOOL":
        repair = ShapeRepair("input:0", KnownTensor("TL_UINT8", src.dims))
        call.fail(R.dtype_mismatch, "input:0", f"unsupported type TL_BOOL for {call.tell(0)}", repair)
    if src.dims is None:
        return [KnownTensor(dtype)]
    height, width, channels = src.dims
    if channels != 3:
        message = f"expected shape [H, W, 3] for {call.tell(0)} (3 means), got {shown(src.dims)}"
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
    "ldmr": _load_rows,
    "submean": _submean,
}
