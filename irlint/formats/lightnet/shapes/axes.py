"""Operators that cut, join, permute, reduce or resample along axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite

from irlint.findings import Severity
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.numbers import as_float, count, cut, single, wrapped
from irlint.formats.lightnet.shapes.base import Call, Dims, Repair, ShapeFunction, Tensor, shown
from irlint.text.numbers import told


def _check_axis(call: Call, k: int, axis: int, part: str = "attr:axis", element: int | None = None) -> None:
    dims = call.inputs[k].dims
    if axis < 0 or (dims is not None and axis >= len(dims)):
        rank = "" if dims is None else f": {call.tell(k)} has axes 0 to {len(dims) - 1}"
        call.fail(
            R.axis_out_of_range,
            part,
            f"there is no axis {axis}{rank}",
            Repair(part, None, element),
            Repair(f"input:{k}", Tensor(call.inputs[k].dtype)),
            element=element,
        )


def _with(dims: Dims, axis: int, size: int) -> list[int]:
    return [*dims[:axis], size, *dims[axis + 1 :]]


def _slice(call: Call, axis: int | None, start: int | None, length: int | None) -> list[Tensor]:
    src = call.inputs[0]
    if axis is None:
        return [Tensor(src.dtype)]
    _check_axis(call, 0, axis)
    if src.dims is None:
        return [Tensor(src.dtype)]
    size = src.dims[axis]
    other = Repair("input:0", Tensor(src.dtype), axis)
    reach = (start or 0) + (length or 1)
    elsewhere = [Repair("attr:axis", k) for k, n in enumerate(src.dims) if size < reach <= n][:1]
    where = f"axis {axis} of {call.tell(0)}, which has {size} element{'s' * (size != 1)}"
    if start is not None and start >= size:
        call.fail(
            R.value_out_of_range,
            "attr:start",
            f"start {start} lies behind {where}",
            *elsewhere,
            Repair("attr:start", None),
            other,
        )
    if length is not None and length > size:
        call.fail(
            R.value_out_of_range,
            "attr:len",
            f"len {length} is more than {where}",
            *elsewhere,
            Repair("attr:len", None),
            other,
        )
    if length is None:
        return [Tensor(src.dtype)]
    if start is not None and wrapped(start + length) > size:
        call.fail(
            R.value_out_of_range,
            "attr:start",
            f"start {start} and len {length} reach {start + length}, behind {where}",
            *elsewhere,
            Repair("attr:start", size - length),
            Repair("attr:len", size - start),
            other,
        )
    return [Tensor(src.dtype, _with(src.dims, axis, length))]


def _reduce(call: Call, axis: int | None) -> list[Tensor]:
    src = call.inputs[0]
    if axis is not None:
        _check_axis(call, 0, axis)
    if axis is None or src.dims is None:
        return [Tensor(src.dtype)]
    return [Tensor(src.dtype, _with(src.dims, axis, 1))]


def _reduce_arg(call: Call, axis: int | None) -> list[Tensor]:
    (reduced,) = _reduce(call, axis)
    return [reduced, Tensor("TL_INT32", reduced.dims)]


def _softmax(call: Call, axis: int | None) -> list[Tensor]:
    if axis is not None:
        _check_axis(call, 0, axis)
    return [call.inputs[0]]


def _concat(call: Call, axis: int | None) -> list[Tensor]:
    first, second = call.inputs
    if axis is not None:
        _check_axis(call, 0, axis)
    if axis is None or first.dims is None or second.dims is None:
        return [Tensor(first.dtype)]
    if len(first.dims) > len(second.dims):
        _concat_ranks(call, first, second)
    for k, (a, b) in enumerate(zip(first.dims, second.dims, strict=False)):
        if k != axis and a != b:
            call.fail(
                R.shape_mismatch,
                "input:1",
                f"{call.tell(1)} is {shown(second.dims)}, but {call.tell(0)} is {shown(first.dims)}; "
                f"they may differ on axis {axis} only",
                Repair("input:1", Tensor(second.dtype, _with(first.dims, axis, second.dims[axis]))),
                Repair("input:0", Tensor(first.dtype, _with(second.dims, axis, first.dims[axis]))),
                *([Repair("attr:axis", k)] if _differ_only(first.dims, second.dims, k) else []),
            )
    if len(first.dims) < len(second.dims):
        call.note(
            R.wrong_rank,
            "input:1",
            f"{call.tell(1)} has {len(second.dims)} dimensions, but {call.tell(0)} has {len(first.dims)}; "
            "LightNet never looks at the rest",
        )
    return [
        call.new(
            first.dtype,
            _with(first.dims, axis, first.dims[axis] + second.dims[axis]),
            Repair("input:1", Tensor(second.dtype)),
        )
    ]


def _differ_only(a: Dims, b: Dims, axis: int) -> bool:
    return len(a) == len(b) and all(x == y for k, (x, y) in enumerate(zip(a, b, strict=True)) if k != axis)


def _concat_ranks(call: Call, first: Tensor, second: Tensor) -> None:
    assert first.dims is not None
    assert second.dims is not None
    call.fail(
        R.shape_mismatch,
        "input:1",
        f"{call.tell(1)} is {shown(second.dims)}, but {call.tell(0)} is {shown(first.dims)}; "
        "both must have the same number of dimensions",
        Repair("input:1", Tensor(second.dtype)),
        Repair("input:0", Tensor(first.dtype)),
    )


def _transpose(call: Call, axes: list[int] | None) -> list[Tensor]:
    src = call.inputs[0]
    if axes is None or src.dims is None:
        return [Tensor(src.dtype)]
    rank = len(src.dims)
    used = [*axes[:rank], *[0] * (rank - len(axes))]  # a short list is read on into zeroed memory
    seen: set[int] = set()
    for index, axis in enumerate(used[: len(axes)]):
        if axis in seen:
            call.fail(
                R.axis_out_of_range,
                "attr:axes",
                f"axes names axis {axis} twice; each of 0 to {rank - 1} must occur once",
                Repair("attr:axes", None, index),
                Repair("input:0", Tensor(src.dtype)),
                element=index,
            )
        if not 0 <= axis < rank:
            _check_axis(call, 0, axis, "attr:axes", index)
        seen.add(axis)
    if len(axes) != rank:
        message = f"axes has {len(axes)} element{'s' * (len(axes) != 1)}, but {call.tell(0)} has {rank} dimensions"
        if len(set(used)) != rank:
            call.fail(
                R.wrong_value_length,
                "attr:axes",
                message,
                Repair("attr:axes", None),
                Repair("input:0", Tensor(src.dtype)),
            )
        call.note(R.wrong_value_length, "attr:axes", message)
    return [Tensor(src.dtype, [src.dims[axis] for axis in used])]


def _reshape(call: Call, dims: list[int] | None) -> list[Tensor]:
    src = call.inputs[0]
    if dims is None:
        return [Tensor(src.dtype)]
    if src.dims is not None and wrapped(count(src.dims)) != wrapped(count(dims)):
        call.fail(
            R.element_count_mismatch,
            "attr:dims",
            f"{shown(dims)} holds {told(count(dims))} element{'s' * (count(dims) != 1)}, "
            f"but {call.tell(0)} is {shown(src.dims)} with {told(count(src.dims))}",
            Repair("attr:dims", None),
            Repair("input:0", Tensor(src.dtype)),
        )
    return [call.new(src.dtype, dims, Repair("attr:dims", None))]


def _check_mode(call: Call, mode: str | None) -> None:
    if mode == "TL_LINEAR":
        call.report(
            R.aborts_at_run,
            "attr:mode",
            "LightNet accepts mode 'TL_LINEAR' and aborts when it runs; only 'TL_NEAREST' is implemented",
            Repair("attr:mode", "TL_NEAREST"),
        )


def _check_length(call: Call, name: str, values: Sequence[float], dims: Dims) -> None:
    if len(values) != len(dims):
        call.fail(
            R.wrong_value_length,
            f"attr:{name}",
            f"{name} has {len(values)} element{'s' * (len(values) != 1)}, "
            f"but {call.tell(0)} has {len(dims)} dimensions: {shown(dims)}",
            Repair(f"attr:{name}", None),
            Repair("input:0", Tensor(call.inputs[0].dtype)),
        )


def _resize(call: Call, mode: str | None, dims: list[int] | None) -> list[Tensor]:
    src = call.inputs[0]
    _check_mode(call, mode)
    if dims is None:
        return [Tensor(src.dtype)]
    if src.dims is not None:
        _check_length(call, "dims", dims, src.dims)
    return [call.new(src.dtype, dims, Repair("attr:dims", None))]


def _upsample(call: Call, mode: str | None, scales: list[float] | None) -> list[Tensor]:
    src = call.inputs[0]
    _check_mode(call, mode)
    if scales is None or src.dims is None:
        return [Tensor(src.dtype)]
    _check_length(call, "scales", scales, src.dims)
    dims = []
    for index, (scale, size) in enumerate(zip(scales, src.dims, strict=True)):
        product = single(as_float(scale) * single(size))
        dims.append(cut(floor(product)) if isfinite(product) else cut(product))
        if dims[-1] <= 0:
            call.fail(
                R.empty_output,
                "attr:scales",
                f"{size} element{'s' * (size != 1)} scaled by {scale:.4g}{_written(call, index, scale)} leave no whole element",
                Repair("attr:scales", None, index),
                Repair("input:0", Tensor(src.dtype)),
                element=index,
            )
    return [call.new(src.dtype, dims, Repair("attr:scales", None))]


def _written(call: Call, index: int, scale: float) -> str:
    """How the file writes a scale, if LightNet reads another one."""
    raw = call.node.attrs["scales"][index]
    return "" if abs(raw - scale) < 1e-6 else f" (which LightNet makes of {raw})"


def _gather(call: Call) -> list[Tensor]:
    """Inputs are those called src*, in file order; src1 is the one that the others are held against."""
    first = list(call.names).index("src1")
    for k in range(len(call.inputs)):
        call.same_dtype(k, first)
        call.same_shape(k, first)
    src = call.inputs[first]
    if src.dims is None:
        return [Tensor(src.dtype)]
    return [call.new(src.dtype, [len(call.inputs), *src.dims], Repair(f"input:{first}", Tensor(src.dtype)))]


def _scatter(call: Call, outputs: list[int]) -> list[Tensor]:
    """One tensor, of which every output is a slice. `outputs`: where the outputs stand in the file's list."""
    src = call.inputs[0]
    if src.dims is None:
        return [Tensor(src.dtype)]
    if len(src.dims) < 2:
        call.fail(
            R.wrong_rank,
            "input:0",
            f"{call.tell(0)} must have 2 dimensions or more, but is {shown(src.dims)}",
            Repair("input:0", Tensor(src.dtype)),
        )
    slices = src.dims[0]
    if len(outputs) != slices:
        call.fail(
            R.wrong_output_count,
            f"output_name:{outputs[slices]}" if len(outputs) > slices else "outputs",
            f"there are {len(outputs)} outputs, but {call.tell(0)} is {shown(src.dims)}, which makes {slices}",
            Repair("outputs", None),
            Repair("input:0", Tensor(src.dtype, [len(outputs), *src.dims[1:]])),
        )
    return [Tensor(src.dtype, src.dims[1:])]


def _load_rows(call: Call) -> list[Tensor]:
    src = call.inputs[0]
    if src.dims is None:
        return [src]
    return [Tensor(src.dtype, [src.dims[0], (src.dims[1] + 7) // 8 * 8])]


def _submean(call: Call, mean: list[float] | None, dtype: str | None) -> list[Tensor]:
    src = call.inputs[0]
    if src.dtype == "TL_BOOL":
        call.fail(
            R.dtype_mismatch,
            "input:0",
            f"{call.tell(0)} must not hold TL_BOOL",
            Repair("input:0", Tensor("TL_UINT8", src.dims)),
        )
    if src.dims is None:
        return [Tensor(dtype)]
    if src.dims[2] != 3:
        call.note(
            R.shape_mismatch,
            "input:0",
            f"{call.tell(0)} should be [H, W, 3], as there are 3 means, but is {shown(src.dims)}",
            Severity.WARNING,
        )
    return [Tensor(dtype, [src.dims[2], src.dims[0], src.dims[1]])]


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
