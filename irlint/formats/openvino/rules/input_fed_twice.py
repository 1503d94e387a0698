"""R302 input-fed-twice."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class InputFedTwice(Rule):
    """
    What it does
        Checks for input ports with more than one edge, including duplicate edges.

    Why is this bad
        An input port takes a single value; OpenVINO refuses the file.

    Example
        ```xml
        <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
        <edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
        ```

    Use instead
        ```xml
        <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
        <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
        ```

    Fix safety
        Safe for a duplicate edge, of which one copy is removed. Unsafe for two different edges: which of them is intended is
        a guess.
    """

    row = R.input_fed_twice
    formats = ("openvino",)
    fixable = "mixed"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            openvino(("\t</edges>", '\t\t<edge from-layer="3" from-port="1" to-layer="4" to-port="0" />\n\t</edges>')),
            "openvino",
            '<edge from-layer="3" from-port="1" to-layer="4" to-port="0" />',
            OPENVINO,
        ),
        Example(
            openvino(("\t</edges>", '\t\t<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>\n\t</edges>')),
            "openvino",
            '<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>',
            OPENVINO,
        ),
    )
