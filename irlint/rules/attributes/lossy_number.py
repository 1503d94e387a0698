"""A010 lossy-number."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet, openvino

_POOL = openvino(
    ('type="SoftMax" version="opset8"', 'type="AvgPool" version="opset1"'),
    ('axis="1"', 'kernel="1,1" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true"'),
)


class LossyNumber(Rule):
    """
    What it does
        Checks for numbers that the loader cannot represent exactly: a fraction where it reads an integer, a value out
        of the range of the type.

    Why is this bad
        The loader silently truncates or clamps the number and computes with a different one.

    Example
        ```json
        {"arg_name": "axis", "value": 1.9}
        ```

    Use instead
        ```json
        {"arg_name": "axis", "value": 1}
        ```

    Fix safety
        Safe where only a comma at the end of a list is removed: OpenVINO reads the same numbers.

        Unsafe elsewhere: the fix writes the number that the loader reads, or the list that its text seems to mean. A
        different number may have been meant.
    """

    row = R.lossy_number
    fixable = "mixed"
    valid = (
        Example(LIGHTNET, "lightnet"),
        Example(lightnet(('"axis", "value": 1', '"axis", "value": 1.0')), "lightnet"),
    )
    invalid = (
        Example(lightnet(('"axis", "value": 1', '"axis", "value": 1.9')), "lightnet", "1.9", LIGHTNET),
        Example(_POOL.replace('strides="1,1"', 'strides="1,1,"'), "openvino", "1,1,", _POOL),
    )
