"""Pages of rules about what a target cannot read or run."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class TargetCannotRead(Rule):
    """
    What it does
        Checks for anything that the release given with `--target` (or `targets` in the configuration) cannot read: a
        version of the format, or an operation that was added later. For MXNet (`--target mxnet=1.5`) also for
        attributes, values and keys that were added later, and for a target that is not a known release.

    Why is this bad
        The file works on the machine that wrote it, and fails on the device that runs an older release.

        An opset that a runtime loads, but below those that it guarantees to load, is a warning.

    Fix safety
        Unsafe: the fix, which only ONNX models have, lowers opset and IR version; operators may mean something else there.
    """

    row = R.target_cannot_read
    fixable = "unsafe"


class TargetLacksOperator(Rule):
    """
    What it does
        Checks for operators that the format defines but that cannot be compiled or run for the given target (`--target
        lightnet=cpu`, `--target onnxruntime=1.17`), or for any target. For onnxruntime, each release from 1.15 on was asked to load
        small models of each version of each operator of ONNX on the CPU, with each type; for OpenVINO (`--target
        openvino=2024.6`), some releases from 2023.3 on with small IRs of each operation.

        For `--target tensorrt=8.6`, it reports what the documentation of the release does not list: operators, types, inputs that must
        be constant. It also reports constants of INT64 that INT32 cannot hold, before TensorRT 9.0, and inputs with open lengths, which
        need an optimization profile.

        For `--target onnxruntime=1.17,provider=cuda`, it says which nodes run on the CPU instead, by onnxruntime's documentation.

    Why is this bad
        The file loads, but cannot be compiled.

        An error where no target, or not the given one, supports the operator; a warning where only the default target lacks
        it, or where only documentation says so. Info for nodes that run on the CPU instead, and for open lengths.

    References
        - [TensorRT: operators of its ONNX parser](https://github.com/onnx/onnx-tensorrt/blob/main/docs/operators.md)
        - [onnxruntime: operators by execution provider](https://github.com/microsoft/onnxruntime/blob/main/docs/OperatorKernels.md)
    """

    row = R.target_lacks_operator
