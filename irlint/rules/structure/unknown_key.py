"""T003 unknown-key."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnknownKey(Rule):
    """To be written."""

    code = "T003"
    name = "unknown-key"
    severity = Severity.ERROR
    fixable = "unsafe"
