"""T201 attribute-dictionaries."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class AttributeDictionaries(Rule):
    """
    What it does
        Checks for nodes with attributes under more than one of `attrs`, `attr` and `param`, some of which are lost.

    Why is this bad
        Of `attrs` and `attr`, MXNet reads only the last one in the node. It then merges `param`, which never
        overrides an attribute. MXNet ignores the rest silently.

    Example
        ```json
        {"op": "Activation", "name": "relu0", "attrs": {"act_type": "relu"}, "attr": {"act_type": "tanh"}, "inputs": [[3, 0, 0]]}
        ```

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "attrs": {"act_type": "tanh"}, "inputs": [[3, 0, 0]]}
        ```
    """

    row = R.attribute_dictionaries
    formats = ("nnvm",)
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(
            symbol(('"attrs": {"act_type": "relu"}', '"attrs": {"act_type": "relu"}, "attr": {"act_type": "tanh"}')),
            "nnvm:mxnet",
            '"attrs"',
        ),
    )
