"""G003 duplicate-name."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, onnx, symbol


class DuplicateName(Rule):
    """
    What it does
        Checks for operators that share a name, in formats that allow it.

    Why is this bad
        Outputs, messages and tools refer to operators by name, and cannot tell the two apart.

    Example
        ```json
        {"op": "Activation", "name": "fc0", "inputs": [[3, 0, 0]]}
        ```
        next to a FullyConnected named `fc0`.

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "inputs": [[3, 0, 0]]}
        ```

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
