"""S005 invalid-utf8."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class InvalidUtf8(Rule):
    """To be written."""

    code = "S005"
    name = "invalid-utf8"
    severity = Severity.ERROR
