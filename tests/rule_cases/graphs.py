"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL, lightnet, onnx, openvino, symbol


class EmptyName(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"name": "cut"', '"name": ""')), "lightnet", '""'),)


class DuplicateName(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Case(
            symbol(('"name": "relu0"', '"name": "fc0"')),
            "nnvm:mxnet",
            '"fc0"',
            symbol(('"name": "relu0"', '"name": "fc0_2"')),
        ),
        Case(onnx(("[softmax]", "[conv]")), "onnx", "conv", onnx(("[softmax]", "[conv_2]"))),
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


class UnreachableNode(Cases):
    valid = (Case(SYMBOL, "nnvm:mxnet"), Case(_TWO, "nnvm:mxnet"))
    invalid = (
        Case(symbol(('"heads": [[4, 0, 0]]', '"heads": [[3, 0, 0]]')), "nnvm:mxnet", '"relu0"'),
        Case(_TWO.replace("[4, 0, 0], [5, 0, 0]", "[4, 0, 0], [2, 0, 0]"), "nnvm:mxnet", "[2, 0, 0]", _TWO),
    )


_SHOW = LIGHTNET[LIGHTNET.index('    {\n      "name": "show"') : LIGHTNET.index("\n  ]\n}")]


_RELU = """\
    {
      "name": "act", "optype": "relu",
      "tensors_in": [{"arg_name": "src", "name": "image"}], "tensors_out": [{"arg_name": "dst", "name": "unread"}], "params": []
    },
"""


class UnusedOutput(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet((_SHOW, _RELU + _SHOW)), "lightnet", '"unread"', LIGHTNET),)


_SAID = '<layer id="2" name="scaled"'


class UnusedSuppression(Cases):
    valid = (Case(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (
        Case(
            openvino((f"\t\t{_SAID}", f"\t\t<!-- irlint: ignore[D001] -->\n\t\t{_SAID}")),
            "openvino",
            "<!-- irlint: ignore[D001] -->",
            OPENVINO,
            side_files={"model.bin": bytes(12)},
        ),
        Case(
            symbol(('"act_type": "relu"', '"act_type": "relu", "__irlint__": "ignore[A001]"')),
            "nnvm:mxnet",
            '"ignore[A001]"',
        ),
    )
