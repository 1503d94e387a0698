"""W002 weights-too-short."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class WeightsTooShort(Rule):
    """
    What it does
        Checks for constants that are wholly or partly past the end of the weights file.

    Why is this bad
        The loader refuses the model. Usually a copy or a download of the weights was truncated.

    Example
        ```xml
        <data element_type="f32" shape="3" offset="8" size="12"/>
        ```
        with a `.bin` of 12 bytes.

    Use instead
        The whole weights file, or the right offset.
    """

    row = R.weights_too_short
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Example(openvino(('offset="0"', 'offset="4"')), "openvino", "4", side_files={"model.bin": bytes(12)}),)
