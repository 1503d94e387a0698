"""G201 duplicate-head."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class DuplicateHead(Rule):
    """
    What it does
        Finds outputs that are listed twice in `heads`.

    Why is this bad
        It loads, and hands the same value out twice, which is seldom meant: one of the two should be another node.

    Example
        ```json
        "heads": [[4, 0, 0], [4, 0, 0]]
        ```

    Use instead
        ```json
        "heads": [[4, 0, 0]]
        ```
    """

    row = R.duplicate_head
    formats = ("nnvm",)
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (Example(symbol(('"heads": [[4, 0, 0]]', '"heads": [[4, 0, 0], [4, 0, 1]]')), "nnvm:mxnet", "[4, 0, 1]"),)
