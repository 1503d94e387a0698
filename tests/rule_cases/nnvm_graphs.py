"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import SYMBOL, changed, symbol


class ControlDependencies(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(
            symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[3, 0, 0]], "control_deps": [0]')),
            "nnvm:mxnet",
            '"control_deps"',
        ),
    )


class DuplicateHead(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (Case(symbol(('"heads": [[4, 0, 0]]', '"heads": [[4, 0, 0], [4, 0, 1]]')), "nnvm:mxnet", "[4, 0, 1]"),)


_DROPOUT = symbol(
    ('"Activation", "name": "relu0",\n      "attrs": {"act_type": "relu"}', '"Dropout", "name": "drop0"'),
    ("3, 4, 5]", "3, 4, 6]"),
)


class HiddenOutput(Cases):
    valid = (Case(_DROPOUT, "nnvm:mxnet"),)
    invalid = (Case(changed(_DROPOUT, ("[[4, 0, 0]]", "[[4, 1, 0]]")), "nnvm:mxnet", "1"),)


_WIRES = '"inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]'


class SwappedInputs(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (Case(symbol((_WIRES, '"inputs": [[2, 0, 0], [1, 0, 0], [0, 0, 0]]')), "nnvm:mxnet", "[2, 0, 0]"),)


class VariableWithInputs(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(symbol(('"Activation"', '"null"'), ("[0, 1, 2],", "[0, 1, 2, 4],")), "nnvm:mxnet", '"null"'),
        Case(
            symbol(('"name": "fc0_bias", "inputs": []', '"name": "fc0_bias", "inputs": [[0, 0, 0]]')),
            "nnvm:mxnet",
            "[[0, 0, 0]]",
        ),
    )
