"""S002 duplicate-key."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class DuplicateKey(Rule):
    """To be written."""

    code = "S002"
    name = "duplicate-key"
    severity = Severity.WARNING
    fixable = "unsafe"
