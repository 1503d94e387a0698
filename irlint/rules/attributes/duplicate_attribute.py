"""A008 duplicate-attribute."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

_AXIS = '{"arg_name": "axis", "value": 1}'


class DuplicateAttribute(Rule):
    """
    What it does
        Checks for duplicate attributes (parameters) of one operator.

    Why is this bad
        Which of the two is used depends on the loader; strict ones refuse the operator because the number of attributes
        is wrong.

    Example
        ```json
        "params": [{"arg_name": "axis", "value": 1}, {"arg_name": "axis", "value": 0}]
        ```

    Use instead
        ```json
        "params": [{"arg_name": "axis", "value": 1}]
        ```

    Fix safety
        Unsafe: the second one is renamed to a missing attribute, or removed.
    """

    row = R.duplicate_attribute
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet((_AXIS, _AXIS + ', {"arg_name" : "axis", "value": 0}')), "lightnet", '"axis"', LIGHTNET),
    )
