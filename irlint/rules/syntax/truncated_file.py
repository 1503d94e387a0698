"""S016 truncated-file."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL


class TruncatedFile(Rule):
    """
    What it does
        Checks for files that end before the last bracket is closed.

    Why is this bad
        A copy was interrupted or a disk was full, and more than the bracket may be missing. Some readers treat the end
        of the file as all missing brackets and load half a model.

    Example
        ```json
        {"ops": [{"name": "cut"}
        ```

    Use instead
        ```json
        {"ops": [{"name": "cut"}]}
        ```

    Fix safety
        Appends the closing brackets. Safe where the format's own reader does the same (NNVM). Unsafe elsewhere: more
        than the brackets may be missing.
    """

    row = R.truncated_file
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(LIGHTNET.rstrip()[:-1].rstrip(), "lightnet", None, LIGHTNET.rstrip()[:-1].rstrip() + "}"),
        Example(SYMBOL.rstrip()[:-1].rstrip(), "nnvm", None, SYMBOL.rstrip()[:-1].rstrip() + "}"),
    )
