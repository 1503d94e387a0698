"""S008 nul-character."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class NulCharacter(Rule):
    r"""
    What it does
        Checks for NUL characters, written as a byte or as the escape `\u0000`.

    Why is this bad
        In C programs a NUL ends the text: the name is silently shortened, or the rest of the file is lost.

    Example
        ```json
        {"name": "part\u0000_1"}
        ```

    Use instead
        ```json
        {"name": "part_1"}
        ```
    """

    row = R.nul_character
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"value": "part:"', r'"value": "part\u0000:"')), "lightnet", r"\u0000"),)
