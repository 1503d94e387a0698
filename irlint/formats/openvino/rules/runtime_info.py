"""A301 runtime-info."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class RuntimeInfo(Rule):
    """
    What it does
        Checks for entries of `<rt_info>` on which OpenVINO refuses the file (a duplicate attribute, an invalid layout). Entries
        that OpenVINO silently ignores (an unknown name, a missing version or value) are warnings.

    Why is this bad
        OpenVINO refuses the file, or the model loses hints such as its layout.

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
    formats = ("openvino",)
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
