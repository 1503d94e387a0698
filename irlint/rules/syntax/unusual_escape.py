"""S018 unusual-escape."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnusualEscape(Rule):
    """To be written."""

    code = "S018"
    name = "unusual-escape"
    severity = Severity.ERROR
    fixable = "safe"
