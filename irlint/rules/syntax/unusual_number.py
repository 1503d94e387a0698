"""S015 unusual-number."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class UnusualNumber(Rule):
    """
    What it does
        Finds numbers in a spelling that JSON does not have: `01`, `1.`, `.5`, `+1`, `0x10`.

    Why is this bad
        The reader of one format takes them, that of the next refuses the file, and a third takes `010` for
        eight.

    Example
        ```json
        {"axis": 01}
        ```

    Use instead
        ```json
        {"axis": 1}
        ```

    Fix safety
        Writes the number as JSON has it. Safe: it is the value that the format's own reader takes.

    References
        RFC 8259, section 6.
    """

    row = R.unusual_number
    fixable = "safe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"axis", "value": 1', '"axis", "value": 01')), "lightnet", "01", LIGHTNET),)
