"""W005 weights-mismatch."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class WeightsMismatch(Rule):
    """
    What it does
        Checks for constants whose size in bytes does not match their shape and type, for constants of strings whose bytes
        are not packed strings, for constants that partly overlap, and for weights that are stored in another way than the
        model says.

    Why is this bad
        If bytes are missing, the loader refuses the model; if there are too many, or constants overlap, a number in the
        file is wrong, and the tensor contains unintended values.

    Example
        ```xml
        <data element_type="f32" shape="3" offset="0" size="6"/>
        ```

    Use instead
        ```xml
        <data element_type="f32" shape="3" offset="0" size="12"/>
        ```

    An error where the loader refuses the model, otherwise a warning.
    """

    row = R.weights_mismatch
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Example(openvino(('size="12"', 'size="6"')), "openvino", "6", side_files={"model.bin": bytes(12)}),)
