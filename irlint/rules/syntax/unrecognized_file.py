"""S012 unrecognized-file."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class UnrecognizedFile(Rule):
    """To be written."""

    code = "S012"
    name = "unrecognized-file"
    severity = Severity.ERROR
