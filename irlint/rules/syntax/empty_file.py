"""S011 empty-file."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class EmptyFile(Rule):
    """
    What it does
        Checks for files without content.

    Why is this bad
        They are left behind by interrupted downloads and full disks. LightNet aborts on one; other readers report an
        error at the first character.

    Example
        ```json
        (a file of 0 bytes)
        ```

    Use instead
        ```json
        {"ops": []}
        ```
    """

    row = R.empty_file
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example("", "lightnet"),
        Example(" \n\n", "lightnet"),
    )
