"""Operators whose output has the shape of their first input, and those on vectors."""

from __future__ import annotations

from typing import Any

from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.shapes.base import (
    KnownTensor,
    ShapeCall,
    ShapeFunction,
    ShapeRepair,
    attr,
    elements,
    shown,
)

CHANNELS = 1  # in [N, C, H, W]


def _as_first(call: ShapeCall, *params: Any) -> list[KnownTensor]:
    return [call.inputs[0]]


def _lrelu(call: ShapeCall, slope: float | None) -> list[KnownTensor]:
    src = call.inputs[0]
    if src.dtype in ("TL_INT64", "TL_UINT64"):
        message = f"unsupported type {src.dtype} for {call.tell(0)}; LightNet loads it and aborts when it runs"
        call.report(R.aborts_at_run, "input:0", message, ShapeRepair("input:0", KnownTensor("TL_FLOAT", src.dims)))
    return [src]


def _batchnorm(call: ShapeCall, epsilon: float | None) -> list[KnownTensor]:
    src = call.inputs[0]
    if src.dims is not None:
        channels = src.dims[CHANNELS]
        for k in range(1, 5):
            dims = call.inputs[k].dims
            if dims is not None and dims[0] != channels:
                each = f"one per channel of {call.tell(0)} {shown(src.dims)}"
                message = f"expected {elements(channels)} in {call.tell(k)} ({each}), got {dims[0]}"
                other = call.other(0, [*src.dims[:1], dims[0], *src.dims[2:]])
                call.fail(R.shape_mismatch, f"input:{k}", message, call.other(k, [channels]), other)
    return [src]


def _dot_product(call: ShapeCall) -> list[KnownTensor]:
    return [KnownTensor(call.inputs[0].dtype, [1])]


def _transform_bbox(call: ShapeCall, *params: int | None) -> list[KnownTensor]:
    delta = call.inputs[0]
    if delta.dims is not None and delta.dims[4] != 4:
        message = f"expected 4 elements in the last dimension of {call.tell(0)}, got {shown(delta.dims)}"
        call.fail(R.shape_mismatch, "input:0", message, call.other(0, [*delta.dims[:4], 4]))
    return [delta]


def _sort_by_key(call: ShapeCall, direction: str | None) -> list[KnownTensor]:
    key, val = call.inputs
    if key.dims is not None and val.dims is not None and key.dims[0] != val.dims[0]:
        message = f"expected {elements(key.dims[0])} in {call.tell(1)}, as in {call.tell(0)}, got {val.dims[0]}"
        call.fail(R.shape_mismatch, "input:1", message, call.other(1, key.dims), call.other(0, val.dims))
    return [key, val]


def _store_rows(call: ShapeCall) -> list[KnownTensor]:
    src = call.inputs[0]
    if src.dims is not None and src.dims[1] % 8:
        message = f"expected a multiple of 8 for dimension 1 of {call.tell(0)}, got {shown(src.dims)}"
        call.fail(R.shape_mismatch, "input:0", message, call.other(0, [src.dims[0], (src.dims[1] + 7) // 8 * 8]))
    return [src]


def _pick1d(call: ShapeCall, length: int | None, stride: int | None) -> list[KnownTensor]:
    src, index = call.inputs
    if length is not None and index.dims is not None and length > index.dims[0]:
        message = f"`len` {length} is larger than {call.tell(1)} ({elements(index.dims[0])})"
        call.fail(R.value_out_of_range, "attr:len", message, attr("len", index.dims[0]), call.other(1, [length]))
    if length is None or stride is None:
        return [KnownTensor(src.dtype)]
    return [call.new(src.dtype, [length * stride], attr("stride"))]


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
    "pick1d": _pick1d,
    "print": lambda call, *params: [],
    "fprint": lambda call, *params: [],
}
