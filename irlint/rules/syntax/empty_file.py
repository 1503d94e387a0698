"""S011 empty-file."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class EmptyFile(Rule):
    """To be written."""

    code = "S011"
    name = "empty-file"
    severity = Severity.ERROR
