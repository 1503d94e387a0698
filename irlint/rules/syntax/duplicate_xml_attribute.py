"""S020 duplicate-xml-attribute."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class DuplicateXmlAttribute(Rule):
    """To be written."""

    code = "S020"
    name = "duplicate-xml-attribute"
    severity = Severity.WARNING
    fixable = "safe"
