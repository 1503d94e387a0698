"""Pages of rules about edges and bodies."""

from __future__ import annotations

from irlint.formats.openvino.rules import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class UnconnectedInput(Rule):
    """
    What it does
        Checks for input ports that no edge leads to.

    Why is this bad
        OpenVINO refuses the file, usually with an error that names neither the port nor the layer. In IR version 10, the port
        of an optional input may be left unconnected.
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


class InputFedTwice(Rule):
    """
    What it does
        Checks for input ports with more than one edge, including duplicate edges.

    Why is this bad
        An input port takes a single value; OpenVINO refuses the file.

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
    """

    row = R.computed_input
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(_UNSQUEEZE, "openvino", '<port id="1" precision="I64"/>'),)


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


class BodyMapping(Rule):
    """
    What it does
        Checks for port map entries and back edges of If, Loop and TensorIterator that refer to a port or body layer that does
        not exist or has the wrong type, and for ports and body layers that nothing refers to.

    Why is this bad
        OpenVINO refuses most such files with an error that does not name the layer, crashes on some, and silently accepts
        others: a state is then not passed on to the next iteration, or an input never reaches the body.
    """

    row = R.body_mapping
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(BROKEN_LOOP, "openvino", "7"),)


class VariableMismatch(Rule):
    """
    What it does
        Checks for variables whose ReadValue and Assign layers do not form a pair: an Assign without a ReadValue in its graph
        and opset, a ReadValue whose value is used but never assigned, a second ReadValue or Assign, a ReadValue that is used
        only by its own Assign, and an Assign whose output is used.

    Why is this bad
        OpenVINO 2026.4.1 refuses the file ("Can't find variable", `map::at`), or the CPU plug-in fails to compile or run the
        model ("doesn't have sibling output"). In a branch of an If, only runs that take the branch fail; this is a warning.
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
