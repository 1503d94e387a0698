"""R305 computed-input."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO

_UNSQUEEZE = """\
<?xml version="1.0"?>
<net name="sample" version="11">
	<layers>
		<layer id="0" name="image" type="Parameter" version="opset1">
			<data shape="2,4" element_type="f32"/>
			<output>
				<port id="0" precision="FP32"/>
			</output>
		</layer>
		<layer id="1" name="axes" type="Parameter" version="opset1">
			<data shape="1" element_type="i64"/>
			<output>
				<port id="0" precision="I64"/>
			</output>
		</layer>
		<layer id="2" name="wider" type="Unsqueeze" version="opset1">
			<input>
				<port id="0" precision="FP32"/>
				<port id="1" precision="I64"/>
			</input>
			<output>
				<port id="2" precision="FP32"/>
			</output>
		</layer>
		<layer id="3" name="out" type="Result" version="opset1">
			<input>
				<port id="0" precision="FP32"/>
			</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
		<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
		<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
	</edges>
</net>
"""


class ComputedInput(Rule):
    """
    What it does
        Checks for axes that are computed from the model's inputs where OpenVINO's CPU plug-in requires a constant: always for
        Unsqueeze, ReduceLogicalAnd and ReduceLogicalOr; for Gather, RDFT, IRDFT and Slice if the shape of their data is static.

        Also checks for filters of convolutions whose shape is not fixed, as after a swap of data and filters, and for outputs of
        unknown rank: Squeeze without axes if a dimension of its data is open, Reshape, Broadcast or Tile by an unknown number of
        numbers. The plug-in refuses both.

    Why is this bad
        OpenVINO 2026.4.1 reads the file, but fails to compile the model or crashes.

    Example
        ```xml
        <edge from-layer="1" from-port="0" to-layer="4" to-port="1"/>
        ```
        IrLayer 1 is a Parameter, layer 4 an Unsqueeze.

    Use instead
        ```xml
        <edge from-layer="2" from-port="0" to-layer="4" to-port="1"/>
        ```
        IrLayer 2 is a Const.
    """

    row = R.computed_input
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(_UNSQUEEZE, "openvino", '<port id="1" precision="I64"/>'),)
