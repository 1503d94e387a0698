"""R204 control-dependencies."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class ControlDependencies(Rule):
    """
    What it does
        Checks for nodes with control dependencies (`control_deps`) in an MXNet symbol.

    Why is this bad
        MXNet loads such a graph and infers its shapes, but refuses to bind it.

    Example
        ```json
        {"op": "Activation", "name": "relu0", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]], "control_deps": [0]}
        ```

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]]}
        ```
    """

    row = R.control_dependencies
    formats = ("nnvm",)
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(
            symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[3, 0, 0]], "control_deps": [0]')),
            "nnvm:mxnet",
            '"control_deps"',
        ),
    )
