"""A005 value-not-in-enum."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class ValueNotInEnum(Rule):
    """
    What it does
        Checks for unknown words in attributes that allow only certain words, or unknown numbers of modes.

    Why is this bad
        The loader compares case-sensitively. It refuses an unknown word, or ignores it and does something else.

    Example
        ```json
        {"arg_name": "dtype", "value": "float32"}
        ```

    Use instead
        ```json
        {"arg_name": "dtype", "value": "TL_FLOAT"}
        ```

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
