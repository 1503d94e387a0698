"""C002 target-cannot-read."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, SYMBOL, onnx, openvino, symbol

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

    Example
        ```console
        $ irlint --target openvino=2021.4 model.xml     # <net version="11">
        ```

    Use instead
        ```console
        $ irlint --target openvino=2022.1 model.xml
        ```

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
