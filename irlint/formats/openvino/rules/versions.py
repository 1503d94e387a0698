"""Pages of rules about versions, extensions and what a file says of itself."""

from __future__ import annotations

from irlint.formats.openvino.rules import R
from irlint.rules.base import Rule


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
