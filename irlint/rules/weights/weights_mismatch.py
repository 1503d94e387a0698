"""W005 weights-mismatch."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class WeightsMismatch(Rule):
    """
    What it does
        Finds constants whose size in bytes does not fit their shape and type, and constants that overlap in part.

    Why is this bad
        With too few bytes the loader refuses the model; with too many, or with an overlap, a number in the file is wrong, and
        the tensor holds something that nobody meant.

    Example
        ```xml
        <data element_type="f32" shape="3" offset="0" size="6"/>
        ```

    Use instead
        ```xml
        <data element_type="f32" shape="3" offset="0" size="12"/>
        ```

    An error where the loader refuses the model, else a warning.
    """

    row = R.weights_mismatch
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Example(openvino(('size="12"', 'size="6"')), "openvino", "6", side_files={"model.bin": bytes(12)}),)
