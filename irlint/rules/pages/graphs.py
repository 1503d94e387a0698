"""Pages of rules about what a graph does not use, and suppressions that nothing needs."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class DuplicateName(Rule):
    """
    What it does
        Checks for operators that share a name, in formats that allow it.

    Why is this bad
        Outputs, messages and tools refer to operators by name, and cannot tell the two apart.

        In an MXNet symbol, duplicate operator names are pedantic findings, because MXNet runs such a model and unrolled
        loops are full of them; duplicate names of two graph outputs are a warning.

    Fix safety
        Unsafe: the second one gets a new name, and programs that look up the old name no longer find it. Safe for nodes of ONNX:
        onnxruntime refuses the model, and no other reader uses the name.
    """

    row = R.duplicate_name
    fixable = "mixed"


class UnreachableNode(Rule):
    """
    What it does
        Checks for nodes that do not reach an output of the model. If such a node is a variable named for an input that
        uses another value, the finding points to that input.

    Why is this bad
        Loaders drop them, usually silently: the file describes a computation that does not happen. Often an output or
        an input was meant to refer to such a node. Of an ONNX Constant of less than 1,024 bytes,
        of Shape and Size, and of any node in a model of skl2onnx, onnxmltools or onnxruntime's quantizer, which leave such
        nodes behind, this is a pedantic finding.

    Fix safety
        Unsafe: connects the input to the variable that is named for it, which changes what is computed.
    """

    row = R.unreachable_node
    fixable = "unsafe"


class UnusedOutput(Rule):
    """
    What it does
        Checks for operators whose outputs are unused, in formats that do not declare the outputs of a model.

    Why is this bad
        The operator costs time and memory for nothing, or an operator that should use it uses something else.

    Fix safety
        Unsafe: the operator is removed; a program may still request its output by name.

    In a file that prints nothing, programs read the unused tensors: there is one pedantic finding in that case.
    """

    row = R.unused_output
    fixable = "unsafe"


class UnusedSuppression(Rule):
    """
    What it does
        Checks for comments and attributes that suppress a rule that reports nothing there, or a rule that does not
        exist.

    Why is this bad
        The problem that they were written for has been fixed or moved. They would hide the next mistake in the same
        place.

    Fix safety
        Safe: the comment, or its unused codes, are removed. Attributes stay.
    """

    row = R.unused_suppression
    fixable = "safe"
