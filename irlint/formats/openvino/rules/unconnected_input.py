"""R301 unconnected-input."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class UnconnectedInput(Rule):
    """
    What it does
        Checks for input ports that no edge leads to.

    Why is this bad
        OpenVINO refuses the file, usually with an error that names neither the port nor the layer. In IR version 10, the port
        of an optional input may be left unconnected.

    Example
        A layer with input ports 0 and 1, and a single edge with `to-port="0"`.

    Use instead
        One edge to each input port.
    """

    row = R.unconnected_input
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            openvino(('\t\t<edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>\n', "")),
            "openvino",
            '<port id="0" precision="FP32">',
        ),
    )
