"""A001 unknown-attribute."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, OPENVINO, lightnet, openvino

_LEN = '{"arg_name": "len", "value": 2}'


class UnknownAttribute(Rule):
    """
    What it does
        Checks for attributes (parameters) that their operator does not have.

    Why is this bad
        A strict loader refuses the operator; a lenient one ignores the attribute, so that a misspelled one silently
        leaves the default in effect.

    Example
        ```json
        {"arg_name": "length", "value": 2}
        ```

    Use instead
        ```json
        {"arg_name": "len", "value": 2}
        ```

    Fix safety
        Safe where no reader loses anything: in an MXNet symbol, a key such as `ctx_group` is renamed to
        `__ctx_group__`, as MXNet has written it since 1.0; in OpenVINO IR, an attribute that readers ignore is removed,
        or is renamed to a similar one without which the model is refused. In an MXNet symbol, which is refused with an
        unknown attribute, a name is corrected to the only one that differs by a single typo, if the value is valid for
        that attribute.

        Unsafe elsewhere: the similar name, or the only attribute that can have the value, is a guess, and an extra
        attribute is removed with its value.
    """

    row = R.unknown_attribute
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet((_LEN, '{"arg_name": "length", "value": 2}')), "lightnet", '"length"', LIGHTNET),
        Example(lightnet((_LEN, _LEN + ', {"arg_name": "step", "value": 1}')), "lightnet", '"step"', LIGHTNET),
        Example(openvino(('axis="1"', 'axis="1" cacheable="true"')), "openvino", "cacheable", OPENVINO),
    )
