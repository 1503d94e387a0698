"""O201 subgraph-interface."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import changed

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

    Example
        ```json
        "in_data_locs": "[5]"
        ```
        of a body with two inputs.

    Use instead
        ```json
        "in_data_locs": "[0]"
        ```
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
