"""Pages of rules about optypes."""

from __future__ import annotations

from irlint.formats.lightnet.rules import R
from irlint.rules.base import Rule


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
