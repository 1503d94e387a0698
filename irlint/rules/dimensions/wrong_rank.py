"""D003 wrong-rank."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, READS_IMAGE, READS_SPARE, lightnet, misread

_MISREAD = misread("maxpool2d", ("size", [3, 3]), ("stride", [1, 1]), ("padding", [0, 0, 0, 0]), ("autopad", "NOTSET"))


class WrongRank(Rule):
    """
    What it does
        Checks for tensors with more or fewer dimensions than their operator supports, or than the format allows.

    Why is this bad
        The runtime refuses the operator or aborts. Often a batch or channel dimension is missing.

    Example
        A 2-D convolution over an image of shape [3, 224, 224].

    Use instead
        An image of shape [1, 3, 224, 224].

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
