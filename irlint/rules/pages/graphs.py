"""Pages of rules about what a graph does not use, and suppressions that nothing needs."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, OPENVINO, SYMBOL, lightnet, onnx, openvino, symbol


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
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(
            symbol(('"name": "relu0"', '"name": "fc0"')),
            "nnvm:mxnet",
            '"fc0"',
            symbol(('"name": "relu0"', '"name": "fc0_2"')),
        ),
        Example(onnx(("[softmax]", "[conv]")), "onnx", "conv", onnx(("[softmax]", "[conv_2]"))),
    )


_TWO = """\
{
  "nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "fc0_weight", "inputs": []},
    {"op": "null", "name": "fc0_bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc0", "attrs": {"num_hidden": "4"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
    {"op": "null", "name": "fc1_weight", "inputs": []},
    {"op": "null", "name": "fc1_bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc1", "attrs": {"num_hidden": "4"}, "inputs": [[3, 0, 0], [4, 0, 0], [5, 0, 0]]}
  ],
  "arg_nodes": [0, 1, 2, 4, 5],
  "node_row_ptr": [0, 1, 2, 3, 4, 5, 6, 7],
  "heads": [[6, 0, 0]],
  "attrs": {"mxnet_version": ["int", 10901]}
}
"""


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
    valid = (Example(SYMBOL, "nnvm:mxnet"), Example(_TWO, "nnvm:mxnet"))
    invalid = (
        Example(symbol(('"heads": [[4, 0, 0]]', '"heads": [[3, 0, 0]]')), "nnvm:mxnet", '"relu0"'),
        Example(_TWO.replace("[4, 0, 0], [5, 0, 0]", "[4, 0, 0], [2, 0, 0]"), "nnvm:mxnet", "[2, 0, 0]", _TWO),
    )


_SHOW = LIGHTNET[LIGHTNET.index('    {\n      "name": "show"') : LIGHTNET.index("\n  ]\n}")]
_RELU = """\
    {
      "name": "act", "optype": "relu",
      "tensors_in": [{"arg_name": "src", "name": "image"}], "tensors_out": [{"arg_name": "dst", "name": "unread"}], "params": []
    },
"""


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
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet((_SHOW, _RELU + _SHOW)), "lightnet", '"unread"', LIGHTNET),)


_SAID = '<layer id="2" name="scaled"'


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
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (
        Example(
            openvino((f"\t\t{_SAID}", f"\t\t<!-- irlint: ignore[D001] -->\n\t\t{_SAID}")),
            "openvino",
            "<!-- irlint: ignore[D001] -->",
            OPENVINO,
            side_files={"model.bin": bytes(12)},
        ),
        Example(
            symbol(('"act_type": "relu"', '"act_type": "relu", "__irlint__": "ignore[A001]"')),
            "nnvm:mxnet",
            '"ignore[A001]"',
        ),
    )
