"""S003 non-finite-number."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class NonFiniteNumber(Rule):
    """To be written."""

    code = "S003"
    name = "non-finite-number"
    severity = Severity.ERROR
