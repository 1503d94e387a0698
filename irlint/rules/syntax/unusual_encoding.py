"""S017 unusual-encoding."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class UnusualEncoding(Rule):
    """
    What it does
        Checks for files in an encoding other than UTF-8, usually UTF-16 as PowerShell's `>` writes it.

    Why is this bad
        JSON readers expect UTF-8: they stop at the first byte. Some XML readers accept other encodings, others do not.

    Example
        ```json
        FF FE 7B 00 22 00 ...
        ```

    Use instead
        ```json
        {"ops": []}
        ```
    """

    row = R.unusual_encoding
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example("".join(char + "\0" for char in LIGHTNET), "lightnet"),)
