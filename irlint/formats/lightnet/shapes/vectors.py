"""Operators on vectors whose output has a length of its own."""

from __future__ import annotations

from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.shapes.base import Call, Repair, ShapeFunction, Tensor, shown
from irlint.formats.lightnet.shapes.sources import range_length


def _rearange(call: Call, start: float | None, stop: float | None, step: float | None) -> list[Tensor]:
    src = call.inputs[0]
    length = range_length(call, src.dtype, start, stop, step)
    if length is not None and src.dims is not None and length != src.dims[0]:
        call.fail(
            R.element_count_mismatch,
            "attr:stop",
            f"from {start} to {stop} by {step} are {length} numbers, but {call.tell(0)} is {shown(src.dims)}",
            Repair("attr:stop", None),
            Repair("input:0", Tensor(src.dtype, [length])),
        )
    return [src]


def _pick1d(call: Call, length: int | None, stride: int | None) -> list[Tensor]:
    src, index = call.inputs
    if length is not None and index.dims is not None and length > index.dims[0]:
        call.fail(
            R.value_out_of_range,
            "attr:len",
            f"len {length} is more than {call.tell(1)} has elements: {index.dims[0]}",
            Repair("attr:len", index.dims[0]),
            Repair("input:1", Tensor(index.dtype, [length])),
        )
    if length is None or stride is None:
        return [Tensor(src.dtype)]
    return [call.new(src.dtype, [length * stride], Repair("attr:stride", None))]


SHAPES: dict[str, ShapeFunction] = {"rearange": _rearange, "pick1d": _pick1d}
