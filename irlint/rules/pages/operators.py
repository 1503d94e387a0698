"""Pages of rules about operators and what they are given."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class UnknownOperator(Rule):
    """
    What it does
        Checks for operators with a type that the format does not define.

    Why is this bad
        The loader looks the type up, case-sensitively, and stops when there is no such operator.

    Fix safety
        Safe where only the spelling changes: `null` for `Null` in an NNVM graph; in OpenVINO IR, `Const` for
        `Constant`, or another letter case that the reader accepts.

        Unsafe elsewhere: the fix writes the operator with the most similar name, which is a guess.
    """

    row = R.unknown_operator
    fixable = "mixed"


class OperatorNotInVersion(Rule):
    """
    What it does
        Checks for operators that exist, but not in the version (opset) that the file declares for them. In ONNX, an opset import
        that lacks what two or more nodes use is reported once, at the import.

    Why is this bad
        The reader refuses the file. An operator that onnxruntime alone has in ai.onnx (`SimplifiedLayerNormalization`) is info:
        onnx's checker and other runtimes refuse it.

    Fix safety
        Safe where another opset has the operator and nothing in the layer contradicts it: its name, its attributes, the
        types and shapes of its ports. The fix writes the nearest such opset; the file could not be read before.

        Unsafe where the layer does not look like that operator, so that its type may be the mistake.

        Unsafe in ONNX, where the fix imports the opset that fits the nodes: operators may compute other values there.

        Unsafe where only an extension library has it: the fix writes the library's domain, and the file then needs the
        library.
    """

    row = R.operator_not_in_version
    fixable = "mixed"


class WrongInputCount(Rule):
    """
    What it does
        Checks for operators with the wrong number of inputs.

    Why is this bad
        The loader counts them and refuses the operator, or runs it on whatever is in memory in their place.

    Fix safety
        In an MXNet symbol or NNVM graph only. Safe where names identify the inputs and the operator requires them: an
        unused variable becomes the input that it is named for (`bn0_gamma` of `bn0`), and a duplicate input is removed.

        Unsafe where an attribute may be wrong instead (an unused `fc0_bias` is added to the inputs, otherwise `no_bias`
        is written), where another value of an attribute (`no_bias`, `num_args`) matches the inputs, and where an input
        is connected to the only node whose output is unused.
    """

    row = R.wrong_input_count
    fixable = "mixed"


class WrongOutputCount(Rule):
    """
    What it does
        Checks for operators with the wrong number of outputs.

    Why is this bad
        The loader counts them and refuses the operator; other operators would use an output that is never written.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess.
    """

    row = R.wrong_output_count
    fixable = "unsafe"


class UnknownArgument(Rule):
    """
    What it does
        Checks for inputs and outputs under a name that their operator does not have.

    Why is this bad
        Operators look up their tensors by these names, case-sensitively. One under another name is not found; an extra
        one is refused because the count is wrong.

    Fix safety
        Unsafe: the name is changed to the one that is missing, or the extra tensor is removed.
    """

    row = R.unknown_argument
    fixable = "unsafe"


class DuplicateArgument(Rule):
    """
    What it does
        Checks for operators with two inputs, or two outputs, under one argument name.

    Why is this bad
        The operator uses the first and either misses another argument or never reads the second.

    Fix safety
        Unsafe: the second one gets the name that is missing; if none is missing, it is removed.
    """

    row = R.duplicate_argument
    fixable = "unsafe"
