"""T001 wrong-type."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class WrongType(Rule):
    """To be written."""

    code = "T001"
    name = "wrong-type"
    severity = Severity.ERROR
