"""D004 axis-out-of-range."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class AxisOutOfRange(Rule):
    """
    What it does
        Finds axes that their tensor does not have.

    Why is this bad
        The runtime refuses the operator. In formats without negative axes, -1 is no axis either.

    Example
        ```json
        {"arg_name": "axis", "value": 2}
        ```
        for a tensor of shape [2, 3], whose axes are 0 and 1.

    Use instead
        ```json
        {"arg_name": "axis", "value": 1}
        ```
    """

    code = "D004"
    name = "axis-out-of-range"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"axis", "value": 1', '"axis", "value": 2')), "lightnet", "2"),)
