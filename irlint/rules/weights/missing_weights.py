"""W001 missing-weights."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class MissingWeights(Rule):
    """To be written."""

    code = "W001"
    name = "missing-weights"
    severity = Severity.ERROR
