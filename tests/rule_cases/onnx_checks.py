"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import ONNX, onnx

_EXTERNAL = onnx(
    ("int64[2] flat = {-1,256}", 'int64[2] flat = ["location": "model.data", "offset": "0", "length": "16"]')
)


_DATA = {"model.data": (-1).to_bytes(8, "little", signed=True) + (256).to_bytes(8, "little")}


class ExternalShape(Cases):
    valid = (Case(ONNX, "onnx"),)
    invalid = (Case(_EXTERNAL, "onnx", "flat", ONNX, side_files=_DATA),)


_DYNAMIC = onnx(("float[1,1,8,8] image", "float[batch,1,8,8] image"), ("float[1,10] scores", "float[batch,10] scores"))


class FixedBatch(Cases):
    valid = (Case(ONNX, "onnx"), Case(_DYNAMIC, "onnx"))
    invalid = (Case(_DYNAMIC.replace("{-1,256}", "{1,256}"), "onnx", "flat"),)
