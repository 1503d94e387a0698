"""G003 duplicate-name."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class DuplicateName(Rule):
    """
    What it does
        Finds operators that share a name, in formats that allow it.

    Why is this bad
        Outputs, messages and tools go by name, and none of them can tell the two apart.

    Example
        ```json
        {"op": "Activation", "name": "fc0", "inputs": [[3, 0, 0]]}
        ```
        beside a FullyConnected called `fc0`.

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "inputs": [[3, 0, 0]]}
        ```

    In an MXNet symbol, operators that share a name are pedantic, as MXNet runs them and unrolled loops are full of them; two
    outputs of the graph that share a name are a warning.

    Fix safety
        Unsafe: the second one gets a new name, by which those who look for the old one will not find it.
    """

    row = R.duplicate_name
    fixable = "unsafe"
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(
            symbol(('"name": "relu0"', '"name": "fc0"')),
            "nnvm:mxnet",
            '"fc0"',
            symbol(('"name": "relu0"', '"name": "fc0_2"')),
        ),
    )
