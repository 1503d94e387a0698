"""W003 weights-format."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class WeightsFormat(Rule):
    """To be written."""

    code = "W003"
    name = "weights-format"
    severity = Severity.ERROR
