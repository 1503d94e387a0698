"""S005 invalid-utf8."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class InvalidUtf8(Rule):
    r"""
    What it does
        Checks for bytes that are not valid UTF-8, usually in names that a program wrote in Latin-1 or in the machine's
        code page.

    Why is this bad
        Readers that compare bytes accept the name; Python, Java and JavaScript tools refuse the file or replace the
        byte, so that a name no longer equals itself.

    Example
        ```json
        {"name": "caf\xe9"}
        ```

    Use instead
        ```json
        {"name": "café"}
        ```

    References
        RFC 8259, section 8.1: JSON text exchanged between systems is encoded in UTF-8.
    """

    row = R.invalid_utf8
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"value": "part:"', '"value": "part\udce9:"')), "lightnet", "\udce9"),)
