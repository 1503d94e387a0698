"""O301 unknown-opset."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class UnknownOpset(Rule):
    """
    What it does
        Checks for layers whose version is not an opset of OpenVINO.

    Why is this bad
        OpenVINO refuses the file. Operators of an extension library have a domain instead of an opset; declare them under
        `extensions` in `irlint.yaml`. A domain with operators that no opset has is reported by needs-extension instead.

    Example
        ```xml
        <layer id="3" name="classes" type="SoftMax" version="Opset8">
        ```

    Use instead
        ```xml
        <layer id="3" name="classes" type="SoftMax" version="opset8">
        ```

    Fix safety
        Unsafe: which opset is intended is a guess.
    """

    row = R.unknown_opset
    formats = ("openvino",)
    fixable = "unsafe"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(openvino(('"opset8"', '"Opset8"')), "openvino", "Opset8", OPENVINO),
        Example(openvino(('"opset8"', '"opset99"')), "openvino", "opset99"),
    )
