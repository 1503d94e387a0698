"""O006 operator-not-in-version."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class OperatorNotInVersion(Rule):
    """
    What it does
        Finds operators that exist, but not in the version (opset) that they are taken from.

    Why is this bad
        The reader refuses the file.

    Example
        ```xml
        <layer id="3" name="classes" type="SoftPlus" version="opset1">
        ```

    Use instead
        ```xml
        <layer id="3" name="classes" type="SoftPlus" version="opset4">
        ```

    Fix safety
        Safe: the nearest opset that has the operator is named; the file could not be read before.
    """

    code = "O006"
    name = "operator-not-in-version"
    fixable = "safe"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            openvino(('type="SoftMax" version="opset8"', 'type="SoftMax" version="opset17"')),
            "openvino",
            "opset17",
            openvino(('type="SoftMax" version="opset8"', 'type="SoftMax" version="opset16"')),
        ),
    )
