"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, ONNX, OPENVINO, SYMBOL, onnx, openvino, symbol

_LATER = symbol(
    ('"Activation", "name": "relu0",\n      "attrs": {"act_type": "relu"}', '"_npi_absolute", "name": "abs0"')
)


_NEWER = onnx(("ir_version: 8", "ir_version: 10"), ('"" : 17', '"" : 21'))


_OLDER = onnx(("ir_version: 8", "ir_version: 9"), ('"" : 17', '"" : 20'))


class TargetCannotRead(Cases):
    valid = (
        Case(OPENVINO, "openvino", targets={"openvino": "2022.1"}),
        Case(SYMBOL, "nnvm:mxnet", targets={"mxnet": "1.0"}),
    )
    invalid = (
        Case(openvino(), "openvino", "11", targets={"openvino": "2021.4"}),
        Case(_LATER, "nnvm:mxnet", '"_npi_absolute"', targets={"mxnet": "1.5"}),
        Case(_NEWER, "onnx", "21", _OLDER, targets={"onnxruntime": "1.17"}),
    )


_GATHER = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}]},
  {"name": "stack", "optype": "gather", "tensors_in": [{"arg_name": "src1", "name": "a"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}], "params": []},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "b"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "b"}]}
]}
"""


_DOUBLE = onnx(
    ("float[1,1,8,8] image", "double[1,1,8,8] image"),
    ("float[1,10] scores", "double[1,10] scores"),
    ("float[4,1,3,3] kernel", "double[4,1,3,3] kernel"),
    ("float[10,256] weight", "double[10,256] weight"),
)


_NET = '<ir_version: 8, opset_import: ["" : 17]>\nnet (double[1,3,8,8] x) => (double[1,3,8,8] y) {\n'
_CURVE = _NET + "   [curve] y = Softsign (x)\n}\n"
_IN_SINGLE = (
    _NET
    + "   x_float32_0 = Cast <to: int = 1> (x)\n   [curve] y_float32_0 = Softsign (x_float32_0)\n   y = Cast <to: int = 11> (y_float32_0)\n}\n"
)


class TargetLacksOperator(Cases):
    valid = (Case(LIGHTNET, "lightnet"), Case(_DOUBLE, "onnx"), Case(ONNX, "onnx", targets={"onnxruntime": "1.15"}))
    invalid = (
        Case(_GATHER, "lightnet", '"gather"'),
        Case(_DOUBLE, "onnx", "image", targets={"onnxruntime": "1.17"}),
        Case(_CURVE, "onnx", "x", _IN_SINGLE, targets={"onnxruntime": "1.17"}),
    )
