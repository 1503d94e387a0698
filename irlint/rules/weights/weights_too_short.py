"""W002 weights-too-short."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class WeightsTooShort(Rule):
    """To be written."""

    code = "W002"
    name = "weights-too-short"
    severity = Severity.ERROR
