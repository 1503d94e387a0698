"""Pages of rules about the values of attributes."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


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
