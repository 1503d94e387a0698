"""T005 key-case."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class KeyCase(Rule):
    """
    What it does
        Finds keys whose letter case is not the format's own.

    Why is this bad
        LightNet finds `OpType` as well as `optype`; every other program that reads the file does not.

    Example
        ```json
        {"name": "cut", "OpType": "slice"}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice"}
        ```

    Fix safety
        Writes the key as the format has it. Safe: it is the key that the loader takes it for. No fix is offered where the
        object has the key in both spellings: other programs read the other one.
    """

    row = R.key_case
    fixable = "safe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"name": "cut", "optype"', '"name": "cut", "OpType"')), "lightnet", '"OpType"', LIGHTNET),
    )
