"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.shapes_sample import IR
from rule_cases.texts import LIGHTNET, POOL, changed, lightnet

_TWO = """\
{"ops": [
  {"name": "za", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2, 3]}]},
  {"name": "zb", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "b"}],
   "params": [{"arg_name" : "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2, 3]}]},
  {"name": "add", "optype": "elew",
   "tensors_in": [{"arg_name": "src1", "name": "a"}, {"arg_name": "src2", "name": "b"}],
   "tensors_out": [{"arg_name": "dst", "name": "c"}], "params": [{"arg_name": "elew_op", "value": "TL_SUM"}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "c"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "c"}]}
]}
"""


class DtypeMismatch(Cases):
    valid = (Case(LIGHTNET, "lightnet"), Case(_TWO, "lightnet"))
    invalid = (
        Case(
            changed(_TWO, ('"arg_name" : "dtype", "value": "TL_FLOAT"', '"arg_name" : "dtype", "value": "TL_INT32"')),
            "lightnet",
            '"TL_INT32"',
            _TWO,
        ),
    )


_CONV = '<output><port id="2" precision="FP32">'


class DeclaredDtypeDiffers(Cases):
    valid = (Case(IR, "openvino"),)
    invalid = (Case(changed(IR, (_CONV, _CONV.replace("FP32", "FP16"))), "openvino", "FP16", IR),)


_PART = '"tensors_in": [{"arg_name": "src", "name": "part"}]'


class DeclaredShapeDiffers(Cases):
    valid = (
        Case(LIGHTNET, "lightnet"),
        Case(lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [2, 2]}]')), "lightnet"),
    )
    invalid = (
        Case(
            lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [4, 4]}]')),
            "lightnet",
            "[4, 4]",
            lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [2, 2]}]')),
        ),
    )


class EmptyOutput(Cases):
    valid = (Case(LIGHTNET, "lightnet"), Case(POOL, "lightnet"))
    invalid = (
        Case(changed(POOL, ("[3, 3]", "[9, 9]")), "lightnet", "[9, 9]"),
        Case(changed(POOL, ("[3, 3]", "[9, 3]")), "lightnet", "9", POOL),
    )


class TooLarge(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(('"value": [2, 3]', '"value": [65536, 65536]'), ("[1, 2, 3, 4, 5, 6]", "[0]")),
            "lightnet",
            "[65536, 65536]",
        ),
        Case(changed(POOL, ("[0, 0, 0, 0]", "[0, 0, 2147483647, 0]")), "lightnet", "2147483647", POOL),
    )
