"""A002 missing-attribute."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet, openvino

_POOL = openvino(
    ('type="SoftMax" version="opset8"', 'type="AvgPool" version="opset1"'),
    ('axis="1"', 'kernel="1,1" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true"'),
)


class MissingAttribute(Rule):
    """
    What it does
        Checks for operators without an attribute (parameter) that has no default.

    Why is this bad
        The loader refuses the operator. Files written for an older version, which had fewer attributes, fail this way.

    Example
        ```json
        {"name": "cut", "optype": "slice", "params": [{"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}]}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "params": [
          {"arg_name": "axis", "value": 1}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 2}]}
        ```

    Fix safety
        Safe in OpenVINO IR where the reader refuses the model without the attribute, or assumes the value that the fix
        writes.

        Unsafe elsewhere: the fix writes the value that the attribute usually has, or that the shapes in the file imply.
    """

    row = R.missing_attribute
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(
                (', {"arg_name": "len", "value": 2}', ""),
                ('"params": [{"arg_name": "axis"', '"params" : [{"arg_name": "axis"'),
            ),
            "lightnet",
            '"params"',
        ),
        Example(
            lightnet((',\n        {"arg_name": "from_file", "value": false}', "")),
            "lightnet",
            fixed=LIGHTNET,
        ),
        Example(_POOL.replace(' exclude-pad="true"', ""), "openvino", fixed=_POOL),
    )
