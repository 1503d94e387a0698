"""D001 shape-mismatch."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, changed

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


class ShapeMismatch(Rule):
    """
    What it does
        Checks for operators whose input shapes do not match each other or the operator's attributes: sums of tensors of
        different shapes, a convolution whose weights have a different number of channels than its input.

    Why is this bad
        The runtime refuses the operator, or reads memory that belongs to something else.

    Example
        A sum of a tensor of shape [2, 3] and one of shape [3, 2].

    Use instead
        Use the same shape for both, or reshape or transpose one of them first.

    The finding points to the declaration of the wrong shape, if changing that alone makes the file consistent, and
    otherwise to the input that does not match; the operator and the other tensor are related locations.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.

        In an NNVM graph, an input that is not named for its role is connected to the unused variable that is.
    """

    row = R.shape_mismatch
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"), Example(_TWO, "lightnet"))
    invalid = (
        Example(changed(_TWO, ("[ 2, 3 ]", "[ 3, 2 ]")), "lightnet", "[ 3, 2 ]", changed(_TWO, ("[ 2, 3 ]", "[2, 3]"))),
    )
