"""Pages of rules about optypes."""

from __future__ import annotations

from irlint.formats.lightnet.rules import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

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


class AbortsAtRun(Rule):
    """
    What it does
        Checks for operators that LightNet loads and compiles but aborts on at run time: the resize mode `TL_LINEAR`,
        `lrelu` on 64-bit integers.

    Why is this bad
        The process dies with a failed assertion. The file cannot run anywhere.

    Fix safety
        Unsafe: the fix writes a mode or an element type that LightNet supports, which changes the results.

    References
        TensorLight: tl_tensor_resize.c, tl_type.c
    """

    row = R.aborts_at_run
    formats = ("lightnet",)
    fixable = "unsafe"
    valid = (Example(_RESIZE, "lightnet"),)
    invalid = (Example(_RESIZE.replace("TL_NEAREST", "TL_LINEAR"), "lightnet", '"TL_LINEAR"', _RESIZE),)


class WrongOperator(Rule):
    """
    What it does
        Checks for operators whose inputs, outputs and parameters have the names of those of another operator.

    Why is this bad
        LightNet refuses the first argument that the operator does not have. Most likely, the optype is wrong rather
        than all of the arguments.

    Fix safety
        Unsafe: which of the two was meant is a guess. There is a fix only if exactly one other operator matches.
    """

    row = R.wrong_operator
    formats = ("lightnet",)
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"slice"', '"concat"')), "lightnet", '"concat"', LIGHTNET),)
