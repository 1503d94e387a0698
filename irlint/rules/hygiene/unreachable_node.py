"""G001 unreachable-node."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol

_TWO = """\
{
  "nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "fc0_weight", "inputs": []},
    {"op": "null", "name": "fc0_bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc0", "attrs": {"num_hidden": "4"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
    {"op": "null", "name": "fc1_weight", "inputs": []},
    {"op": "null", "name": "fc1_bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc1", "attrs": {"num_hidden": "4"}, "inputs": [[3, 0, 0], [4, 0, 0], [5, 0, 0]]}
  ],
  "arg_nodes": [0, 1, 2, 4, 5],
  "node_row_ptr": [0, 1, 2, 3, 4, 5, 6, 7],
  "heads": [[6, 0, 0]],
  "attrs": {"mxnet_version": ["int", 10901]}
}
"""


class UnreachableNode(Rule):
    """
    What it does
        Checks for nodes that do not reach an output of the model. If such a node is a variable named for an input that
        uses another value, the finding points to that input.

    Why is this bad
        Loaders drop them, usually silently: the file describes a computation that does not happen. Often an output or
        an input was meant to refer to such a node.

    Example
        ```json
        "heads": [[3, 0, 0]]
        ```
        where node 4 uses node 3.

    Use instead
        ```json
        "heads": [[4, 0, 0]]
        ```
        or a file without node 4.

    Fix safety
        Unsafe: connects the input to the variable that is named for it, which changes what is computed.
    """

    row = R.unreachable_node
    fixable = "unsafe"
    valid = (Example(SYMBOL, "nnvm:mxnet"), Example(_TWO, "nnvm:mxnet"))
    invalid = (
        Example(symbol(('"heads": [[4, 0, 0]]', '"heads": [[3, 0, 0]]')), "nnvm:mxnet", '"relu0"'),
        Example(_TWO.replace("[4, 0, 0], [5, 0, 0]", "[4, 0, 0], [2, 0, 0]"), "nnvm:mxnet", "[2, 0, 0]", _TWO),
    )
