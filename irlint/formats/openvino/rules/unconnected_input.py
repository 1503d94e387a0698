"""R301 unconnected-input."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnconnectedInput(Rule):
    """To be written."""

    code = "R301"
    name = "unconnected-input"
    severity = Severity.ERROR
