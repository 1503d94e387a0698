"""A003 wrong-attribute-type."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet, symbol

_AXIS = '{"arg_name": "axis", "value": 1}'
_LEAKY = symbol(
    ('"op": "Activation"', '"op": "LeakyReLU"'), ('"act_type": "relu"', '"act_type": "leaky", "slope": "0.5"')
)


class WrongAttributeType(Rule):
    """
    What it does
        Checks for attribute values of the wrong type: a number in quotes, one number instead of a list, null.

    Why is this bad
        Most loaders do not convert: to them `"1"` is not a number, and `1` is not a list. They refuse the value or silently use
        the default.

    Example
        ```json
        {"arg_name": "axis", "value": "1"}
        ```

    Use instead
        ```json
        {"arg_name": "axis", "value": 1}
        ```

    Fix safety
        Safe where the value can only mean one thing (a number in quotes, a list of one, an extra bracket or comma,
        `three`): the file could not be read before.

        Unsafe where it is a guess: `10_0`, `0,5`, a fraction for an integer, a list with a missing bracket, an empty
        value, which is removed with its attribute.
    """

    row = R.wrong_attribute_type
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet((_AXIS, '{"arg_name": "axis", "value": "1"}')), "lightnet", '"1"', LIGHTNET),
        Example(lightnet((_AXIS, '{"arg_name": "axis", "value": [1]}')), "lightnet", "[1]", LIGHTNET),
        Example(lightnet((_AXIS, '{"arg_name": "axis", "value": null}')), "lightnet", "null"),
        Example(_LEAKY.replace('"0.5"', '"0,5"'), "nnvm:mxnet", '"0,5"', _LEAKY),
    )
