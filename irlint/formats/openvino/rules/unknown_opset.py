"""O301 unknown-opset."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class UnknownOpset(Rule):
    """
    What it does
        Finds layers whose version is no opset that OpenVINO has.

    Why is this bad
        The reader refuses the file. Operations that an extension library brings belong to a domain in place of an opset;
        they can be declared under `extensions` in `irlint.yaml`. A domain whose operations no opset has is not reported
        here but by needs-extension.

    Example
        ```xml
        <layer id="3" name="classes" type="SoftMax" version="Opset8">
        ```

    Use instead
        ```xml
        <layer id="3" name="classes" type="SoftMax" version="opset8">
        ```

    Fix safety
        Unsafe: which opset was meant is a guess.
    """

    row = R.unknown_opset
    fixable = "unsafe"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(openvino(('"opset8"', '"Opset8"')), "openvino", "Opset8", OPENVINO),
        Example(openvino(('"opset8"', '"opset99"')), "openvino", "opset99"),
    )
