"""A008 duplicate-attribute."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

_AXIS = '{"arg_name": "axis", "value": 1}'


class DuplicateAttribute(Rule):
    """
    What it does
        Finds attributes (parameters) that one operator has twice.

    Why is this bad
        Which of the two counts depends on the loader; strict ones refuse the operator by the number of its attributes.

    Example
        ```json
        "params": [{"arg_name": "axis", "value": 1}, {"arg_name": "axis", "value": 0}]
        ```

    Use instead
        ```json
        "params": [{"arg_name": "axis", "value": 1}]
        ```

    Fix safety
        Unsafe: the second one is renamed to what is missing, or taken out.
    """

    row = R.duplicate_attribute
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet((_AXIS, _AXIS + ', {"arg_name" : "axis", "value": 0}')), "lightnet", '"axis"', LIGHTNET),
    )
