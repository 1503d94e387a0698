"""S021 bare-ampersand."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import openvino


class BareAmpersand(Rule):
    """
    What it does
        Checks for a `&` that does not start a reference, and for references to entities: readers expand no entity that
        a model file declares.

    Why is this bad
        Strict parsers refuse the file; tolerant ones keep the characters unchanged.

    Example
        ```xml
        <layer id="3" name="mean & scale" type="Multiply" version="opset1">
        ```

    Use instead
        ```xml
        <layer id="3" name="mean &amp; scale" type="Multiply" version="opset1">
        ```

    Fix safety
        Safe: `&amp;` means the same as a bare `&` to every reader that accepts the latter.
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
