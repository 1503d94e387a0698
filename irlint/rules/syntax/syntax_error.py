"""S001 syntax-error."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class SyntaxError(Rule):
    """To be written."""

    code = "S001"
    name = "syntax-error"
    severity = Severity.ERROR
    fixable = "safe"
