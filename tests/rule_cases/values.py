"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, READS_IMAGE, READS_SPARE, lightnet, misread, openvino, symbol

_AXIS = '{"arg_name": "axis", "value": 1}'


_LEAKY = symbol(
    ('"op": "Activation"', '"op": "LeakyReLU"'), ('"act_type": "relu"', '"act_type": "leaky", "slope": "0.5"')
)


class WrongAttributeType(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet((_AXIS, '{"arg_name": "axis", "value": "1"}')), "lightnet", '"1"', LIGHTNET),
        Case(lightnet((_AXIS, '{"arg_name": "axis", "value": [1]}')), "lightnet", "[1]", LIGHTNET),
        Case(lightnet((_AXIS, '{"arg_name": "axis", "value": null}')), "lightnet", "null"),
        Case(_LEAKY.replace('"0.5"', '"0,5"'), "nnvm:mxnet", '"0,5"', _LEAKY),
    )


class ValueNotInEnum(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"TL_FLOAT"', '"tl_float"')), "lightnet", '"tl_float"', LIGHTNET),
        Case(lightnet(('"TL_FLOAT"', '"float32"')), "lightnet", '"float32"', LIGHTNET),
        Case(lightnet(('"TL_FLOAT"', '"TL_HALF"')), "lightnet", '"TL_HALF"'),
    )


class ValueOutOfRange(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"len", "value": 2', '"len", "value": 5')), "lightnet", "5"),
        Case(lightnet(('"start", "value": 0', '"start", "value": -1')), "lightnet", "-1"),
        Case(
            lightnet(('"axis", "value": 1', '"axis", "value": 0'), ('"len", "value": 2', '"len", "value": 3')),
            "lightnet",
            "0",
            lightnet(('"len", "value": 2', '"len", "value": 3')),
        ),
    )


_MISREAD = misread("resize", ("mode", "TL_NEAREST"), ("dims", [1, 1, 4, 4]))


class WrongValueLength(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"value": [0, 0]', '"value": [0, 0, 0]')), "lightnet", "[0, 0, 0]"),
        Case(_MISREAD, "lightnet", '"image"', _MISREAD.replace(READS_IMAGE, READS_SPARE)),
    )


class BoolString(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (
        Case(lightnet(('"value": false', '"value": "false"')), "lightnet", '"false"', LIGHTNET),
        Case(lightnet(('"from_file", "value": false', '"from_file", "value": 0')), "lightnet", "0", LIGHTNET),
        Case(
            symbol(('"no_bias": "False", ', '"no_bias": "", ')),
            "nnvm:mxnet",
            '""',
            symbol(('"no_bias": "False", ', "")),
        ),
    )


_POOL = openvino(
    ('type="SoftMax" version="opset8"', 'type="AvgPool" version="opset1"'),
    ('axis="1"', 'kernel="1,1" strides="1,1" pads_begin="0,0" pads_end="0,0" exclude-pad="true"'),
)


class LossyNumber(Cases):
    valid = (
        Case(LIGHTNET, "lightnet"),
        Case(lightnet(('"axis", "value": 1', '"axis", "value": 1.0')), "lightnet"),
    )
    invalid = (
        Case(lightnet(('"axis", "value": 1', '"axis", "value": 1.9')), "lightnet", "1.9", LIGHTNET),
        Case(_POOL.replace('strides="1,1"', 'strides="1,1,"'), "openvino", "1,1,", _POOL),
    )
