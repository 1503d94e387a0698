"""Samples of a symbol, of one as MXNet wrote it before version 0.9, of a classic graph, and of a compiled one."""

from __future__ import annotations

from irlint.formats.samples import Sample

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

_CLASSIC = """\
{
  "nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "dense0_weight", "inputs": []},
    {"op": "null", "name": "dense0_bias", "inputs": []},
    {"op": "dense", "name": "dense0", "attrs": {"units": "10", "use_bias": "True"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
    {"op": "relu", "name": "relu0", "inputs": [[3, 0, 0]]}
  ],
  "arg_nodes": [0, 1, 2],
  "node_row_ptr": [0, 1, 2, 3, 4, 5],
  "heads": [[4, 0, 0]]
}
"""
_LEGACY = """\
{
  "nodes": [
    {"op": "null", "param": {}, "name": "data", "inputs": [], "backward_source_id": -1},
    {"op": "null", "param": {}, "name": "fc0_weight", "inputs": [], "backward_source_id": -1},
    {"op": "null", "param": {}, "name": "fc0_bias", "inputs": [], "backward_source_id": -1},
    {"op": "FullyConnected", "param": {"no_bias": "False", "num_hidden": "4"}, "name": "fc0", "inputs": [[0, 0], [1, 0], [2, 0]],
     "backward_source_id": -1},
    {"op": "Activation", "param": {"act_type": "relu"}, "name": "relu0", "inputs": [[3, 0]], "backward_source_id": -1}
  ],
  "arg_nodes": [0, 1, 2],
  "heads": [[4, 0]]
}
"""
_LAYERS = ("data", "fc0_weight", "fc0_bias", "fc0", "relu0")

SAMPLES = (
    Sample("mxnet", "model-symbol.json", SYMBOL.encode(), _LAYERS),
    Sample("mxnet-legacy", "old-symbol.json", _LEGACY.encode(), _LAYERS),
    Sample("classic", "model.json", _CLASSIC.encode(), ("data", "dense0_weight", "dense0_bias", "dense0", "relu0")),
    Sample("tvm", "compiled.json", TVM_GRAPH.encode(), ("x", "p0", "fused_add", "fused_relu")),
)
