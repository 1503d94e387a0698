"""Samples of a model as it is written and as a compiler leaves it."""

from __future__ import annotations

from irlint.formats.samples import Sample
from irlint.rules.samples import LIGHTNET

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
