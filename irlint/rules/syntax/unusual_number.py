"""S015 unusual-number."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class UnusualNumber(Rule):
    """
    What it does
        Checks for numbers in a notation that JSON does not have: `01`, `1.`, `.5`, `+1`, `0x10`.

    Why is this bad
        One format's reader accepts them, another refuses the file, and a third reads `010` as eight.

    Example
        ```json
        {"axis": 01}
        ```

    Use instead
        ```json
        {"axis": 1}
        ```

    Fix safety
        Safe: writes the number in JSON notation, with the value that the format's own reader reads.

    References
        RFC 8259, section 6.
    """

    row = R.unusual_number
    fixable = "safe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"axis", "value": 1', '"axis", "value": 01')), "lightnet", "01", LIGHTNET),)
