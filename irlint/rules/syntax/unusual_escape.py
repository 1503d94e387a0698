"""S018 unusual-escape."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class UnusualEscape(Rule):
    r"""
    What it does
        Checks for string escapes that are valid JSON but that the format's own reader does not support. The reader of
        MXNet and TVM supports `\n`, `\r`, `\t`, `\\` and `\"`, and no others.

    Why is this bad
        Python's `json.dump` writes `\u00e9` for é by default; MXNet then refuses a file that every other program reads.

    Example
        ```json
        {"name": "caf\u00e9"}
        ```

    Use instead
        ```json
        {"name": "café"}
        ```

    Fix safety
        Safe: writes the character itself, which is the same string.
    """

    row = R.unusual_escape
    fixable = "safe"
    valid = (Example(SYMBOL, "nnvm"),)
    invalid = (
        Example(
            symbol(('"name": "relu0"', r'"name": "r\u00e9lu0"')),
            "nnvm",
            r"\u00e9",
            symbol(('"name": "relu0"', '"name": "rélu0"')),
        ),
    )
