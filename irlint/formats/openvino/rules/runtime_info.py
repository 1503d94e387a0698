"""A301 runtime-info."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class RuntimeInfo(Rule):
    """
    What it does
        Finds entries of `<rt_info>` that break reading (an attribute given twice, a layout that cannot be read) and, as warnings,
        those that readers drop without a word (unknown names, no version, no value).

    Why is this bad
        The hints of a model, such as its layout, get lost, or the file is refused.

    Example
        ```xml
        <attribute name="layout" version="0" layout="[N,C"/>
        ```

    Use instead
        ```xml
        <attribute name="layout" version="0" layout="[N,C,H,W]"/>
        ```
    """

    row = R.runtime_info
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            openvino(
                (
                    'element_type="f32"/>',
                    'element_type="f32"/>\n\t\t\t<rt_info>\n\t\t\t\t<attribute name="fused_names" version="0" value="a"/>'
                    '\n\t\t\t\t<attribute name="nonsense" version="0" value="b"/>\n\t\t\t</rt_info>',
                )
            ),
            "openvino",
            "nonsense",
        ),
    )
