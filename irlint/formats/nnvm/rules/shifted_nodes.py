"""R208 shifted-nodes."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol

_DATA = '    {"op": "null", "name": "data", "inputs": []},\n'
_WEIGHT = '    {"op": "null", "name": "fc0_weight", "attrs": {"__shape__": "(4, 8)"}, "inputs": []},\n'
_BIAS = '    {"op": "null", "name": "fc0_bias", "inputs": []},\n'


class ShiftedNodes(Rule):
    """
    What it does
        Finds the place where `nodes` has lost a node, or has one too many: from there on `arg_nodes`, `heads` and all `inputs` name
        the wrong nodes, and all of them fit with a node more or less at this one place.

    Why is this bad
        Nodes are known by their position only. MXNet refuses the file as soon as an operator is listed as a variable or a position
        does not exist; where it does not notice, operators read the values of others. What follows from it is not reported on its own.

    Example
        ```json
        "nodes": [
          {"op": "null", "name": "data", "inputs": []},
          {"op": "null", "name": "fc0_bias", "inputs": []},
          {"op": "FullyConnected", "name": "fc0", "attrs": {"num_hidden": "4"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}
        ],
        "arg_nodes": [0, 1, 2],
        "heads": [[3, 0, 0]]
        ```

    Use instead
        ```json
        "nodes": [
          {"op": "null", "name": "data", "inputs": []},
          {"op": "null", "name": "fc0_weight", "inputs": []},
          {"op": "null", "name": "fc0_bias", "inputs": []},
          {"op": "FullyConnected", "name": "fc0", "attrs": {"num_hidden": "4"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}
        ],
        "arg_nodes": [0, 1, 2],
        "heads": [[3, 0, 0]]
        ```

    Fix safety
        Unsafe: what else the lost variable declared is not known, and of two equal nodes either may be the right one.
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
