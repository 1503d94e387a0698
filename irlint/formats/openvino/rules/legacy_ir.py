"""C301 legacy-ir."""

from __future__ import annotations

from irlint.formats.openvino.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO

_OLD = (
    '<net batch="1" name="old" version="6">\n\t<layers>\n\t\t<layer id="0" name="data" precision="FP32" type="Input">\n'
    '\t\t\t<output>\n\t\t\t\t<port id="0"/>\n\t\t\t</output>\n\t\t</layer>\n\t</layers>\n\t<edges/>\n</net>\n'
)


class LegacyIr(Rule):
    """
    What it does
        Checks for OpenVINO IR versions 1 to 9, which predate 2020.

    Why is this bad
        These versions have no opsets. OpenVINO refuses them from release 2022.1 on. If you deploy with a release that reads
        them, declare it as the target and the file is not reported: `targets: {openvino: 2019.3}` in `irlint.yaml`, or
        `--target openvino=2019.3`.

    Example
        ```xml
        <net batch="1" name="model" version="6">
        ```

    Use instead
        Convert the original model again, which produces version 11.
    """

    row = R.legacy_ir
    formats = ("openvino",)
    valid = (Example(OPENVINO, "openvino"), Example(_OLD, "openvino", targets={"openvino": "2019.3"}))
    invalid = (
        Example(_OLD, "openvino", "6"),
        Example(_OLD, "openvino", "6", targets={"openvino": "2022.1"}),
    )
