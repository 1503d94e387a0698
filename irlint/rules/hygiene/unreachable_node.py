"""G001 unreachable-node."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class UnreachableNode(Rule):
    """
    What it does
        Finds nodes on which no output of the model depends.

    Why is this bad
        Loaders drop them, mostly without a word: the file says that something is computed, and it is not. Often an output
        or an input was meant to point at such a node.

    Example
        ```json
        "heads": [[3, 0, 0]]
        ```
        where node 4 reads node 3.

    Use instead
        ```json
        "heads": [[4, 0, 0]]
        ```
        or a file without node 4.
    """

    code = "G001"
    name = "unreachable-node"
    severity = Severity.WARNING
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (Example(symbol(('"heads": [[4, 0, 0]]', '"heads": [[3, 0, 0]]')), "nnvm:mxnet", '"relu0"'),)
