"""G201 duplicate-head."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class DuplicateHead(Rule):
    """
    What it does
        Checks for outputs that are listed twice in `heads`.

    Why is this bad
        The graph loads and outputs the same value twice. This is rarely intended; one of the entries usually belongs
        to another node.

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
