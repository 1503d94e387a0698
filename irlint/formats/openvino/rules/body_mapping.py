"""R304 body-mapping."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino

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

    Example
        ```xml
        <input external_port_id="2" internal_layer_id="7"/>
        ```
        IrLayer 7 of the body is a ReLU.

    Use instead
        ```xml
        <input external_port_id="2" internal_layer_id="0"/>
        ```
        IrLayer 0 of the body is a Parameter.
    """

    row = R.body_mapping
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(BROKEN_LOOP, "openvino", "7"),)
