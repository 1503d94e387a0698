"""X002 unsafe-path."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnsafePath(Rule):
    """To be written."""

    code = "X002"
    name = "unsafe-path"
    severity = Severity.ERROR
