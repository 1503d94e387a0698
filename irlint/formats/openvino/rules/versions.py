"""Pages of rules about versions, extensions and what a file says of itself."""

from __future__ import annotations

from irlint.formats.openvino.rules import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino

_OLD = (
    '<net batch="1" name="old" version="6">\n\t<layers>\n\t\t<layer id="0" name="data" precision="FP32" type="Input">\n'
    '\t\t\t<output>\n\t\t\t\t<port id="0"/>\n\t\t\t</output>\n\t\t</layer>\n\t</layers>\n\t<edges/>\n</net>\n'
)


class LegacyIr(Rule):
    """
    What it does
        Checks for OpenVINO IR versions 1 to 9, which predate 2020.

    Why is this bad
        These versions have no opsets. OpenVINO refuses them from release 2022.1 on. If you deploy with a release that reads
        them, declare it as the target and the file is not reported: `targets: {openvino: 2019.3}` in `irlint.yaml`, or
        `--target openvino=2019.3`.
    """

    row = R.legacy_ir
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"), Example(_OLD, "openvino", targets={"openvino": "2019.3"}))
    invalid = (
        Example(_OLD, "openvino", "6"),
        Example(_OLD, "openvino", "6", targets={"openvino": "2022.1"}),
    )


class UnknownOpset(Rule):
    """
    What it does
        Checks for layers whose version is not an opset of OpenVINO.

    Why is this bad
        OpenVINO refuses the file. Operators of an extension library have a domain instead of an opset; declare them under
        `extensions` in `irlint.yaml`. A domain with operators that no opset has is reported by needs-extension instead.

    Fix safety
        Unsafe: which opset is intended is a guess.
    """

    row = R.unknown_opset
    formats = ("openvino",)
    fixable = "unsafe"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(openvino(('"opset8"', '"Opset8"')), "openvino", "Opset8", OPENVINO),
        Example(openvino(('"opset8"', '"opset99"')), "openvino", "opset99"),
    )


class NeedsExtension(Rule):
    """
    What it does
        Checks for extension libraries that a model requires. Each library is reported once per file.

    Why is this bad
        OpenVINO refuses a model with operators from a library that is not loaded. Every tokenizer and detokenizer of
        openvino_tokenizers has such operators: run `import openvino_tokenizers` before you read the model, or call
        `core.add_extension(path)`. Of that library, this is a pedantic finding, and irlint checks its operators. To check
        those of another library, declare them under `extensions` in `irlint.yaml`; the library is then no longer
        reported. If your runtime does not load libraries at all, set `severity: {needs-extension: error}`.
    """

    row = R.needs_extension
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(openvino(('type="SoftMax" version="opset8"', 'type="MySoftMax" version="my_domain"')), "openvino", "my_domain"),
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


class ExecutionGraph(Rule):
    """
    What it does
        Checks for execution graphs, which `compiled_model.get_runtime_model()` returns and `benchmark_app -exec_graph_path` saves.

    Why is this bad
        An execution graph shows how a device runs a model. It looks like an IR, but its layers have no opsets and no
        weights, so that OpenVINO refuses to read it.
    """

    row = R.execution_graph
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(_GRAPH, "openvino", '<net name="compiled" version="11">'),)


class RuntimeInfo(Rule):
    """
    What it does
        Checks for entries of `<rt_info>` on which OpenVINO refuses the file (a duplicate attribute, an invalid layout). Entries
        that OpenVINO silently ignores (an unknown name, a missing version or value) are warnings.

    Why is this bad
        OpenVINO refuses the file, or the model loses hints such as its layout.
    """

    row = R.runtime_info
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
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
