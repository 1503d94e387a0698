"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import SYMBOL, TVM_GRAPH, symbol, tvm


class AttributeDictionaries(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(
            symbol(('"attrs": {"act_type": "relu"}', '"attrs": {"act_type": "relu"}, "attr": {"act_type": "tanh"}')),
            "nnvm:mxnet",
            '"attrs"',
        ),
    )


class InputAttributes(Cases):
    valid = (Case(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Case(tvm(('"name": "x", ', '"name": "x", "attrs": {}, ')), "nnvm:tvm", '"attrs"', TVM_GRAPH),
        Case(tvm(('"name": "x", ', '"name": "x", "attrs": {"shape": "(1, 4)"}, ')), "nnvm:tvm", '"attrs"', TVM_GRAPH),
    )


class MxnetVersion(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(symbol(("10901", "1000000")), "nnvm:mxnet", "1000000"),
        Case(symbol(("10901", "20000")), "nnvm:mxnet", "20000"),
        Case(symbol(("10901", "-1")), "nnvm:mxnet", "-1"),
    )
