"""T004 wrong-length."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class WrongLength(Rule):
    """To be written."""

    code = "T004"
    name = "wrong-length"
    severity = Severity.ERROR
