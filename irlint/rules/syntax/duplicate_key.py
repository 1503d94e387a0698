"""S002 duplicate-key."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, symbol


class DuplicateKey(Rule):
    """
    What it does
        Finds a key that stands twice in one object.

    Why is this bad
        One of the two values is thrown away without a word, and readers do not agree which: LightNet keeps the
        first, Python and MXNet keep the last. The file means different models to different programs.

    Example
        ```json
        {"name": "cut", "optype": "slice", "name": "trim"}
        ```

    Use instead
        ```json
        {"name": "trim", "optype": "slice"}
        ```

    Fix safety
        Deletes the member that the format's own reader ignores. Safe where both values are the same, unsafe where they
        differ: the wrong one may be in force.

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
