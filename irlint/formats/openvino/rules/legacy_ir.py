"""C301 legacy-ir."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class LegacyIr(Rule):
    """
    What it does
        Finds OpenVINO IR of versions 1 to 7, of the time before 2020.

    Why is this bad
        Layers of that time belong to no opset. The Inference Engine releases up to 2019 R3 were made for such files; current
        releases refuse them.

    Example
        ```xml
        <net batch="1" name="model" version="6">
        ```

    Use instead
        The original model converted anew, which gives version 11.
    """

    code = "C301"
    name = "legacy-ir"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (
        Example(
            '<net batch="1" name="old" version="6">\n\t<layers>\n\t\t<layer id="0" name="data" precision="FP32" type="Input">\n'
            '\t\t\t<output>\n\t\t\t\t<port id="0"/>\n\t\t\t</output>\n\t\t</layer>\n\t</layers>\n\t<edges/>\n</net>\n',
            "openvino",
            "6",
        ),
    )
