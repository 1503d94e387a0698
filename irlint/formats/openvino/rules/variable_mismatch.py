"""R303 variable-mismatch."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class VariableMismatch(Rule):
    """
    What it does
        Finds variables whose ReadValue and Assign layers do not make one pair: an Assign that no ReadValue of its graph and opset
        reads, a ReadValue that no Assign writes though its numbers are needed, a second of either kind, a ReadValue that feeds
        nothing but its own Assign, and an Assign that feeds another layer.

    Why is this bad
        OpenVINO 2026.4.1 refuses the file ("Can't find variable", `map::at`), or the CPU plug-in does not compile or run it
        ("doesn't have sibling output"). In the branch of an If only the runs that take the branch fail: that is a warning.

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

    row = R.variable_mismatch
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
