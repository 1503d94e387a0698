"""Pages of rules about shapes that do not fit."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import (
    LIGHTNET,
    ONNX,
    POOL,
    READS_IMAGE,
    READS_SPARE,
    SYMBOL,
    changed,
    lightnet,
    misread,
    onnx,
    symbol,
)

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


_MISREAD = misread("maxpool2d", ("size", [3, 3]), ("stride", [1, 1]), ("padding", [0, 0, 0, 0]), ("autopad", "NOTSET"))


class WrongRank(Rule):
    """
    What it does
        Checks for tensors with more or fewer dimensions than their operator supports, or than the format allows.

    Why is this bad
        The runtime refuses the operator or aborts. Often a batch or channel dimension is missing.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.

        In an NNVM graph, an input that is not named for its role is connected to the unused variable that is.
    """

    row = R.wrong_rank
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(
                ('"value": [2, 3]', '"value": [1, 1, 1, 1, 1, 1, 1, 2, 3]'),
                ('"axis", "value": 1', '"axis", "value": 8'),
            ),
            "lightnet",
            "[1, 1, 1, 1, 1, 1, 1, 2, 3]",
        ),
        Example(_MISREAD, "lightnet", '"image"', _MISREAD.replace(READS_IMAGE, READS_SPARE)),
    )


_MISREAD_RANGE = misread("slice", ("axis", 2), ("start", 0), ("len", 4))


class AxisOutOfRange(Rule):
    """
    What it does
        Checks for axes that their tensor does not have.

    Why is this bad
        The runtime refuses the operator. In formats without negative axes, -1 is not an axis either.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.
    """

    row = R.axis_out_of_range
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"axis", "value": 1', '"axis", "value": 2')), "lightnet", "2"),
        Example(_MISREAD_RANGE, "lightnet", '"image"', _MISREAD_RANGE.replace(READS_IMAGE, READS_SPARE)),
    )


_FLAT = changed(
    POOL,
    ('"tensors_out": [{"arg_name": "dst", "name": "b"}]', '"tensors_out": [{"arg_name": "dst", "name": "image"}]'),
    (
        '  {"name": "show"',
        '''\
  {"name": "flat", "optype": "reshape", "tensors_in": [{"arg_name": "src", "name": "image"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}], "params": [{"arg_name": "dims", "value": [36]}]},
  {"name": "show"''',
    ),
)


class ElementCountMismatch(Rule):
    """
    What it does
        Checks for shapes with the wrong number of elements: a reshape of 6 elements to [5], a constant of 9 values for
        8 elements.

    Why is this bad
        The reshape is impossible. Extra values are refused or written past the end of the tensor; if values are
        missing, the rest stays zero.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.
    """

    row = R.element_count_mismatch
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"), Example(lightnet(("[1, 2, 3, 4, 5, 6]", "[0]")), "lightnet"))
    invalid = (
        Example(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5, 6, 7]")), "lightnet", "7"),
        Example(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4]")), "lightnet", "[1, 2, 3, 4]"),
        Example(changed(_FLAT, ("[0, 0, 0, 0]", "[0, 0, 1, 0]")), "lightnet", "1", _FLAT),
    )


_DENSE = """"op": "FullyConnected", "name": "fc0",
      "attrs": {"no_bias": "False", "num_hidden": "4"},
      "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]"""
_UNIQUE = '"op": "_npi_unique", "name": "unique", "inputs": [[0, 0, 0]]'


class ShapeNotFollowed(Rule):
    """
    What it does
        Lists the operators whose output shapes irlint cannot infer although other nodes use the outputs, once per file.

    Why is this bad
        It is not necessarily bad: such operators are legal. But the shapes after them are unknown, so that irlint
        misses mistakes there.
    """

    row = R.shape_not_followed
    valid = (Example(SYMBOL, "nnvm:mxnet"), Example(ONNX, "onnx"))
    invalid = (
        Example(
            symbol((_DENSE, _UNIQUE)),
            "nnvm:mxnet",
            '"_npi_unique"',
        ),
        Example(
            onnx(('"" : 17', '"" : 17, "com.microsoft" : 1'), ("Relu (", "com.microsoft.SampleOp (")),
            "onnx",
            "SampleOp",
        ),
    )
