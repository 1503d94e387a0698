"""S009 trailing-text."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET

_EVENTS = '[{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 36}]'


class TrailingText(Rule):
    """
    What it does
        Checks for text after the end of the document: a second document, a stray bracket, the remains of a longer file
        that was overwritten.

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
        Removes the text. Safe where the format's own reader never reads it (NNVM, LightNet). Unsafe elsewhere: it may
        be the part that was meant.
    """

    row = R.trailing_text
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(LIGHTNET + "done\n", "lightnet", "done", LIGHTNET.rstrip()),
        Example(_EVENTS + "\ndone\n", "glacier:events", "done", _EVENTS),
    )
