"""Pages of rules about lists beside the nodes, and about nodes that went missing."""

from __future__ import annotations

from irlint.formats.nnvm.rules import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, TVM_GRAPH, changed, symbol, tvm


class ArgNodes(Rule):
    """
    What it does
        Checks for an `arg_nodes` that is not the list of all variables in increasing order.

    Why is this bad
        MXNet refuses a file that lists an operator there. It ignores missing, duplicate or unordered entries, since
        it computes the list itself. In a TVM graph, the position in the list is the index of the input, and only
        listed inputs can be set.

    Fix safety
        Safe: the list follows from the nodes. Unsafe if something else in the file is wrong, since the nodes may then
        be wrong and the list right, and in a TVM graph if listed inputs would move, since callers may rely on their
        order.
    """

    row = R.arg_nodes
    formats = ("nnvm",)
    fixable = "mixed"
    valid = (Example(SYMBOL, "nnvm:mxnet"), Example(TVM_GRAPH, "nnvm:tvm"))
    invalid = (
        Example(symbol(('"arg_nodes": [0, 1, 2]', '"arg_nodes": [0, 1, 3]')), "nnvm:mxnet", "3", SYMBOL),
        Example(symbol(('"arg_nodes": [0, 1, 2]', '"arg_nodes": [0, 2]')), "nnvm:mxnet", '"arg_nodes"', SYMBOL),
        Example(tvm(('"arg_nodes": [0, 1]', '"arg_nodes": [0]')), "nnvm:tvm", '"arg_nodes"', TVM_GRAPH),
        Example(tvm(('"arg_nodes": [0, 1]', '"arg_nodes": [1, 0]')), "nnvm:tvm", '"arg_nodes"', TVM_GRAPH),
    )


_DATA = '    {"op": "null", "name": "data", "inputs": []},\n'
_WEIGHT = '    {"op": "null", "name": "fc0_weight", "attrs": {"__shape__": "(4, 8)"}, "inputs": []},\n'
_BIAS = '    {"op": "null", "name": "fc0_bias", "inputs": []},\n'


class ShiftedNodes(Rule):
    """
    What it does
        Checks for a missing or surplus node in `nodes`, which shifts all indexes past it: `arg_nodes`, `heads` and
        all `inputs` refer to the wrong nodes, and one node more or less at this position makes them consistent.

    Why is this bad
        Nodes are identified only by their position. MXNet refuses the file if an operator is listed as a variable or
        an index is undefined; otherwise operators use the wrong values. Problems that follow from the shift are not
        reported separately.

    Fix safety
        Unsafe: what else the missing variable declared is unknown, and of two equal nodes either may be the right
        one.
    """

    row = R.shifted_nodes
    formats = ("nnvm",)
    fixable = "unsafe"
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(symbol((_BIAS, "")), "nnvm:mxnet", '"fc0"', SYMBOL),
        Example(symbol((_DATA, _DATA + _DATA)), "nnvm:mxnet", '"data"', SYMBOL),
        Example(symbol((_WEIGHT, "")), "nnvm:mxnet", '"fc0_bias"'),
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


class SubgraphInterface(Rule):
    """
    What it does
        Checks for control-flow operators (`_foreach`, `_while_loop`, `_cond`) that contradict their subgraphs: too
        few subgraphs, undefined input positions, inconsistent numbers of outputs, or a variable of a body as its
        output.

    Why is this bad
        Shape inference refuses the graph, or trusts a position and crashes. If `num_out_data` leaves fewer states
        than `in_state_locs` lists, MXNet 1.9.1 runs the graph but does not pass the last states from one iteration to
        the next; this is a warning.
    """

    row = R.subgraph_interface
    formats = ("nnvm",)
    valid = (Example(_LOOP, "nnvm:mxnet"),)
    invalid = (
        Example(changed(_LOOP, ('"in_data_locs": "[0]"', '"in_data_locs": "[5]"')), "nnvm:mxnet", '"[5]"'),
        Example(
            changed(_LOOP, ('"heads": [[2, 0, 0], [3, 0, 0]]', '"heads": [[2, 0, 0]]')), "nnvm:mxnet", "[[2, 0, 0]]"
        ),
        Example(
            changed(_LOOP, ('"heads": [[2, 0, 0], [3, 0, 0]]', '"heads": [[2, 0, 0], [1, 0, 0]]')),
            "nnvm:mxnet",
            "[[2, 0, 0], [1, 0, 0]]",
        ),
        Example(changed(_LOOP, ('"num_out_data": "1"', '"num_out_data": "2"')), "nnvm:mxnet", '"2"'),
    )
