"""T002 missing-key."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class MissingKey(Rule):
    """To be written."""

    code = "T002"
    name = "missing-key"
    severity = Severity.ERROR
