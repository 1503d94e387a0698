"""A007 wrong-value-length."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class WrongValueLength(Rule):
    """
    What it does
        Finds lists with too few or too many elements: one stride for two axes, a permutation that leaves an axis out.

    Why is this bad
        The loader counts them and refuses the operator; where it does not count, it reads what lies behind the list.

    Example
        ```json
        {"arg_name": "ran", "value": [0, 0, 0]}
        ```

    Use instead
        ```json
        {"arg_name": "ran", "value": [0, 0]}
        ```
    """

    code = "A007"
    name = "wrong-value-length"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"value": [0, 0]', '"value": [0, 0, 0]')), "lightnet", "[0, 0, 0]"),)
