"""D005 empty-output."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, changed

_POOL = """\
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


class EmptyOutput(Rule):
    """
    What it does
        Finds operators whose output would have a dimension of zero or less: a window larger than its padded input, a
        scale so small that nothing is left.

    Why is this bad
        The runtime refuses the operator or aborts without a word on which value is at fault.

    Example
        A pooling window of 9 x 9 on an image of 8 x 8.

    Use instead
        A window that fits, or enough padding.
    """

    code = "D005"
    name = "empty-output"
    valid = (Example(LIGHTNET, "lightnet"), Example(_POOL, "lightnet"))
    invalid = (Example(changed(_POOL, ("[3, 3]", "[9, 9]")), "lightnet", "[9, 9]"),)
