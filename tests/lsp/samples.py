"""One small sound model of every format, with a token of each kind in it."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any, NamedTuple


class Sample(NamedTuple):
    name: str
    text: str
    reference: str  # a token that refers to a node; the text after it up to its end
    wrong: tuple[str, str]  # what to replace, and by what, so that there is a finding


def lightnet(count: int = 4) -> str:
    ops: list[dict[str, Any]] = [
        {
            "name": "input",
            "optype": "create",
            "tensors_in": [],
            "tensors_out": [{"arg_name": "dst", "name": "t0"}],
            "params": [
                {"arg_name": "dtype", "value": "TL_FLOAT"},
                {"arg_name": "dims", "value": [2, 3]},
                {"arg_name": "data", "value": [0]},
                {"arg_name": "ran", "value": [0, 0]},
                {"arg_name": "from_file", "value": False},
            ],
        }
    ]
    for k in range(1, count):
        ops.append(
            {
                "name": f"relu{k}",
                "optype": "relu",
                "tensors_in": [{"arg_name": "src", "name": f"t{k - 1}"}],
                "tensors_out": [{"arg_name": "dst", "name": f"t{k}"}],
                "params": [],
            }
        )
    return json.dumps({"ops": ops}, indent=2)


def nnvm(count: int = 4) -> str:
    nodes: list[dict[str, Any]] = [{"op": "null", "name": "data", "inputs": []}]
    while len(nodes) < count:
        k = len(nodes)
        nodes.append({"op": "Activation", "name": f"act{k}", "attrs": {"act_type": "relu"}, "inputs": [[k - 1, 0, 0]]})
    graph = {
        "nodes": nodes,
        "arg_nodes": [0],
        "node_row_ptr": list(range(count + 1)),
        "heads": [[count - 1, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901]},
    }
    return json.dumps(graph, indent=2)


def openvino(count: int = 4) -> str:
    port = '<port id="{}" precision="FP32">\n\t\t\t\t\t<dim>2</dim>\n\t\t\t\t\t<dim>3</dim>\n\t\t\t\t</port>'
    layers = [
        '\t\t<layer id="0" name="data" type="Parameter" version="opset1">\n\t\t\t<data shape="2,3" element_type="f32" />\n'
        f"\t\t\t<output>\n\t\t\t\t{port.format(0)}\n\t\t\t</output>\n\t\t</layer>"
    ]
    for k in range(1, count - 1):
        layers.append(
            f'\t\t<layer id="{k}" name="relu{k}" type="ReLU" version="opset1">\n'
            f"\t\t\t<input>\n\t\t\t\t{port.format(0)}\n\t\t\t</input>\n"
            f"\t\t\t<output>\n\t\t\t\t{port.format(1)}\n\t\t\t</output>\n\t\t</layer>"
        )
    last = count - 1
    layers.append(
        f'\t\t<layer id="{last}" name="out" type="Result" version="opset1">\n'
        f"\t\t\t<input>\n\t\t\t\t{port.format(0)}\n\t\t\t</input>\n\t\t</layer>"
    )
    edges = [
        f'\t\t<edge from-layer="{k}" from-port="{int(k > 0)}" to-layer="{k + 1}" to-port="0" />'
        for k in range(count - 1)
    ]
    return (
        '<?xml version="1.0"?>\n<net name="toy" version="11">\n\t<layers>\n'
        + "\n".join(layers)
        + "\n\t</layers>\n\t<edges>\n"
        + "\n".join(edges)
        + "\n\t</edges>\n\t<rt_info />\n</net>\n"
    )


def glacier(count: int = 4) -> str:
    lines = ["0 nn.relu ['data']"] + [f"{k} nn.relu [{k - 1}]" for k in range(1, count)]
    return "\n".join(lines) + "\n"


def ncnn(count: int = 4) -> str:
    layers = [f"{'ReLU':<24} relu{k} 1 1 {f'b{k - 1}' if k > 1 else 'data'} b{k} 0=0.1" for k in range(1, count)]
    lines = ["7767517", f"{count} {count}", "Input                    data 0 1 data 0=3 1=2", *layers]
    return "\n".join(lines) + "\n"


def onnx(count: int = 4) -> str:
    lines = [f"   [relu{k}] r{k} = Relu ({f'r{k - 1}' if k > 1 else 'data'})" for k in range(1, count)]
    head = '<\n   ir_version: 10,\n   opset_import: ["" : 21]\n>\ntoy (\n   float[2,3] data\n) => (\n'
    return f"{head}   float[2,3] r{count - 1}\n) {{\n" + "\n".join(lines) + "\n}\n"


def prototext(count: int = 4) -> str:
    """ONNX in protobuf's text format."""
    value = '{{ name: "{}" type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: 2 }} dim {{ dim_value: 3 }} }} }} }} }}'.format
    names = ["data", *(f"r{k}" for k in range(1, count))]
    nodes = "".join(
        f'  node {{\n    input: "{source}"\n    output: "{name}"\n    name: "relu{k}"\n    op_type: "Relu"\n  }}\n'
        for k, (source, name) in enumerate(pairwise(names), 1)
    )
    head = 'ir_version: 10\nopset_import { version: 21 }\ngraph {\n  name: "toy"\n'
    return f"{head}{nodes}  input {value('data')}\n  output {value(names[-1])}\n}}\n"


SAMPLES = (
    Sample("lightnet.json", lightnet(), '"name": "t0"\n        }\n      ],\n      "tensors_out', ('"relu"', '"relux"')),
    Sample("toy-symbol.json", nnvm(), "0,\n          0,\n          0", ('"relu"', '"rleu"')),
    Sample("toy.xml", openvino(), '0" from-port="0" to-layer="1"', ('type="ReLU"', 'type="RLU"')),
    Sample("toy.param", ncnn(), "data b1", ("ReLU", "RLU")),
    Sample("toy.onnxtxt", onnx(), "r1)", ("Relu (data)", "Rleu (data)")),
    Sample("toy.prototxt", prototext(), 'r1"\n    output: "r2', ('"Relu"', '"Rleu"')),
    Sample("toy.txt", glacier(), "0]\n2", ("nn.relu [0]", "nn.relux [0]")),
)
