"""S011 empty-file."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class EmptyFile(Rule):
    """
    What it does
        Finds files without content.

    Why is this bad
        An interrupted download or a full disk leaves them behind. LightNet aborts on one, others report
        something about the first character.

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
