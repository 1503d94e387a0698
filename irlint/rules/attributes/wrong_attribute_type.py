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
        Finds attribute values of another type than the operator takes: a number in quotes, one number where a list
        belongs, null.

    Why is this bad
        Loaders do not convert: `"1"` is no number to them, and `1` is no list.

    Example
        ```json
        {"arg_name": "axis", "value": "1"}
        ```

    Use instead
        ```json
        {"arg_name": "axis", "value": 1}
        ```

    Fix safety
        Safe where the value can only mean one thing (a number in quotes, a list of one, a bracket or comma too many, `three`): the
        file could not be read as it was.

        Unsafe where it is a guess: `10_0`, `0,5`, a fraction for an integer, a list with a bracket missing, an
        empty value, which is removed with its attribute.
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
