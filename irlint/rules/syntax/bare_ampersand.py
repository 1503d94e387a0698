"""S021 bare-ampersand."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import openvino


class BareAmpersand(Rule):
    """
    What it does
        Finds a `&` that begins no reference, and references to entities: model files declare none that readers would expand.

    Why is this bad
        Strict parsers refuse the file, tolerant ones take the letters as they stand.

    Example
        ```xml
        <layer id="3" name="mean & scale" type="Multiply" version="opset1">
        ```

    Use instead
        ```xml
        <layer id="3" name="mean &amp; scale" type="Multiply" version="opset1">
        ```

    Fix safety
        Safe: `&amp;` means the same as the bare `&` to every reader that takes it.
    """

    row = R.bare_ampersand
    fixable = "safe"
    valid = (Example(openvino(('name="scaled"', 'name="mean &amp; scale"')), "openvino"),)
    invalid = (
        Example(
            openvino(('name="scaled"', 'name="mean & scale"')),
            "openvino",
            "&",
            openvino(('name="scaled"', 'name="mean &amp; scale"')),
        ),
        Example(openvino(('name="scaled"', 'name="&scaled;"')), "openvino", "&scaled;"),
    )
