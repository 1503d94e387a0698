"""S021 bare-ampersand."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class BareAmpersand(Rule):
    """To be written."""

    code = "S021"
    name = "bare-ampersand"
    severity = Severity.WARNING
    fixable = "safe"
