"""T006 value-not-allowed."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class ValueNotAllowed(Rule):
    """To be written."""

    code = "T006"
    name = "value-not-allowed"
    severity = Severity.ERROR
