"""T003 unknown-key."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class UnknownKey(Rule):
    """
    What it does
        Finds keys that the format's loader does not know and does not pass over.

    Why is this bad
        MXNet and TVM refuse the whole file over one such key. Mostly it is a misspelt one.

    Example
        ```json
        {"op": "Activation", "name": "relu0", "imputs": [[3, 0, 0]]}
        ```

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "inputs": [[3, 0, 0]]}
        ```

    Fix safety
        Renames the key to the one that was probably meant. Unsafe: it is a guess.
    """

    code = "T003"
    name = "unknown-key"
    severity = Severity.ERROR
    fixable = "unsafe"
    valid = (Example(SYMBOL, "nnvm"),)
    invalid = (Example(symbol(('"attrs": {"act_type"', '"attr_s": {"act_type"')), "nnvm", '"attr_s"', SYMBOL),)
