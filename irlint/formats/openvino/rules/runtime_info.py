"""A301 runtime-info."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class RuntimeInfo(Rule):
    """To be written."""

    code = "A301"
    name = "runtime-info"
    severity = Severity.ERROR
