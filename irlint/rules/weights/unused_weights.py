"""W004 unused-weights."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnusedWeights(Rule):
    """To be written."""

    code = "W004"
    name = "unused-weights"
    severity = Severity.INFO
