"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import SYMBOL, TVM_GRAPH, changed, symbol, tvm


class ArgNodes(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"), Case(TVM_GRAPH, "nnvm:tvm"))
    invalid = (
        Case(symbol(('"arg_nodes": [0, 1, 2]', '"arg_nodes": [0, 1, 3]')), "nnvm:mxnet", "3", SYMBOL),
        Case(symbol(('"arg_nodes": [0, 1, 2]', '"arg_nodes": [0, 2]')), "nnvm:mxnet", '"arg_nodes"', SYMBOL),
        Case(tvm(('"arg_nodes": [0, 1]', '"arg_nodes": [0]')), "nnvm:tvm", '"arg_nodes"', TVM_GRAPH),
        Case(tvm(('"arg_nodes": [0, 1]', '"arg_nodes": [1, 0]')), "nnvm:tvm", '"arg_nodes"', TVM_GRAPH),
    )


_DATA = '    {"op": "null", "name": "data", "inputs": []},\n'


_WEIGHT = '    {"op": "null", "name": "fc0_weight", "attrs": {"__shape__": "(4, 8)"}, "inputs": []},\n'


_BIAS = '    {"op": "null", "name": "fc0_bias", "inputs": []},\n'


class ShiftedNodes(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(symbol((_BIAS, "")), "nnvm:mxnet", '"fc0"', SYMBOL),
        Case(symbol((_DATA, _DATA + _DATA)), "nnvm:mxnet", '"data"', SYMBOL),
        Case(symbol((_WEIGHT, "")), "nnvm:mxnet", '"fc0_bias"'),
    )


_LOOP = """\
{
  "nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "state", "inputs": []},
    {
      "op": "_foreach", "name": "loop",
      "attrs": {
        "in_data_locs": "[0]", "in_state_locs": "[1]", "remain_locs": "[]",
        "num_args": "3", "num_out_data": "1", "num_outputs": "2"
      },
      "inputs": [[0, 0, 0], [1, 0, 0]],
      "subgraphs": [
        {
          "nodes": [
            {"op": "null", "name": "x", "inputs": []},
            {"op": "null", "name": "s", "inputs": []},
            {"op": "elemwise_add", "name": "plus", "inputs": [[0, 0, 0], [1, 0, 0]]},
            {"op": "_copy", "name": "next", "inputs": [[2, 0, 0]]}
          ],
          "arg_nodes": [0, 1],
          "node_row_ptr": [0, 1, 2, 3, 4],
          "heads": [[2, 0, 0], [3, 0, 0]]
        }
      ]
    }
  ],
  "arg_nodes": [0, 1],
  "node_row_ptr": [0, 1, 2, 4],
  "heads": [[2, 0, 0], [2, 1, 0]],
  "attrs": {"mxnet_version": ["int", 10901]}
}
"""


class SubgraphInterface(Cases):
    valid = (Case(_LOOP, "nnvm:mxnet"),)
    invalid = (
        Case(changed(_LOOP, ('"in_data_locs": "[0]"', '"in_data_locs": "[5]"')), "nnvm:mxnet", '"[5]"'),
        Case(changed(_LOOP, ('"heads": [[2, 0, 0], [3, 0, 0]]', '"heads": [[2, 0, 0]]')), "nnvm:mxnet", "[[2, 0, 0]]"),
        Case(
            changed(_LOOP, ('"heads": [[2, 0, 0], [3, 0, 0]]', '"heads": [[2, 0, 0], [1, 0, 0]]')),
            "nnvm:mxnet",
            "[[2, 0, 0], [1, 0, 0]]",
        ),
        Case(changed(_LOOP, ('"num_out_data": "1"', '"num_out_data": "2"')), "nnvm:mxnet", '"2"'),
    )
