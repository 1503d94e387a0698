"""A010 lossy-number."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class LossyNumber(Rule):
    """
    What it does
        Finds numbers that the loader cannot keep as they are written: a fraction where it reads a whole number, a
        value beyond the range of the type.

    Why is this bad
        The loader cuts or clamps the number without a word and computes with another one.

    Example
        ```json
        {"arg_name": "axis", "value": 1.9}
        ```

    Use instead
        ```json
        {"arg_name": "axis", "value": 1}
        ```

    Fix safety
        Unsafe: the number that the loader makes of it is written down, which may not be the one that was meant.
    """

    code = "A010"
    name = "lossy-number"
    severity = Severity.WARNING
    fixable = "unsafe"
    valid = (
        Example(LIGHTNET, "lightnet"),
        Example(lightnet(('"axis", "value": 1', '"axis", "value": 1.0')), "lightnet"),
    )
    invalid = (Example(lightnet(('"axis", "value": 1', '"axis", "value": 1.9')), "lightnet", "1.9", LIGHTNET),)
