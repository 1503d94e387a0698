"""S022 second-root."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class SecondRoot(Rule):
    """To be written."""

    code = "S022"
    name = "second-root"
    severity = Severity.WARNING
