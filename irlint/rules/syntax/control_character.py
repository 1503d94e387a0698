"""S014 control-character."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class ControlCharacter(Rule):
    r"""
    What it does
        Checks for tabs, line breaks and other control characters that are not escaped inside a string.

    Why is this bad
        JSON requires escapes for them. Lenient readers keep the characters, strict ones stop.

    Example
        ```json
        {"msg": "a<tab>b"}
        ```

    Use instead
        ```json
        {"msg": "a\tb"}
        ```

    Fix safety
        Safe: writes the escape, which is the same string.

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
