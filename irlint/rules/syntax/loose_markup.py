"""S024 loose-markup."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import openvino


class LooseMarkup(Rule):
    """
    What it does
        Checks for markup that XML forbids but tolerant readers accept: a `<` in an attribute's value, `--` inside a
        comment, `]]>` in text, an XML declaration that is not at the very start.

    Why is this bad
        Strict parsers refuse the file: other tools cannot read a model that OpenVINO reads.

    Example
        ```xml
        <layer id="3" name="a<b" type="Less" version="opset1">
        ```

    Use instead
        ```xml
        <layer id="3" name="a&lt;b" type="Less" version="opset1">
        ```

    Fix safety
        Safe: `&lt;` means the same as a bare `<` to every reader that accepts the latter.
    """

    row = R.loose_markup
    fixable = "safe"
    valid = (Example(openvino(('name="scaled"', 'name="a&lt;b"')), "openvino"),)
    invalid = (
        Example(
            openvino(('name="scaled"', 'name="a<b"')), "openvino", "<", openvino(('name="scaled"', 'name="a&lt;b"'))
        ),
        Example(openvino(("\t<rt_info/>", "\t<!-- a -- b -->\n\t<rt_info/>")), "openvino", "--"),
    )
