"""O301 unknown-opset."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnknownOpset(Rule):
    """To be written."""

    code = "O301"
    name = "unknown-opset"
    severity = Severity.ERROR
    fixable = "safe"
