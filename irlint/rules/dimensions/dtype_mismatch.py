"""D002 dtype-mismatch."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, changed

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


class DtypeMismatch(Rule):
    """
    What it does
        Checks for operators whose inputs have element types that do not match, or that the operator does not support.

    Why is this bad
        The runtime refuses the operator, or interprets the bytes of one type as another.

    Example
        A sum of a tensor of floats and one of integers.

    Use instead
        Create both with the same type, or convert one of them first.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.

        In an NNVM graph, an input that is not named for its role is connected to the unused variable that is.
    """

    row = R.dtype_mismatch
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"), Example(_TWO, "lightnet"))
    invalid = (
        Example(
            changed(_TWO, ('"arg_name" : "dtype", "value": "TL_FLOAT"', '"arg_name" : "dtype", "value": "TL_INT32"')),
            "lightnet",
            '"TL_INT32"',
            _TWO,
        ),
    )
