"""S010 too-deep."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class TooDeep(Rule):
    """
    What it does
        Checks for lists and objects that are nested more deeply than the format's reader supports, for most a thousand
        levels.

    Why is this bad
        Recursive readers overflow their stack and crash the process; others stop with an error. No real model is nested
        that deeply.

    Example
        ```json
        {"extra": [[[[[[ ... ]]]]]]}
        ```

    Use instead
        ```json
        {"extra": []}
        ```
    """

    row = R.too_deep
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"ops": [', f'"extra": {"[" * 1001}{"]" * 1001}, "ops": [')), "lightnet", "["),)
