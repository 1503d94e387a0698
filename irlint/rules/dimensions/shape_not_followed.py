"""D010 shape-not-followed."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import ONNX, SYMBOL, onnx, symbol

_DENSE = """"op": "FullyConnected", "name": "fc0",
      "attrs": {"no_bias": "False", "num_hidden": "4"},
      "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]"""
_UNIQUE = '"op": "_npi_unique", "name": "unique", "inputs": [[0, 0, 0]]'


class ShapeNotFollowed(Rule):
    """
    What it does
        Lists the operators whose output shapes irlint cannot infer although other nodes use the outputs, once per file.

    Why is this bad
        It is not necessarily bad: such operators are legal. But the shapes after them are unknown, so that irlint
        misses mistakes there.

    Example
        A rare operator, or one from a library that irlint does not support.

    Use instead
        No change is needed if the operator is intended.
    """

    row = R.shape_not_followed
    valid = (Example(SYMBOL, "nnvm:mxnet"), Example(ONNX, "onnx"))
    invalid = (
        Example(
            symbol((_DENSE, _UNIQUE)),
            "nnvm:mxnet",
            '"_npi_unique"',
        ),
        Example(
            onnx(('"" : 17', '"" : 17, "com.microsoft" : 1'), ("Relu (", "com.microsoft.SampleOp (")),
            "onnx",
            "SampleOp",
        ),
    )
