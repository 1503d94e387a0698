"""S017 unusual-encoding."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnusualEncoding(Rule):
    """To be written."""

    code = "S017"
    name = "unusual-encoding"
    severity = Severity.ERROR
