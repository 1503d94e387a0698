"""S024 loose-markup."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class LooseMarkup(Rule):
    """To be written."""

    code = "S024"
    name = "loose-markup"
    severity = Severity.WARNING
    fixable = "safe"
