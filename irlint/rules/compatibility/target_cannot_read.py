"""C002 target-cannot-read."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class TargetCannotRead(Rule):
    """To be written."""

    code = "C002"
    name = "target-cannot-read"
    severity = Severity.ERROR
