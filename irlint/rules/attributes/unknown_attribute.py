"""A001 unknown-attribute."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

_LEN = '{"arg_name": "len", "value": 2}'


class UnknownAttribute(Rule):
    """
    What it does
        Finds attributes (parameters) that their operator does not have.

    Why is this bad
        A strict loader refuses the operator; a lenient one passes over the attribute, so that a misspelt one silently
        leaves the default in force.

    Example
        ```json
        {"arg_name": "length", "value": 2}
        ```

    Use instead
        ```json
        {"arg_name": "len", "value": 2}
        ```

    Fix safety
        Unsafe: a misspelt name is changed to the one that is missing; a surplus attribute is taken out.
    """

    code = "A001"
    name = "unknown-attribute"
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet((_LEN, '{"arg_name": "length", "value": 2}')), "lightnet", '"length"', LIGHTNET),
        Example(lightnet((_LEN, _LEN + ', {"arg_name": "step", "value": 1}')), "lightnet", '"step"', LIGHTNET),
    )
