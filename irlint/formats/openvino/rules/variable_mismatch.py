"""R303 variable-mismatch."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class VariableMismatch(Rule):
    """
    What it does
        Checks for variables whose ReadValue and Assign layers do not form a pair: an Assign without a ReadValue in its graph
        and opset, a ReadValue whose value is used but never assigned, a second ReadValue or Assign, a ReadValue that is used
        only by its own Assign, and an Assign whose output is used.

    Why is this bad
        OpenVINO 2026.4.1 refuses the file ("Can't find variable", `map::at`), or the CPU plug-in fails to compile or run the
        model ("doesn't have sibling output"). In a branch of an If, only runs that take the branch fail; this is a warning.

    Example
        ```xml
        <layer id="4" name="store" type="Assign" version="opset6">
            <data variable_id="stat"/>
        ```
        The ReadValue has `variable_id="state"`.

    Use instead
        ```xml
        <layer id="4" name="store" type="Assign" version="opset6">
            <data variable_id="state"/>
        ```
    """

    row = R.variable_mismatch
    formats = ("openvino",)
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
