"""Operators whose output has the shape of their first input."""

from __future__ import annotations

from typing import Any

from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.shapes.base import Call, Repair, ShapeFunction, Tensor, shown

CHANNELS = 1  # in [N, C, H, W]


def _as_first(call: Call, *params: Any) -> list[Tensor]:
    return [call.inputs[0]]


def _lrelu(call: Call, slope: float | None) -> list[Tensor]:
    src = call.inputs[0]
    if src.dtype in ("TL_INT64", "TL_UINT64"):
        call.report(
            R.aborts_at_run,
            "input:0",
            f"{call.tell(0)} holds {src.dtype}, on which LightNet aborts when it runs",
            Repair("input:0", Tensor("TL_FLOAT", src.dims)),
        )
    return [src]


def _batchnorm(call: Call, epsilon: float | None) -> list[Tensor]:
    src = call.inputs[0]
    if src.dims is not None:
        channels = src.dims[CHANNELS]
        for k in range(1, 5):
            dims = call.inputs[k].dims
            if dims is not None and dims[0] != channels:
                call.fail(
                    R.shape_mismatch,
                    f"input:{k}",
                    f"{call.tell(k)} has {dims[0]} element{'s' * (dims[0] != 1)}, "
                    f"but {call.tell(0)} has {channels} channels: {shown(src.dims)}",
                    Repair(f"input:{k}", Tensor(call.inputs[k].dtype, [channels])),
                    Repair("input:0", Tensor(src.dtype, [*src.dims[:1], dims[0], *src.dims[2:]])),
                )
    return [src]


def _dot_product(call: Call) -> list[Tensor]:
    return [Tensor(call.inputs[0].dtype, [1])]


def _transform_bbox(call: Call, *params: int | None) -> list[Tensor]:
    delta = call.inputs[0]
    if delta.dims is not None and delta.dims[4] != 4:
        call.fail(
            R.shape_mismatch,
            "input:0",
            f"{call.tell(0)} must have 4 elements on its last axis, but is {shown(delta.dims)}",
            Repair("input:0", Tensor(delta.dtype, [*delta.dims[:4], 4])),
        )
    return [delta]


def _sort_by_key(call: Call, direction: str | None) -> list[Tensor]:
    key, val = call.inputs
    if key.dims is not None and val.dims is not None and key.dims[0] != val.dims[0]:
        call.fail(
            R.shape_mismatch,
            "input:1",
            f"{call.tell(1)} has {val.dims[0]} elements, but {call.tell(0)} has {key.dims[0]}",
            Repair("input:1", Tensor(val.dtype, key.dims)),
            Repair("input:0", Tensor(key.dtype, val.dims)),
        )
    return [key, val]


def _store_rows(call: Call) -> list[Tensor]:
    src = call.inputs[0]
    if src.dims is not None and src.dims[1] % 8:
        call.fail(
            R.shape_mismatch,
            "input:0",
            f"{call.tell(0)} must have rows of a multiple of 8 elements, but is {shown(src.dims)}",
            Repair("input:0", Tensor(src.dtype, [src.dims[0], (src.dims[1] + 7) // 8 * 8])),
        )
    return [src]


SHAPES: dict[str, ShapeFunction] = {
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
    "svmr": _store_rows,
    "print": lambda call, *params: [],
    "fprint": lambda call, *params: [],
}
