"""S014 control-character."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class ControlCharacter(Rule):
    r"""
    What it does
        Finds tabs, line ends and other control characters that stand as they are inside a string.

    Why is this bad
        JSON wants them as escapes. Lenient readers keep them, strict ones stop.

    Example
        ```json
        {"msg": "a<tab>b"}
        ```

    Use instead
        ```json
        {"msg": "a\tb"}
        ```

    Fix safety
        Writes the escape. Safe: it is the same string.

    References
        RFC 8259, section 7.
    """

    row = R.control_character
    fixable = "safe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(('"value": "part:"', '"value": "part\t:"')),
            "lightnet",
            "\t",
            lightnet(('"value": "part:"', r'"value": "part\t:"')),
        ),
        Example(
            '{"nodes": [{"op": "null", "name": "da\fta", "inputs": []}], "arg_nodes": [0], "heads": [[0, 0, 0]]}',
            "nnvm",
            "\f",  # its reader does not know the escape
        ),
    )
