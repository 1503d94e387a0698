"""S015 unusual-number."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnusualNumber(Rule):
    """To be written."""

    code = "S015"
    name = "unusual-number"
    severity = Severity.ERROR
    fixable = "safe"
