"""R303 variable-mismatch."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class VariableMismatch(Rule):
    """
    What it does
        Finds Assign layers whose variable no ReadValue reads, or one of another opset's kind, and variables that are written
        twice.

    Why is this bad
        The reader finds no variable of that name and refuses the file; of two values written one is lost.

    Example
        ```xml
        <layer id="4" name="store" type="Assign" version="opset6">
            <data variable_id="stat"/>
        ```
        where the ReadValue has `variable_id="state"`.

    Use instead
        ```xml
        <layer id="4" name="store" type="Assign" version="opset6">
            <data variable_id="state"/>
        ```
    """

    code = "R303"
    name = "variable-mismatch"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            openvino(
                (
                    'type="Result" version="opset1">',
                    'type="Assign" version="opset6">\n\t\t\t<data variable_id="state"/>',
                )
            ),
            "openvino",
            "state",
        ),
    )
