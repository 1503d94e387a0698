"""Pages of rules about what a target cannot read or run."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, OPENVINO, SYMBOL, onnx, openvino, symbol

_LATER = symbol(
    ('"Activation", "name": "relu0",\n      "attrs": {"act_type": "relu"}', '"_npi_absolute", "name": "abs0"')
)


_NEWER = onnx(("ir_version: 8", "ir_version: 10"), ('"" : 17', '"" : 21'))
_OLDER = onnx(("ir_version: 8", "ir_version: 9"), ('"" : 17', '"" : 20'))


class TargetCannotRead(Rule):
    """
    What it does
        Checks for anything that the release given with `--target` (or `targets` in the configuration) cannot read: a
        version of the format, or an operation that was added later. For MXNet (`--target mxnet=1.5`) also for
        attributes, values and keys that were added later, and for a target that is not a known release.

    Why is this bad
        The file works on the machine that wrote it, and fails on the device that runs an older release.

    Fix safety
        Unsafe: the fix, which only ONNX models have, lowers opset and IR version; operators may mean something else there.
    """

    row = R.target_cannot_read
    fixable = "unsafe"
    valid = (
        Example(OPENVINO, "openvino", targets={"openvino": "2022.1"}),
        Example(SYMBOL, "nnvm:mxnet", targets={"mxnet": "1.0"}),
    )
    invalid = (
        Example(openvino(), "openvino", "11", targets={"openvino": "2021.4"}),
        Example(_LATER, "nnvm:mxnet", '"_npi_absolute"', targets={"mxnet": "1.5"}),
        Example(_NEWER, "onnx", "21", _OLDER, targets={"onnxruntime": "1.17"}),
    )


_GATHER = """\
{"ops": [
  {"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a"}],
   "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}]},
  {"name": "stack", "optype": "gather", "tensors_in": [{"arg_name": "src1", "name": "a"}],
   "tensors_out": [{"arg_name": "dst", "name": "b"}], "params": []},
  {"name": "show", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "b"}], "tensors_out": [],
   "params": [{"arg_name": "msg", "value": "b"}]}
]}
"""


class TargetLacksOperator(Rule):
    """
    What it does
        Checks for operators that the format defines but that cannot be compiled or run for the given target (`--target
        lightnet=cpu`), or for any target.

    Why is this bad
        The file loads, but cannot be compiled.

        An error where no target, or not the given one, supports the operator; a warning where only the default target lacks
        it.
    """

    row = R.target_lacks_operator
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(_GATHER, "lightnet", '"gather"'),)
