"""Pages of rules about shapes that do not fit."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


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


class ShapeNotFollowed(Rule):
    """
    What it does
        Lists the operators whose output shapes irlint cannot infer although other nodes use the outputs, once per file.

    Why is this bad
        It is not necessarily bad: such operators are legal. But the shapes after them are unknown, so that irlint
        misses mistakes there.
    """

    row = R.shape_not_followed
