"""S007 lone-surrogate."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class LoneSurrogate(Rule):
    """To be written."""

    code = "S007"
    name = "lone-surrogate"
    severity = Severity.ERROR
