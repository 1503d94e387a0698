"""Pages of rules about the values of attributes."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, READS_IMAGE, READS_SPARE, lightnet, misread, openvino, symbol

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


class ValueNotInEnum(Rule):
    """
    What it does
        Checks for unknown words in attributes that allow only certain words, or unknown numbers of modes.

    Why is this bad
        The loader compares case-sensitively. It refuses an unknown word, or ignores it and does something else.

    Fix safety
        Safe where only the letter case changes, or where the common name of an element type is written as the format
        writes it (`f32` for `float32` in OpenVINO IR), or one letter is wrong and no other word is similar (`rleu` for
        `relu`): the file could not be read, or is read as the same value.

        Unsafe where the most similar word is written, where LightNet silently reads the word as another one, and where
        an empty value is removed.
    """

    row = R.value_not_in_enum
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"TL_FLOAT"', '"tl_float"')), "lightnet", '"tl_float"', LIGHTNET),
        Example(lightnet(('"TL_FLOAT"', '"float32"')), "lightnet", '"float32"', LIGHTNET),
        Example(lightnet(('"TL_FLOAT"', '"TL_HALF"')), "lightnet", '"TL_HALF"'),
    )


class ValueOutOfRange(Rule):
    """
    What it does
        Checks for numbers that are too small or too large: a stride of 0, a slice that ends past the tensor, a range
        that ends before it starts.

    Why is this bad
        The loader refuses the operator, or computes impossible sizes.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value. In an MXNet symbol, a number too small for its type becomes 0, and a
        negative one loses its sign where that is valid. Both are guesses.
    """

    row = R.value_out_of_range
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"len", "value": 2', '"len", "value": 5')), "lightnet", "5"),
        Example(lightnet(('"start", "value": 0', '"start", "value": -1')), "lightnet", "-1"),
        Example(
            lightnet(('"axis", "value": 1', '"axis", "value": 0'), ('"len", "value": 2', '"len", "value": 3')),
            "lightnet",
            "0",
            lightnet(('"len", "value": 2', '"len", "value": 3')),
        ),
    )


_MISREAD = misread("resize", ("mode", "TL_NEAREST"), ("dims", [1, 1, 4, 4]))


class WrongValueLength(Rule):
    """
    What it does
        Checks for lists with too few or too many elements: one stride for two axes, a permutation without one of the
        axes.

    Why is this bad
        The loader checks the length and refuses the operator; one that does not check reads past the end of the list.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess. In an MXNet symbol, one number is repeated to the
        length of the other tuples.
    """

    row = R.wrong_value_length
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"value": [0, 0]', '"value": [0, 0, 0]')), "lightnet", "[0, 0, 0]"),
        Example(_MISREAD, "lightnet", '"image"', _MISREAD.replace(READS_IMAGE, READS_SPARE)),
    )


class BoolString(Rule):
    """
    What it does
        Checks for `"true"`, `"false"`, `0` and `1` in place of a boolean.

    Why is this bad
        Strictly typed loaders refuse them. Others may read the string `"false"` as true, because it is not empty.

        In NNVM graphs `true`, `false`, `0` and `1` are pedantic findings, because MXNet reads them as intended.

    Fix safety
        Safe where the value can only mean one thing: the file could not be read before, or is read as the same value.

        Unsafe for a word that OpenVINO ignores (`yes`, `ture`), because the model changes once the word has an effect: the
        title of the fix says what OpenVINO uses now. Safe if that is what the word means. Also unsafe for an empty value,
        which is removed with its attribute.
    """

    row = R.bool_string
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"value": false', '"value": "false"')), "lightnet", '"false"', LIGHTNET),
        Example(lightnet(('"from_file", "value": false', '"from_file", "value": 0')), "lightnet", "0", LIGHTNET),
        Example(
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


class LossyNumber(Rule):
    """
    What it does
        Checks for numbers that the loader cannot represent exactly: a fraction where it reads an integer, a value out
        of the range of the type.

    Why is this bad
        The loader silently truncates or clamps the number and computes with a different one.

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
