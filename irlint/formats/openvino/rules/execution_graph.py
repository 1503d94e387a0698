"""C303 execution-graph."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO

_GRAPH = (
    '<net name="compiled" version="11">\n\t<layers>\n\t\t<layer id="0" name="x" type="Input">\n'
    '\t\t\t<data execOrder="0" execTimeMcs="not_executed" originalLayersNames="x" runtimePrecision="f32"/>\n'
    '\t\t\t<output>\n\t\t\t\t<port id="0" precision="FP32"/>\n\t\t\t</output>\n\t\t</layer>\n'
    '\t\t<layer id="1" name="y" type="Output">\n'
    '\t\t\t<data execOrder="1" execTimeMcs="not_executed" originalLayersNames="y" runtimePrecision="f32"/>\n'
    '\t\t\t<input>\n\t\t\t\t<port id="0" precision="FP32"/>\n\t\t\t</input>\n\t\t</layer>\n\t</layers>\n'
    '\t<edges>\n\t\t<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>\n\t</edges>\n</net>\n'
)


class ExecutionGraph(Rule):
    """
    What it does
        Checks for execution graphs, which `compiled_model.get_runtime_model()` returns and `benchmark_app -exec_graph_path` saves.

    Why is this bad
        An execution graph shows how a device runs a model. It looks like an IR, but its layers have no opsets and no
        weights, so that OpenVINO refuses to read it.

    Example
        ```xml
        <layer id="0" name="x" type="Input">
            <data execOrder="0" execTimeMcs="not_executed" originalLayersNames="x" runtimePrecision="f32"/>
        ```

    Use instead
        The IR that the model was compiled from.
    """

    row = R.execution_graph
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(_GRAPH, "openvino", '<net name="compiled" version="11">'),)
