"""S004 number-out-of-range."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class NumberOutOfRange(Rule):
    """To be written."""

    code = "S004"
    name = "number-out-of-range"
    severity = Severity.ERROR
