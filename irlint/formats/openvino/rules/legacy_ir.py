"""C301 legacy-ir."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class LegacyIr(Rule):
    """To be written."""

    code = "C301"
    name = "legacy-ir"
    severity = Severity.ERROR
