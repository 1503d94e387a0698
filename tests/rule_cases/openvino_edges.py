"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import OPENVINO, openvino


class UnconnectedInput(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (
        Case(
            openvino(('\t\t<edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>\n', "")),
            "openvino",
            '<port id="0" precision="FP32">',
        ),
    )


class InputFedTwice(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (
        Case(
            openvino(("\t</edges>", '\t\t<edge from-layer="3" from-port="1" to-layer="4" to-port="0" />\n\t</edges>')),
            "openvino",
            '<edge from-layer="3" from-port="1" to-layer="4" to-port="0" />',
            OPENVINO,
        ),
        Case(
            openvino(("\t</edges>", '\t\t<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>\n\t</edges>')),
            "openvino",
            '<edge from-layer="2" from-port="2" to-layer="4" to-port="0"/>',
            OPENVINO,
        ),
    )


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


class ComputedInput(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (Case(_UNSQUEEZE, "openvino", '<port id="1" precision="I64"/>'),)


BROKEN_LOOP = openvino(
    ('type="SoftMax" version="opset8">\n\t\t\t<data axis="1"/>', 'type="TensorIterator" version="opset1">'),
    (
        '\t\t</layer>\n\t\t<layer id="4"',
        """\t\t\t<port_map>
\t\t\t\t<input external_port_id="0" internal_layer_id="7"/>
\t\t\t\t<output external_port_id="1" internal_layer_id="1"/>
\t\t\t</port_map>
\t\t\t<back_edges/>
\t\t\t<body>
\t\t\t\t<layers>
\t\t\t\t\t<layer id="0" name="in" type="Parameter" version="opset1">
\t\t\t\t\t\t<data shape="1,3,8,8" element_type="f32"/>
\t\t\t\t\t\t<output>
\t\t\t\t\t\t\t<port id="0" precision="FP32"/>
\t\t\t\t\t\t</output>
\t\t\t\t\t</layer>
\t\t\t\t\t<layer id="1" name="out" type="Result" version="opset1">
\t\t\t\t\t\t<input>
\t\t\t\t\t\t\t<port id="0" precision="FP32"/>
\t\t\t\t\t\t</input>
\t\t\t\t\t</layer>
\t\t\t\t</layers>
\t\t\t\t<edges>
\t\t\t\t\t<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
\t\t\t\t</edges>
\t\t\t</body>
\t\t</layer>
\t\t<layer id="4\"""",
    ),
)


class BodyMapping(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (Case(BROKEN_LOOP, "openvino", "7"),)


class VariableMismatch(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (
        Case(
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
