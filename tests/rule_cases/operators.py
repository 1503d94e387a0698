"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL, lightnet, openvino, symbol


class UnknownOperator(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"slice"', '"Slice"')), "lightnet", '"Slice"', LIGHTNET),
        Case(lightnet(('"slice"', '"rotate90"')), "lightnet", '"rotate90"'),
        Case(symbol(('"op": "null", "name": "data"', '"op": "Null", "name": "data"')), "nnvm:mxnet", '"Null"', SYMBOL),
    )


_LIBRARY = openvino(
    ('type="SoftMax" version="opset8"', 'type="NumericToString" version="openvino_tokenizers"'),
    ('<data axis="1"/>', "<data/>"),
)


class OperatorNotInVersion(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (
        Case(
            openvino(('type="SoftMax" version="opset8"', 'type="SoftMax" version="opset17"')),
            "openvino",
            "opset17",
            openvino(('type="SoftMax" version="opset8"', 'type="SoftMax" version="opset16"')),
        ),
        Case(_LIBRARY.replace("openvino_tokenizers", "opset8"), "openvino", "opset8", _LIBRARY),
    )


class WrongInputCount(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(('"tensors_in": [{"arg_name": "src", "name": "part"}]', '"tensors_in" : []')),
            "lightnet",
            '"tensors_in"',
        ),
        Case(symbol(("[1, 0, 0], [2", "[1, 0, 0], [1, 0, 0], [2")), "nnvm:mxnet", "[2, 0, 0]", SYMBOL),
        Case(symbol(('"no_bias": "False"', '"no_bias": "True"')), "nnvm:mxnet", '"True"', SYMBOL),
    )


_SCATTER = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "all"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [3, 2]}]},
  {"name": "part", "optype": "scatter", "tensors_in": [{"arg_name": "src", "name": "all"}],
   "tensors_out": [{"arg_name": "dst1", "name": "a"}, {"arg_name": "dst2", "name": "b"}, {"arg_name": "dst3", "name": "c"}],
   "params": []}
]}
"""


class WrongOutputCount(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(
                ('"tensors_out": [{"arg_name": "dst", "name": "part"}]', '"tensors_out" : []'),
                ('{"arg_name": "src", "name": "part"}', '{"arg_name": "src", "name": "image"}'),
            ),
            "lightnet",
            '"tensors_out"',
        ),
        Case(_SCATTER.replace("[3, 2]", "[2, 2]"), "lightnet", "2", _SCATTER),
    )


class UnknownArgument(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(('{"arg_name": "src", "name": "image"}', '{"arg_name": "source", "name": "image"}')),
            "lightnet",
            '"source"',
            LIGHTNET,
        ),
        Case(
            lightnet(
                (
                    '{"arg_name": "src", "name": "part"}',
                    '{"arg_name": "src", "name": "part"}, {"arg_name": "also", "name": "image"}',
                )
            ),
            "lightnet",
            '"also"',
            LIGHTNET,
        ),
    )


class DuplicateArgument(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(
                (
                    '{"arg_name": "src", "name": "part"}',
                    '{"arg_name": "src", "name": "part"}, {"arg_name" : "src", "name": "image"}',
                )
            ),
            "lightnet",
            '"src"',
            LIGHTNET,
        ),
    )
