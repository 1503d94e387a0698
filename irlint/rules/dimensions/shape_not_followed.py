"""D010 shape-not-followed."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol

_RELU = '"op": "Activation", "name": "relu0",\n      "attrs": {"act_type": "relu"}'
_UNIQUE = '"op": "_npi_unique", "name": "relu0"'


class ShapeNotFollowed(Rule):
    """
    What it does
        Lists the operators whose output shapes irlint cannot infer, once per file.

    Why is this bad
        It is not necessarily bad: such operators are legal. But the shapes after them are unknown, so that irlint
        misses mistakes there.

    Example
        A rare operator, or one from a library that irlint does not support.

    Use instead
        No change is needed if the operator is intended.
    """

    row = R.shape_not_followed
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(
            symbol((_RELU, _UNIQUE)),
            "nnvm:mxnet",
            '"_npi_unique"',
        ),
    )
