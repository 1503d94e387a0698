"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, lightnet

_RESIZE = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2, 3]}]},
  {"name": "grow", "optype": "resize", "tensors_in": [{"arg_name": "src", "name": "a"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}],
   "params": [{"arg_name": "mode", "value": "TL_NEAREST"}, {"arg_name": "dims", "value": [4, 6]}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "b"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "b"}]}
]}
"""


class AbortsAtRun(Cases):
    valid = (Case(_RESIZE, "lightnet"),)
    invalid = (Case(_RESIZE.replace("TL_NEAREST", "TL_LINEAR"), "lightnet", '"TL_LINEAR"', _RESIZE),)


class WrongOperator(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"slice"', '"concat"')), "lightnet", '"concat"', LIGHTNET),)
