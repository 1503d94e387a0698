"""A small model of every dialect, each with the names and metadata that schemas are about."""

from __future__ import annotations

from typing import Any

from rule_cases.texts import changed

from irlint.formats.onnx.samples import TREE
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.formats.samples import samples

NESTED = """\
<
   ir_version: 8,
   opset_import: ["" : 17, "local" : 1],
   producer_name: "exporter",
   producer_version: "2.1",
   domain: "org.example",
   model_version: 3,
   doc_string: "Two branches",
   metadata_props: ["author" : "nobody", "license" : "MIT"]
>
main (
   bool flag,
   int64 count,
   float[N,4] x
) => (
   float[N,4] y,
   float[N,4] last
) <
   float[4] bias = {1.0, 2.0, 3.0, 4.0}
> {
   [choose] chosen = If (flag) <
      then_branch: graph = positive () => (float[N,4] a) {
         [inner] a = Relu (x)
      },
      else_branch: graph = negative () => (float[N,4] b) {
         [other] b = Neg (x)
      }
   >
   [twice] doubled = local.Twice (chosen)
   [shift] y = Add (doubled, bias)
   [repeat] last = Loop (count, flag, x) <
      body: graph = step (int64 i, bool go, float[N,4] state) => (bool more, float[N,4] next) {
         [keep] more = Identity (go)
         [grow] next = Add (state, state)
      }
   >
}
<
   domain: "local",
   opset_import: ["" : 17]
>
Twice (value) => (sum)
{
   [both] sum = Add (value, value)
}
"""
_RELU = {"name": "inner", "op_type": "Relu", "input": ["image"], "output": ["a"]}
_TYPE = {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_value": 1}, {"dim_value": 10}]}}}
_BRANCH = {"name": "branch", "node": [_RELU], "output": [{"name": "a", "type": _TYPE}]}
_CHOICE = {
    "name": "choose",
    "op_type": "If",
    "input": ["flag"],
    "output": ["chosen"],
    "attribute": [{"name": name, "type": 5, "g": _BRANCH} for name in ("then_branch", "else_branch")],
}
_FLAG = {"name": "flag", "type": {"tensor_type": {"elem_type": 9, "shape": {}}}}
BINARY: dict[str, Any] = {
    **TREE,
    "producer_name": "exporter",
    "metadata_props": [{"key": "author", "value": "nobody"}, {"key": "license", "value": "MIT"}],
    "graph": {
        **TREE["graph"],
        "node": [_CHOICE, {**TREE["graph"]["node"][0], "input": ["chosen"]}, TREE["graph"]["node"][1]],
        "input": [*TREE["graph"]["input"], _FLAG],
    },
}
_LIGHTNET = samples()["lightnet:source"].data
_META = '\t<rt_info>\n\t\t<author value="nobody"/>\n\t\t<optimized value="true"/>\n\t</rt_info>'
_OPENVINO = samples()["openvino:ir11"].data.decode()

MODELS: dict[str, tuple[str, bytes]] = {
    **{
        form.partition(":")[2]: (sample.name, sample.data)
        for form, sample in samples().items()
        if form.partition(":")[0] in ("nnvm", "glacier", "ncnn", "pnnx") or form == "onnx:prototext"
    },
    "lightnet": ("lightnet.json", _LIGHTNET),
    "planned": ("planned.json", samples()["lightnet:compiled"].data),
    "openvino": ("model.xml", changed(_OPENVINO, ("\t<rt_info/>", _META)).encode()),
    "onnx": ("nested.onnxtxt", NESTED.encode()),
    "onnx binary": ("model.onnx", whole(MODEL, BINARY)),
    "onnx json": ("onnx.json", samples()["onnx:json"].data),
    "data": (
        "config.json",
        b'{"name": "r50", "layers": [{"name": "a", "size": 3}, {"name": "b"}], "tags": ["x", "x"]}\n',
    ),
    "text": ("config.xml", b'<?xml version="1.0"?>\n<job name="r50">\n  <step n="1">load</step>\n</job>\n'),
}
