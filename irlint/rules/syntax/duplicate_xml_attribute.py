"""S020 duplicate-xml-attribute."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, openvino


class DuplicateXmlAttribute(Rule):
    """
    What it does
        Checks for XML tags with a duplicate attribute.

    Why is this bad
        XML forbids it, and strict parsers refuse the file. OpenVINO's parser silently uses the first one, so that a
        later correction has no effect.

    Example
        ```xml
        <data axis="1" axis="2"/>
        ```

    Use instead
        ```xml
        <data axis="1"/>
        ```

    Fix safety
        Safe: removes the second attribute, which every reader that accepts the file ignores.
    """

    row = R.duplicate_xml_attribute
    fixable = "safe"
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(openvino(('<data axis="1"/>', '<data axis="1" axis="2"/>')), "openvino", 'axis="2"', OPENVINO),)
