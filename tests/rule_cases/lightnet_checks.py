"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, POOL, lightnet


class AwkwardName(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"name": "cut"', '"name": "first cut"')), "lightnet", '"first cut"'),)


class CompiledOperator(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"slice"', '"slice_cpu"')), "lightnet", '"slice_cpu"', LIGHTNET),)


_DIVIDE = """\
{"ops": [
  {"name": "za", "optype": "arange", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "start", "value": 1},
              {"arg_name": "stop", "value": 4}, {"arg_name": "step", "value": 1}]},
  {"name": "zb", "optype": "arange", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "b"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "start", "value": 1},
              {"arg_name": "stop" , "value": 4}, {"arg_name": "step", "value": 1}]},
  {"name": "ratio", "optype": "elew",
   "tensors_in": [{"arg_name": "src1", "name": "a"}, {"arg_name": "src2", "name": "b"}],
   "tensors_out": [{"arg_name": "dst", "name": "c"}], "params": [{"arg_name": "elew_op", "value": "TL_DIV"}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "c"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "c"}]}
]}
"""


class DivisionByZero(Cases):
    valid = (Case(_DIVIDE, "lightnet"),)
    invalid = (
        Case(
            _DIVIDE.replace(
                '"start", "value": 1},\n              {"arg_name": "stop" , "value": 4}',
                '"start", "value": 0},\n              {"arg_name": "stop" , "value": 3}',
            ),
            "lightnet",
            '"TL_DIV"',
        ),
    )


_OPS = '{\n  "ops": ['


class HalfPair(Cases):
    valid = (Case(lightnet((_OPS, '{\n  "mem_sizes_h": [0, 0], "mem_sizes_l": [0, 0],\n  "ops": [')), "lightnet"),)
    invalid = (Case(lightnet((_OPS, '{\n  "mem_sizes_l": [0, 0],\n  "ops": [')), "lightnet", '"mem_sizes_l"'),)


_COMPILED = """\
{
  "mem_sizes_h": [0, 0],
  "mem_sizes_l": [0, 9],
  "ops": [
    {"name": "z", "optype": "zeros_cpu", "tensors_in": [],
     "tensors_out": [{"arg_name": "dst", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 1}],
     "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}]},
    {"name": "show", "optype": "print_cpu",
     "tensors_in": [{"arg_name": "src", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 1}], "tensors_out": [],
     "params": [{"arg_name": "msg", "value": "a"}]}
  ]
}
"""


class MemoryPlan(Cases):
    valid = (Case(_COMPILED, "lightnet"),)
    invalid = (
        Case(
            _COMPILED.replace('"offset_l": 1}],\n     "params"', '"offset_l": 4}],\n     "params"', 1), "lightnet", "4"
        ),
        Case(
            _COMPILED.replace('"offset_l": 1}],\n     "params"', '"offset_l": 0}],\n     "params"', 1), "lightnet", "0"
        ),
    )


_FILE = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}]},
  {"name": "save", "optype": "fprint", "tensors_in": [{"arg_name": "src", "name": "a"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "a"}, {"arg_name": "file", "value": "a.txt"}]}
]}
"""


class OutputPath(Cases):
    valid = (Case(_FILE, "lightnet"),)
    invalid = (Case(_FILE.replace("a.txt", "../a.txt"), "lightnet", '"../a.txt"'),)


_SORT = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "keys"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [4]}]},
  {"name": "again", "optype": "rearange", "tensors_in": [{"arg_name": "src", "name": "keys"}],
   "tensors_out": [{"arg_name": "dst", "name": "numbers"}],
   "params": [{"arg_name": "start", "value": 0}, {"arg_name": "stop", "value": 4}, {"arg_name": "step", "value": 1}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "numbers"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "numbers"}]}%s
]}
"""


_LATE = """,
  {"name": "late", "optype": "print", "tensors_in": [{"arg_name": "src" , "name": "keys"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "keys"}]}"""


class OverwrittenTensor(Cases):
    valid = (Case(_SORT % "", "lightnet"),)
    invalid = (Case(_SORT % _LATE, "lightnet", '"keys"'),)


class PoolPadding(Cases):
    valid = (Case(POOL, "lightnet"),)
    invalid = (Case(POOL.replace("NOTSET", "SAME_UPPER"), "lightnet", '"SAME_UPPER"'),)


_SHOW = LIGHTNET[LIGHTNET.index('    {\n      "name": "show"') : LIGHTNET.index("\n  ]\n}")]


_LATE = _SHOW.replace('"show"', '"late"').replace('"name": "part"', '"name": "image"')


class PrintOrder(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet((_SHOW, _SHOW + ",\n" + _LATE)), "lightnet", '"late"'),)
