"""T202 variable-with-inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol

if TYPE_CHECKING:
    pass


class VariableWithInputs(Rule):
    """
    What it does
        Checks for variables (`"op": "null"`) that have inputs.

    Why is this bad
        A variable computes nothing, and the loader drops its inputs silently. If a node is unused as a result, an
        operator has lost its name, and the finding is an error; otherwise it is a warning.

        In a TVM graph, a variable with the attributes of a function call is an error if `arg_nodes` does not list it:
        it was a function call, and its value is neither computed nor set. If it is listed, the executor ignores the
        attributes, and the finding is pedantic.

    Example
        ```json
        {"op": "null", "name": "relu0", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]]}
        ```

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]]}
        ```
    """

    row = R.variable_with_inputs
    formats = ("nnvm",)
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(symbol(('"Activation"', '"null"'), ("[0, 1, 2],", "[0, 1, 2, 4],")), "nnvm:mxnet", '"null"'),
        Example(
            symbol(('"name": "fc0_bias", "inputs": []', '"name": "fc0_bias", "inputs": [[0, 0, 0]]')),
            "nnvm:mxnet",
            "[[0, 0, 0]]",
        ),
    )
