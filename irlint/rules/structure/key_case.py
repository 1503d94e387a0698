"""T005 key-case."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class KeyCase(Rule):
    """
    What it does
        Checks for keys whose letter case differs from the format's.

    Why is this bad
        LightNet accepts `OpType` as well as `optype`; every other program that reads the file does not.

    Example
        ```json
        {"name": "cut", "OpType": "slice"}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice"}
        ```

    Fix safety
        Safe: writes the key as the format spells it, which is how the loader reads it. There is no fix where the object
        has the key in both spellings: other programs read the other one.
    """

    row = R.key_case
    fixable = "safe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"name": "cut", "optype"', '"name": "cut", "OpType"')), "lightnet", '"OpType"', LIGHTNET),
    )
