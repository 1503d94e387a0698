"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, OPENVINO, lightnet, openvino, symbol

_LEN = '{"arg_name": "len", "value": 2}'


class UnknownAttribute(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet((_LEN, '{"arg_name": "length", "value": 2}')), "lightnet", '"length"', LIGHTNET),
        Case(lightnet((_LEN, _LEN + ', {"arg_name": "step", "value": 1}')), "lightnet", '"step"', LIGHTNET),
        Case(openvino(('axis="1"', 'axis="1" cacheable="true"')), "openvino", "cacheable", OPENVINO),
    )


_POOL = openvino(
    ('type="SoftMax" version="opset8"', 'type="AvgPool" version="opset1"'),
    ('axis="1"', 'kernel="1,1" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true"'),
)


class MissingAttribute(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(
            lightnet(
                (', {"arg_name": "len", "value": 2}', ""),
                ('"params": [{"arg_name": "axis"', '"params" : [{"arg_name": "axis"'),
            ),
            "lightnet",
            '"params"',
        ),
        Case(
            lightnet((',\n        {"arg_name": "from_file", "value": false}', "")),
            "lightnet",
            fixed=LIGHTNET,
        ),
        Case(_POOL.replace(' exclude-pad="true"', ""), "openvino", fixed=_POOL),
    )


_AXIS = '{"arg_name": "axis", "value": 1}'


class DuplicateAttribute(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet((_AXIS, _AXIS + ', {"arg_name" : "axis", "value": 0}')), "lightnet", '"axis"', LIGHTNET),)


class IgnoredAttribute(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"value": [0, 0]', '"value": [0, 1]')), "lightnet", "[1, 2, 3, 4, 5, 6]"),
        Case(
            symbol(('"name": "data", ', '"name": "data", "attrs": {"lr_mult": "2.0"}, ')),
            "nnvm:mxnet",
            '"lr_mult"',
            symbol(('"name": "data", ', '"name": "data", "attrs": {"__lr_mult__": "2.0"}, ')),
        ),
    )
