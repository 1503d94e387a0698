"""S010 too-deep."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class TooDeep(Rule):
    """To be written."""

    code = "S010"
    name = "too-deep"
    severity = Severity.ERROR
