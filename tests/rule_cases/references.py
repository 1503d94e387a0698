"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, SYMBOL, lightnet, symbol, tvm


class DuplicateDefinition(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(('"name": "show", "optype"', '"name": "cut", "optype"')),
            "lightnet",
            '"cut"',
            lightnet(('"name": "show", "optype"', '"name": "cut_2", "optype"')),
        ),
    )


class IndexOutOfRange(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[12, 0, 0]]')), "nnvm:mxnet", "12"),
        Case(symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[-2, 0, 0]]')), "nnvm:mxnet", "-2", SYMBOL),
        Case(symbol(('"arg_nodes": [0, 1, 2]', '"arg_nodes": [0, 1, 7]')), "nnvm:mxnet", "7", SYMBOL),
        Case(tvm(("[[0, 0, 0], [1, 0, 0]]", "[[0, 0, 0], [9, 0, 0]]")), "nnvm:tvm", "9"),
    )


class OutputOutOfRange(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[3, 1, 0]]')), "nnvm:mxnet", "1", SYMBOL),
        Case(symbol(("[0, 0, 0], [1, 0, 0]", "[0, 0, 0], [1, 4, 0]")), "nnvm:mxnet", "4", SYMBOL),
        Case(symbol(('"heads": [[4, 0, 0]]', '"heads": [[4, 2, 0]]')), "nnvm:mxnet", "2", SYMBOL),
    )


_CUT = '"tensors_in": [{"arg_name": "src", "name": "image"}]'


class UndefinedReference(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet((_CUT, '"tensors_in": [{"arg_name": "src", "name": "imgae"}]')), "lightnet", '"imgae"', LIGHTNET),
        Case(lightnet((_CUT, '"tensors_in": [{"arg_name": "src", "name": "weights"}]')), "lightnet", '"weights"'),
    )
