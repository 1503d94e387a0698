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

    Fix safety
        Unsafe: the node of an ONNX model is computed in a type for which the target has a kernel, between casts, which rounds.

    References
        - [TensorRT: operators of its ONNX parser](https://github.com/onnx/onnx-tensorrt/blob/main/docs/operators.md)
        - [onnxruntime: operators by execution provider](https://github.com/microsoft/onnxruntime/blob/main/docs/OperatorKernels.md)
    """

    row = R.target_lacks_operator
    fixable = "unsafe"


class ConstantOverflows(Rule):
    """
    What it does
        With `--target precision=fp16` or `precision=bf16`, checks for constants that are infinite once they are rounded to that type, and
        for infinite ones, where an operator turns that into NaN or infinity, or the model outputs it. The largest number of float16 is
        65504. A mask of -1e9 that a softmax gets by way of an addition or a selection is a pedantic finding: its share is 0 in either type,
        but for a row that is masked whole, whose softmax is NaN.

    Why is this bad
        0 times infinity, infinity minus infinity, and a softmax of nothing but infinities are NaN, so `(1 - mask) * -1e9` is NaN wherever
        the mask is 1. Some converters limit constants to the range of the type, which changes such a mask to -65504 or -10000: then
        nothing becomes NaN. PyTorch's `.half()`, NumPy, and a Cast in ONNX round to infinity.

        `irlint run MODEL --as fp16` runs the model in that precision and names the operator at which the results change.
    """

    row = R.constant_overflows


class ConstantVanishes(Rule):
    """
    What it does
        With `--target precision=fp16` or `precision=bf16`, checks for constants that are 0 once they are rounded to that type, where they
        keep a divisor, or the operand of a logarithm, from being 0, such as an epsilon of 1e-12; and for those that lose more than a
        tenth of their norm, where others are multiplied by them. Small weights next to much larger ones are not reported. The smallest
        number of float16 is 6e-8.

        An epsilon that is an attribute, as in LayerNormalization, is a pedantic finding: onnxruntime keeps it in float32.

    Why is this bad
        Where the guarded value is 0, as in a row of padding, the result is 0 / 0, which is NaN.
    """

    row = R.constant_vanishes


class IntegerClamped(Rule):
    """
    What it does
        With `--target precision=...`, checks for constants of int64 with values that int32 does not hold, unless they only bound others or
        are moved, such as the ends of slices.

    Why is this bad
        Targets that compute in 16 bits seldom have integers of 64 bits. TensorRT before 10 converts them to int32 and limits them to its
        range, so that a computation with them gives other results.
    """

    row = R.integer_clamped
