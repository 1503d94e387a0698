"""S010 too-deep."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class TooDeep(Rule):
    """
    What it does
        Finds lists and objects that are nested deeper than the format's reader goes, for most a thousand
        levels.

    Why is this bad
        Readers that recurse overflow their stack and take the process with them; others stop with an error. No
        real model is nested like that.

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
