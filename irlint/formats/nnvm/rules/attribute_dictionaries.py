"""T201 attribute-dictionaries."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class AttributeDictionaries(Rule):
    """
    What it does
        Finds nodes that keep attributes under more than one of `attrs`, `attr` and `param`, where some of them are lost.

    Why is this bad
        Of `attrs` and `attr` the loader takes only the one that stands last, as a whole. `param` is merged in afterwards and
        never wins. Nothing is said about what is lost.

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
