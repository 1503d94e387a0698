"""T004 wrong-length."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class WrongLength(Rule):
    """
    What it does
        Checks for lists with more or fewer elements than the format requires.

    Why is this bad
        Loaders that read a fixed number of elements stop at the wrong bracket.

    Example
        ```json
        {"heads": [[4, 0, 0, 0]]}
        ```

    Use instead
        ```json
        {"heads": [[4, 0, 0]]}
        ```
    """

    row = R.wrong_length
    valid = (Example(SYMBOL, "nnvm"),)
    invalid = (Example(symbol(('"heads": [[4, 0, 0]]', '"heads": [[4, 0, 0, 0]]')), "nnvm", "[4, 0, 0, 0]"),)
