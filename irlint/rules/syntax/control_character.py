"""S014 control-character."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class ControlCharacter(Rule):
    """To be written."""

    code = "S014"
    name = "control-character"
    severity = Severity.ERROR
    fixable = "safe"
