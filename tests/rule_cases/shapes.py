"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import (
    LIGHTNET,
    ONNX,
    POOL,
    READS_IMAGE,
    READS_SPARE,
    SYMBOL,
    changed,
    lightnet,
    misread,
    onnx,
    symbol,
)

_TWO = """\
{"ops": [
  {"name": "za", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2, 3]}]},
  {"name": "zb", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "b"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [ 2, 3 ]}]},
  {"name": "add", "optype": "elew",
   "tensors_in": [{"arg_name": "src1", "name": "a"}, {"arg_name": "src2", "name": "b"}],
   "tensors_out": [{"arg_name": "dst", "name": "c"}], "params": [{"arg_name": "elew_op", "value": "TL_SUM"}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "c"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "c"}]}
]}
"""


class ShapeMismatch(Cases):
    valid = (Case(LIGHTNET, "lightnet"), Case(_TWO, "lightnet"))
    invalid = (
        Case(changed(_TWO, ("[ 2, 3 ]", "[ 3, 2 ]")), "lightnet", "[ 3, 2 ]", changed(_TWO, ("[ 2, 3 ]", "[2, 3]"))),
    )


_MISREAD = misread("maxpool2d", ("size", [3, 3]), ("stride", [1, 1]), ("padding", [0, 0, 0, 0]), ("autopad", "NOTSET"))


class WrongRank(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(
                ('"value": [2, 3]', '"value": [1, 1, 1, 1, 1, 1, 1, 2, 3]'),
                ('"axis", "value": 1', '"axis", "value": 8'),
            ),
            "lightnet",
            "[1, 1, 1, 1, 1, 1, 1, 2, 3]",
        ),
        Case(_MISREAD, "lightnet", '"image"', _MISREAD.replace(READS_IMAGE, READS_SPARE)),
    )


_MISREAD_RANGE = misread("slice", ("axis", 2), ("start", 0), ("len", 4))


class AxisOutOfRange(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"axis", "value": 1', '"axis", "value": 2')), "lightnet", "2"),
        Case(_MISREAD_RANGE, "lightnet", '"image"', _MISREAD_RANGE.replace(READS_IMAGE, READS_SPARE)),
    )


_FLAT = changed(
    POOL,
    ('"tensors_out": [{"arg_name": "dst", "name": "b"}]', '"tensors_out": [{"arg_name": "dst", "name": "image"}]'),
    (
        '  {"name": "show"',
        '''\
  {"name": "flat", "optype": "reshape", "tensors_in": [{"arg_name": "src", "name": "image"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}], "params": [{"arg_name": "dims", "value": [36]}]},
  {"name": "show"''',
    ),
)


class ElementCountMismatch(Cases):
    valid = (Case(LIGHTNET, "lightnet"), Case(lightnet(("[1, 2, 3, 4, 5, 6]", "[0]")), "lightnet"))
    invalid = (
        Case(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5, 6, 7]")), "lightnet", "7"),
        Case(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4]")), "lightnet", "[1, 2, 3, 4]"),
        Case(changed(_FLAT, ("[0, 0, 0, 0]", "[0, 0, 1, 0]")), "lightnet", "1", _FLAT),
    )


_DENSE = """"op": "FullyConnected", "name": "fc0",
      "attrs": {"no_bias": "False", "num_hidden": "4"},
      "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]"""


_UNIQUE = '"op": "_npi_unique", "name": "unique", "inputs": [[0, 0, 0]]'


class ShapeNotFollowed(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"), Case(ONNX, "onnx"))
    invalid = (
        Case(
            symbol((_DENSE, _UNIQUE)),
            "nnvm:mxnet",
            '"_npi_unique"',
        ),
        Case(
            onnx(('"" : 17', '"" : 17, "com.microsoft" : 1'), ("Relu (", "com.microsoft.SampleOp (")),
            "onnx",
            "SampleOp",
        ),
    )
