"""C001 target-lacks-operator."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET

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


class TargetLacksOperator(Rule):
    """
    What it does
        Checks for operators that the format defines but that cannot be compiled or run for the given target (`--target
        lightnet=cpu`), or for any target.

    Why is this bad
        The file loads, but cannot be compiled.

    Example
        LightNet's `gather`: no compile target accepts it in a source file.

    Use instead
        Operators that the target has.

    An error where no target, or not the given one, supports the operator; a warning where only the default target lacks
    it.
    """

    row = R.target_lacks_operator
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(_GATHER, "lightnet", '"gather"'),)
