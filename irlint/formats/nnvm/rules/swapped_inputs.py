"""R207 swapped-inputs."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol

_WIRES = '"inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]'


class SwappedInputs(Rule):
    """
    What it does
        Checks for variables that are named for one input of an operator but used as another one, such as `fc0_bias`
        as the weight of `fc0`.

    Why is this bad
        Parameters are loaded by name: the operator computes with the wrong ones, or their shapes do not match. It is
        an error if a vector such as `bn0_gamma` is used as data that needs more dimensions: MXNet 1.9.1 cannot bind
        such a graph.

    Example
        ```json
        {"op": "FullyConnected", "name": "fc0", "inputs": [[0, 0, 0], [2, 0, 0], [1, 0, 0]], ...}
        ```
        where node 1 is `fc0_weight` and node 2 is `fc0_bias`.

    Use instead
        ```json
        "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
        ```
    """

    row = R.swapped_inputs
    formats = ("nnvm",)
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (Example(symbol((_WIRES, '"inputs": [[2, 0, 0], [1, 0, 0], [0, 0, 0]]')), "nnvm:mxnet", "[2, 0, 0]"),)
