"""G005 unused-suppression."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino, symbol

_SAID = '<layer id="2" name="scaled"'


class UnusedSuppression(Rule):
    """
    What it does
        Checks for comments and attributes that suppress a rule that reports nothing there, or a rule that does not
        exist.

    Why is this bad
        The problem that they were written for has been fixed or moved. They would hide the next mistake in the same
        place.

    Example
        ```xml
        <!-- irlint: ignore[D001] -->
        <layer id="2" name="scaled" type="Multiply" version="opset1">
        ```

    Use instead
        ```xml
        <layer id="2" name="scaled" type="Multiply" version="opset1">
        ```

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
