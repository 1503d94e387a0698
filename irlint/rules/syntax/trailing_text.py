"""S009 trailing-text."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class TrailingText(Rule):
    """
    What it does
        Finds text after the end of the document: a second document, a stray bracket, the remains of a longer
        file that was overwritten.

    Why is this bad
        Some readers ignore it, others refuse the whole file; and it may be the part that was meant.

    Example
        ```json
        {"ops": []}
        {"ops": []}
        ```

    Use instead
        ```json
        {"ops": []}
        ```

    Fix safety
        Deletes the text. Safe where the format's own reader never looks at it, else unsafe.
    """

    code = "S009"
    name = "trailing-text"
    severity = Severity.ERROR
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(LIGHTNET + "done\n", "lightnet", "done", LIGHTNET.rstrip()),)
