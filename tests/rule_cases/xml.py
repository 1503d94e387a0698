"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import OPENVINO, openvino


class BareAmpersand(Cases):
    valid = (Case(openvino(('name="scaled"', 'name="mean &amp; scale"')), "openvino"),)
    invalid = (
        Case(
            openvino(('name="scaled"', 'name="mean & scale"')),
            "openvino",
            "&",
            openvino(('name="scaled"', 'name="mean &amp; scale"')),
        ),
        Case(openvino(('name="scaled"', 'name="&scaled;"')), "openvino", "&scaled;"),
    )


class LooseMarkup(Cases):
    valid = (Case(openvino(('name="scaled"', 'name="a&lt;b"')), "openvino"),)
    invalid = (
        Case(openvino(('name="scaled"', 'name="a<b"')), "openvino", "<", openvino(('name="scaled"', 'name="a&lt;b"'))),
        Case(openvino(("\t<rt_info/>", "\t<!-- a -- b -->\n\t<rt_info/>")), "openvino", "--"),
    )


class DuplicateXmlAttribute(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (Case(openvino(('<data axis="1"/>', '<data axis="1" axis="2"/>')), "openvino", 'axis="2"', OPENVINO),)


class SecondRoot(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (Case(OPENVINO + "<net/>\n", "openvino", "<net/>"),)


class TextOutsideRoot(Cases):
    valid = (Case(OPENVINO, "openvino"),)
    invalid = (Case(OPENVINO + "done\n", "openvino", "done"),)
