"""T005 key-case."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class KeyCase(Rule):
    """To be written."""

    code = "T005"
    name = "key-case"
    severity = Severity.WARNING
    fixable = "safe"
