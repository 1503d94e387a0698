"""S008 nul-character."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class NulCharacter(Rule):
    """To be written."""

    code = "S008"
    name = "nul-character"
    severity = Severity.ERROR
