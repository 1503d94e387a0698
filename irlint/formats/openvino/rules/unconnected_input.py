"""R301 unconnected-input."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class UnconnectedInput(Rule):
    """
    What it does
        Finds input ports that no edge leads to.

    Why is this bad
        The reader refuses the file, mostly with a message that names neither the port nor the layer. In IR version 10 an
        optional input may be declared and not fed.

    Example
        A layer with the input ports 0 and 1, and one edge `to-port="0"`.

    Use instead
        An edge for every input port.
    """

    row = R.unconnected_input
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            openvino(('\t\t<edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>\n', "")),
            "openvino",
            '<port id="0" precision="FP32">',
        ),
    )
