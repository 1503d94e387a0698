"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import OPENVINO, openvino

_OLD = (
    '<net batch="1" name="old" version="6">\n\t<layers>\n\t\t<layer id="0" name="data" precision="FP32" type="Input">\n'
    '\t\t\t<output>\n\t\t\t\t<port id="0"/>\n\t\t\t</output>\n\t\t</layer>\n\t</layers>\n\t<edges/>\n</net>\n'
)


class LegacyIr(Cases):
    valid = (Case(OPENVINO, "openvino"), Case(_OLD, "openvino", targets={"openvino": "2019.3"}))
    invalid = (
        Case(_OLD, "openvino", "6"),
        Case(_OLD, "openvino", "6", targets={"openvino": "2022.1"}),
    )


class UnknownOpset(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (
        Case(openvino(('"opset8"', '"Opset8"')), "openvino", "Opset8", OPENVINO),
        Case(openvino(('"opset8"', '"opset99"')), "openvino", "opset99"),
    )


class NeedsExtension(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (
        Case(openvino(('type="SoftMax" version="opset8"', 'type="MySoftMax" version="my_domain"')), "openvino", "my_domain"),
    )  # fmt: skip


_GRAPH = (
    '<net name="compiled" version="11">\n\t<layers>\n\t\t<layer id="0" name="x" type="Input">\n'
    '\t\t\t<data execOrder="0" execTimeMcs="not_executed" originalLayersNames="x" runtimePrecision="f32"/>\n'
    '\t\t\t<output>\n\t\t\t\t<port id="0" precision="FP32"/>\n\t\t\t</output>\n\t\t</layer>\n'
    '\t\t<layer id="1" name="y" type="Output">\n'
    '\t\t\t<data execOrder="1" execTimeMcs="not_executed" originalLayersNames="y" runtimePrecision="f32"/>\n'
    '\t\t\t<input>\n\t\t\t\t<port id="0" precision="FP32"/>\n\t\t\t</input>\n\t\t</layer>\n\t</layers>\n'
    '\t<edges>\n\t\t<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>\n\t</edges>\n</net>\n'
)


class ExecutionGraph(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (Case(_GRAPH, "openvino", '<net name="compiled" version="11">'),)


class RuntimeInfo(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (
        Case(
            openvino(
                (
                    'element_type="f32"/>',
                    'element_type="f32"/>\n\t\t\t<rt_info>\n\t\t\t\t<attribute name="fused_names" version="0" value="a"/>'
                    '\n\t\t\t\t<attribute name="nonsense" version="0" value="b"/>\n\t\t\t</rt_info>',
                )
            ),
            "openvino",
            "nonsense",
        ),
    )
