"""S002 duplicate-key."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, symbol


class DuplicateKey(Rule):
    """
    What it does
        Checks for keys that appear twice in one object.

    Why is this bad
        Readers silently drop one of the two values and disagree on which: LightNet keeps the first, Python and MXNet
        keep the last. The file means different models to different programs.

    Example
        ```json
        {"name": "cut", "optype": "slice", "name": "trim"}
        ```

    Use instead
        ```json
        {"name": "trim", "optype": "slice"}
        ```

    Fix safety
        Removes the member that the format's own reader ignores. Safe where both values are the same; unsafe where they
        differ, because the reader may be using the wrong one.

    References
        RFC 8259, section 4: names within an object should be unique.
    """

    row = R.duplicate_key
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(('"name": "cut", "optype"', '"name": "cut", "name": "trim", "optype"')),
            "lightnet",
            '"name"',
            LIGHTNET,
        ),
        Example(
            symbol(('{"op": "null", "name": "data"', '{"op": "null", "op": "null", "name": "data"')),
            "nnvm",
            '"op"',
            SYMBOL,
        ),
    )
