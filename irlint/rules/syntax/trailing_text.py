"""S009 trailing-text."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class TrailingText(Rule):
    """To be written."""

    code = "S009"
    name = "trailing-text"
    severity = Severity.ERROR
