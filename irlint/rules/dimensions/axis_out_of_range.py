"""D004 axis-out-of-range."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, READS_IMAGE, READS_SPARE, lightnet, misread

_MISREAD = misread("slice", ("axis", 2), ("start", 0), ("len", 4))


class AxisOutOfRange(Rule):
    """
    What it does
        Checks for axes that their tensor does not have.

    Why is this bad
        The runtime refuses the operator. In formats without negative axes, -1 is not an axis either.

    Example
        ```json
        {"arg_name": "axis", "value": 2}
        ```
        for a tensor of shape [2, 3], whose axes are 0 and 1.

    Use instead
        ```json
        {"arg_name": "axis", "value": 1}
        ```

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess. Other formats have no fix.
    """

    row = R.axis_out_of_range
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"axis", "value": 1', '"axis", "value": 2')), "lightnet", "2"),
        Example(_MISREAD, "lightnet", '"image"', _MISREAD.replace(READS_IMAGE, READS_SPARE)),
    )
