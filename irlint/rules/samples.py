"""Small valid files, from which the examples of rules are derived."""

from __future__ import annotations

import json
from typing import Any

LIGHTNET = """\
{
  "ops": [
    {
      "name": "load", "optype": "create", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "image"}],
      "params": [
        {"arg_name": "dtype", "value": "TL_FLOAT"},
        {"arg_name": "dims", "value": [2, 3]},
        {"arg_name": "ran", "value": [0, 0]},
        {"arg_name": "data", "value": [1, 2, 3, 4, 5, 6]},
        {"arg_name": "from_file", "value": false}
      ]
    },
    {
      "name": "cut", "optype": "slice",
      "tensors_in": [{"arg_name": "src", "name": "image"}], "tensors_out": [{"arg_name": "dst", "name": "part"}],
      "params": [{"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 2}]
    },
    {
      "name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "part"}], "tensors_out": [],
      "params": [{"arg_name": "msg", "value": "part:"}]
    }
  ]
}
"""

POOL = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [1, 1, 8, 8]}]},
  {"name": "pool", "optype": "maxpool2d", "tensors_in": [{"arg_name": "src", "name": "a"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}],
   "params": [{"arg_name": "size", "value": [3, 3]}, {"arg_name": "stride", "value": [1, 1]},
              {"arg_name": "padding", "value": [0, 0, 0, 0]}, {"arg_name": "autopad", "value": "NOTSET"}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "b"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "b"}]}
]}
"""

SYMBOL = """\
{
  "nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "fc0_weight", "attrs": {"__shape__": "(4, 8)"}, "inputs": []},
    {"op": "null", "name": "fc0_bias", "inputs": []},
    {
      "op": "FullyConnected", "name": "fc0",
      "attrs": {"no_bias": "False", "num_hidden": "4"},
      "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    },
    {
      "op": "Activation", "name": "relu0",
      "attrs": {"act_type": "relu"},
      "inputs": [[3, 0, 0]]
    }
  ],
  "arg_nodes": [0, 1, 2],
  "node_row_ptr": [0, 1, 2, 3, 4, 5],
  "heads": [[4, 0, 0]],
  "attrs": {"mxnet_version": ["int", 10901]}
}
"""

TVM_GRAPH = """\
{
  "nodes": [
    {"op": "null", "name": "x", "inputs": []},
    {"op": "null", "name": "p0", "inputs": []},
    {
      "op": "tvm_op", "name": "fused_add",
      "attrs": {"func_name": "fused_add", "num_inputs": "2", "num_outputs": "1", "flatten_data": "0"},
      "inputs": [[0, 0, 0], [1, 0, 0]]
    },
    {
      "op": "tvm_op", "name": "fused_relu",
      "attrs": {"func_name": "fused_relu", "num_inputs": "1", "num_outputs": "1", "flatten_data": "0"},
      "inputs": [[2, 0, 0]]
    }
  ],
  "arg_nodes": [0, 1],
  "heads": [[3, 0, 0]],
  "attrs": {
    "dltype": ["list_str", ["float32", "float32", "float32", "float32"]],
    "storage_id": ["list_int", [0, 1, 2, 3]],
    "shape": ["list_shape", [[1, 4], [1, 4], [1, 4], [1, 4]]]
  },
  "node_row_ptr": [0, 1, 2, 3, 4]
}
"""


OPENVINO = """\
<?xml version="1.0"?>
<net name="sample" version="11">
	<layers>
		<layer id="0" name="image" type="Parameter" version="opset1">
			<data shape="1,3,8,8" element_type="f32"/>
			<output>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</output>
		</layer>
		<layer id="1" name="scale" type="Const" version="opset1">
			<data element_type="f32" shape="1, 3, 1, 1" offset="0" size="12"/>
			<output>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>1</dim>
					<dim>1</dim>
				</port>
			</output>
		</layer>
		<layer id="2" name="scaled" type="Multiply" version="opset1">
			<data auto_broadcast="numpy"/>
			<input>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
				<port id="1" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>1</dim>
					<dim>1</dim>
				</port>
			</input>
			<output>
				<port id="2" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</output>
		</layer>
		<layer id="3" name="classes" type="SoftMax" version="opset8">
			<data axis="1"/>
			<input>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</input>
			<output>
				<port id="1" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</output>
		</layer>
		<layer id="4" name="result" type="Result" version="opset1">
			<input>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>3</dim>
					<dim>8</dim>
					<dim>8</dim>
				</port>
			</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
		<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
		<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
		<edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>
	</edges>
	<rt_info/>
</net>
"""


NETWORK = """7767517
5 6
Input            data     0 1 data 0=8 1=8 2=3
Convolution      conv     1 1 data conv 0=4 1=3 4=1 5=1 6=108
Split            split    1 2 conv conv_0 conv_1
ReLU             relu     1 1 conv_0 relu
BinaryOp         add      2 1 relu conv_1 out 0=0
"""


GRAPH = """7767517
3 2
pnnx.Input in0 0 1 0 #0=(1,3)f32
pnnx.Expression mul 1 1 0 1 expr=mul(@0,2) a=1 #0=(1,3)f32 #1=(1,3)f32
pnnx.Output out 1 0 1 #1=(1,3)f32
"""


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


def onnx(*changes: tuple[str, str]) -> str:
    return changed(ONNX, *changes)


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


def prototext(*changes: tuple[str, str]) -> str:
    return changed(PROTOTEXT, *changes)


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Return the text with each first string, which has to occur once, replaced by the second."""
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(f"expected {old!r} once in the sample, found it {text.count(old)} times")
        text = text.replace(old, new)
    return text


def lightnet(*changes: tuple[str, str]) -> str:
    return changed(LIGHTNET, *changes)


READS_IMAGE, READS_SPARE = (f'{{"arg_name": "src", "name": "{name}"}}' for name in ("image", "spare"))


def misread(optype: str, *params: tuple[str, Any]) -> str:
    """Return a model whose operator 'cut' uses 'image', of rank 2, while 'spare', of rank 4, is unused."""
    given = ", ".join(json.dumps({"arg_name": name, "value": value}) for name, value in params)
    return lightnet(
        ('    {\n      "name": "cut", "optype": "slice"', f'{_SPARE}    {{\n      "name": "cut", "optype": "{optype}"'),
        ('{"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 2}', given),
    )


_SPARE = """\
    {
      "name": "more", "optype": "zeros", "tensors_in": [],
      "tensors_out": [{"arg_name": "dst", "name": "spare"}],  // irlint: ignore[G002]
      "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [1, 1, 8, 8]}]
    },
    {
      "name": "look", "optype": "print", "tensors_in": [{"name": "image", "arg_name": "src"}], "tensors_out": [],
      "params": [{"arg_name": "msg", "value": "image:"}]
    },
"""


def symbol(*changes: tuple[str, str]) -> str:
    return changed(SYMBOL, *changes)


def tvm(*changes: tuple[str, str]) -> str:
    return changed(TVM_GRAPH, *changes)


def openvino(*changes: tuple[str, str]) -> str:
    return changed(OPENVINO, *changes)


def network(*changes: tuple[str, str]) -> str:
    """Return the list of layers with the first of each string replaced."""
    text = NETWORK
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
