"""Samples of a model as it is written and as a compiler leaves it."""

from __future__ import annotations

from irlint.formats.samples import Sample

LIGHTNET = """\
{
  "ops": [
    {
      "name": "load", "optype": "create", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "image"}],
      "params": [
        {"arg_name": "dtype", "value": "TL_FLOAT"},
        {"arg_name": "dims", "value": [2, 3]},
        {"arg_name": "ran", "value": [0, 0]},
        {"arg_name": "data", "value": [1, 2, 3, 4, 5, 6]},
        {"arg_name": "from_file", "value": false}
      ]
    },
    {
      "name": "cut", "optype": "slice",
      "tensors_in": [{"arg_name": "src", "name": "image"}], "tensors_out": [{"arg_name": "dst", "name": "part"}],
      "params": [{"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 2}]
    },
    {
      "name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "part"}], "tensors_out": [],
      "params": [{"arg_name": "msg", "value": "part:"}]
    }
  ]
}
"""
POOL = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [1, 1, 8, 8]}]},
  {"name": "pool", "optype": "maxpool2d", "tensors_in": [{"arg_name": "src", "name": "a"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}],
   "params": [{"arg_name": "size", "value": [3, 3]}, {"arg_name": "stride", "value": [1, 1]},
              {"arg_name": "padding", "value": [0, 0, 0, 0]}, {"arg_name": "autopad", "value": "NOTSET"}]},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "b"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "b"}]}
]}
"""

_NAMES = ("load", "image", "part", "cut", "show")

_COMPILED = """\
{
  "mem_sizes_h": [0, 0],
  "mem_sizes_l": [0, 9],
  "ops": [
    {
      "name": "z", "optype": "zeros_cpu", "tensors_in": [],
      "tensors_out": [{"arg_name": "dst", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 1}],
      "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}]
    },
    {
      "name": "show", "optype": "print_cpu", "tensors_out": [],
      "tensors_in": [{"arg_name": "src", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 1}],
      "params": [{"arg_name": "msg", "value": "a:"}]
    }
  ]
}
"""

SAMPLES = (
    Sample("source", "model.json", LIGHTNET.encode(), _NAMES),
    Sample("compiled", "out.json", _COMPILED.encode(), ("z", "a", "show")),
)
