"""S016 truncated-file."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class TruncatedFile(Rule):
    """To be written."""

    code = "S016"
    name = "truncated-file"
    severity = Severity.ERROR
