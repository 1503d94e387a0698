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
        Finds nodes on which no output of the model depends. Where such a node is a variable whose name says which input
        it is meant for, the finding points at that input, which reads another one.

    Why is this bad
        Loaders drop them, mostly without a word: the file says that something is computed, and it is not. Often an output
        or an input was meant to point at such a node.

    Example
        ```json
        "heads": [[3, 0, 0]]
        ```
        where node 4 reads node 3.

    Use instead
        ```json
        "heads": [[4, 0, 0]]
        ```
        or a file without node 4.

    Fix safety
        Makes the input read the variable that is named for it. Unsafe: what is computed changes.
    """

    row = R.unreachable_node
    fixable = "unsafe"
    valid = (Example(SYMBOL, "nnvm:mxnet"), Example(_TWO, "nnvm:mxnet"))
    invalid = (
        Example(symbol(('"heads": [[4, 0, 0]]', '"heads": [[3, 0, 0]]')), "nnvm:mxnet", '"relu0"'),
        Example(_TWO.replace("[4, 0, 0], [5, 0, 0]", "[4, 0, 0], [2, 0, 0]"), "nnvm:mxnet", "[2, 0, 0]", _TWO),
    )
