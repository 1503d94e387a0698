"""T006 value-not-allowed."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class ValueNotAllowed(Rule):
    """
    What it does
        Finds structural values that are of the right type, but not among those that the format knows: a word
        that is not in a list, a number below its bound, a text that does not have the form.

    Why is this bad
        Loaders look such words up and stop where they find nothing.

    Example
        ```json
        {"attrs": {"mxnet_version": ["float", 10901]}}
        ```

    Use instead
        ```json
        {"attrs": {"mxnet_version": ["int", 10901]}}
        ```
    """

    code = "T006"
    name = "value-not-allowed"
    severity = Severity.ERROR
    valid = (Example(SYMBOL, "nnvm"),)
    invalid = (Example(symbol(('["int", 10901]', '["float", 10901]')), "nnvm", '"float"'),)
