"""Pages of rules about types that are declared, and results that no runtime has use for."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.pages._shapes_sample import IR
from irlint.rules.samples import LIGHTNET, POOL, changed, lightnet

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


_CONV = '<output><port id="2" precision="FP32">'


class DeclaredDtypeDiffers(Rule):
    """
    What it does
        Checks for declared element types that differ from those that irlint infers.

    Why is this bad
        Anyone who relies on the declared type is misled. Some runtimes compute with it.

    Fix safety
        Unsafe: the fix declares the inferred type; the mistake may be in the operators instead. For an output of an ONNX model that
        was converted to another precision and kept the types of its inputs, the fix inserts a Cast.
    """

    row = R.declared_dtype_differs
    fixable = "unsafe"
    valid = (Example(IR, "openvino"),)
    invalid = (Example(changed(IR, (_CONV, _CONV.replace("FP32", "FP16"))), "openvino", "FP16", IR),)


_PART = '"tensors_in": [{"arg_name": "src", "name": "part"}]'


class DeclaredShapeDiffers(Rule):
    """
    What it does
        Checks for declared shapes that differ from those that irlint infers.

    Why is this bad
        Anyone who relies on the declared shape is misled. Some runtimes compute with it.

    Fix safety
        Unsafe: the fix declares the inferred shape; the mistake may be in the operators instead.
    """

    row = R.declared_shape_differs
    fixable = "unsafe"
    valid = (
        Example(LIGHTNET, "lightnet"),
        Example(lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [2, 2]}]')), "lightnet"),
    )
    invalid = (
        Example(
            lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [4, 4]}]')),
            "lightnet",
            "[4, 4]",
            lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [2, 2]}]')),
        ),
    )


class EmptyOutput(Rule):
    """
    What it does
        Checks for operators whose output would have a dimension of zero or less: a window larger than its padded input,
        a scale so small that nothing is left.

    Why is this bad
        The runtime refuses the operator, or aborts without reporting which value is wrong.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.
    """

    row = R.empty_output
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"), Example(POOL, "lightnet"))
    invalid = (
        Example(changed(POOL, ("[3, 3]", "[9, 9]")), "lightnet", "[9, 9]"),
        Example(changed(POOL, ("[3, 3]", "[9, 3]")), "lightnet", "9", POOL),
    )


class TooLarge(Rule):
    """
    What it does
        Checks for tensors with more elements than the runtime can count, or more bytes than it can allocate.

    Why is this bad
        The number of elements overflows: the runtime aborts, allocates too little, or requests a negative amount.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.
    """

    row = R.too_large
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(('"value": [2, 3]', '"value": [65536, 65536]'), ("[1, 2, 3, 4, 5, 6]", "[0]")),
            "lightnet",
            "[65536, 65536]",
        ),
        Example(changed(POOL, ("[0, 0, 0, 0]", "[0, 0, 2147483647, 0]")), "lightnet", "2147483647", POOL),
    )
