"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, OPENVINO, PROTOTEXT, SYMBOL, lightnet, openvino, prototext, symbol


class EmptyModel(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case('{"ops": []}\n', "lightnet", "[]"),)


class KeyCase(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"name": "cut", "optype"', '"name": "cut", "OpType"')), "lightnet", '"OpType"', LIGHTNET),
    )


class MissingKey(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"name": "show", "optype": "print",', '"name": "show",')), "lightnet", "{"),
        Case(lightnet(('"name": "show", "optype"', '"name": "show", "opttype"')), "lightnet", '"opttype"', LIGHTNET),
        Case(symbol(('"name": "data", "inputs": []', '"name": "data"')), "nnvm", "{", SYMBOL),
    )


class UnknownKey(Cases):
    valid = (Case(SYMBOL, "nnvm"),)
    invalid = (
        Case(symbol(('"attrs": {"act_type"', '"attr_s": {"act_type"')), "nnvm", '"attr_s"', SYMBOL),
        Case(openvino(('<edge from-layer="0"', '<edge from-laier="0"')), "openvino", "from-laier", OPENVINO),
        Case(prototext(("attribute {", "atribute {")), "onnx:prototext", "atribute", PROTOTEXT),
    )


class UserSchema(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)


class ValueNotAllowed(Cases):
    valid = (Case(SYMBOL, "nnvm"),)
    invalid = (
        Case(
            '<ir_version: 8, opset_import: ["" : 99]>\nnet (float[n,4] x) => (float[?,4] y) {\n   y = Relu (x)\n}\n',
            "onnx",
            "99",
        ),
        Case(symbol(('["int", 10901]', '["float", 10901]')), "nnvm", '"float"'),
        Case(
            openvino(('<net name="sample" version="11"', '<net name="sample" version="011"')),
            "openvino",
            "011",
            OPENVINO,
        ),
    )


class WrongType(Cases):
    valid = (
        Case(LIGHTNET, "lightnet"),
        Case(SYMBOL, "nnvm"),
    )
    invalid = (
        Case(
            lightnet(('"name": "part"}], "tensors_out": []', '"name": "part"}], "tensors_out": null')),
            "lightnet",
            "null",
        ),
        Case(symbol(("[[3, 0, 0]]", '[["3", 0, 0]]')), "nnvm", '"3"', SYMBOL),
        Case(symbol(("[[3, 0, 0]]", "[3]")), "nnvm", "3", SYMBOL),
        Case(symbol(("[[4, 0, 0]]", "[4, 0, 0]")), "nnvm", "4", SYMBOL),
        Case(prototext(("ir_version: 8", 'ir_version: "8"')), "onnx:prototext", '"8"'),
    )
