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
        Names the operators whose results the dry run cannot work out, once per file.

    Why is this bad
        It need not be: such operators are legal. But the shapes behind them are unknown, so that mistakes there stay
        unseen.

    Example
        A rare operator, or one of a library that irlint does not know.

    Use instead
        Nothing, if the operator is what is wanted.
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
