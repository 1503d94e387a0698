"""Samples of the same model as a binary, as ONNX's text, and as protobuf's JSON and text format."""

from __future__ import annotations

import json
from typing import Any

from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.formats.samples import Sample

ONNX = """\
<
   ir_version: 8,
   opset_import: ["" : 17]
>
digits (
   float[1,1,8,8] image
) => (
   float[1,10] scores
) <
   float[4,1,3,3] kernel = {...},
   int64[2] flat = {-1,256},
   float[10,256] weight = {...}
> {
   [conv] features = Conv <kernel_shape: ints = [3, 3], pads: ints = [1, 1, 1, 1]> (image, kernel)
   [relu] positive = Relu (features)
   [flatten] flattened = Reshape (positive, flat)
   [dense] logits = Gemm <transB: int = 1> (flattened, weight)
   [softmax] scores = Softmax <axis: int = 1> (logits)
}
"""
PROTOTEXT = """\
ir_version: 8
opset_import { version: 17 }
graph {
  name: "digits"
  node {
    name: "relu"
    input: "image"
    output: "positive"
    op_type: "Relu"
  }
  node {
    name: "softmax"
    input: "positive"
    output: "scores"
    op_type: "Softmax"
    attribute { name: "axis" type: INT i: 1 }
  }
  input {
    name: "image"
    type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 10 } } } }
  }
  output {
    name: "scores"
    type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 10 } } } }
  }
}
"""

_NAMES = ("digits", "relu", "image", "positive", "softmax", "scores")


def _port(name: str) -> dict[str, Any]:
    shape = {"dim": [{"dim_value": 1}, {"dim_value": 10}]}
    return {"name": name, "type": {"tensor_type": {"elem_type": 1, "shape": shape}}}


TREE: dict[str, Any] = {
    "ir_version": 8,
    "opset_import": [{"domain": "", "version": 17}],
    "graph": {
        "name": "digits",
        "node": [
            {"name": "relu", "op_type": "Relu", "input": ["image"], "output": ["positive"]},
            {
                "name": "softmax",
                "op_type": "Softmax",
                "input": ["positive"],
                "output": ["scores"],
                "attribute": [{"name": "axis", "type": 2, "i": 1}],
            },
        ],
        "input": [_port("image")],
        "output": [_port("scores")],
    },
}


def _json(value: Any) -> Any:
    """Return a message as protobuf's JSON names its parts."""
    if isinstance(value, list):
        return [_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {_camel(key): _json(item) for key, item in value.items()}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


SAMPLES = (
    Sample("text", "model.onnxtxt", ONNX.encode(), ("digits", "image", "scores", "kernel", "features", "logits")),
    Sample("binary", "model.onnx", whole(MODEL, TREE), _NAMES),
    Sample("json", "model.json", json.dumps(_json(TREE), indent=2).encode(), _NAMES),
    Sample("prototext", "model.textproto", PROTOTEXT.encode(), _NAMES),
)
