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
        Checks for a missing or surplus node in `nodes`, which shifts all indexes past it: `arg_nodes`, `heads` and
        all `inputs` refer to the wrong nodes, and one node more or less at this position makes them consistent.

    Why is this bad
        Nodes are identified only by their position. MXNet refuses the file if an operator is listed as a variable or
        an index is undefined; otherwise operators use the wrong values. Problems that follow from the shift are not
        reported separately.

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
