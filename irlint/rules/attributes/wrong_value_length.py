"""A007 wrong-value-length."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, READS_IMAGE, READS_SPARE, lightnet, misread

_MISREAD = misread("resize", ("mode", "TL_NEAREST"), ("dims", [1, 1, 4, 4]))


class WrongValueLength(Rule):
    """
    What it does
        Checks for lists with too few or too many elements: one stride for two axes, a permutation without one of the
        axes.

    Why is this bad
        The loader checks the length and refuses the operator; one that does not check reads past the end of the list.

    Example
        ```json
        {"arg_name": "ran", "value": [0, 0, 0]}
        ```

    Use instead
        ```json
        {"arg_name": "ran", "value": [0, 0]}
        ```

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess. In an MXNet symbol, one number is repeated to the
        length of the other tuples.
    """

    row = R.wrong_value_length
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"value": [0, 0]', '"value": [0, 0, 0]')), "lightnet", "[0, 0, 0]"),
        Example(_MISREAD, "lightnet", '"image"', _MISREAD.replace(READS_IMAGE, READS_SPARE)),
    )
