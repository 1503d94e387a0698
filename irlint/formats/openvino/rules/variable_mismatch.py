"""R303 variable-mismatch."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class VariableMismatch(Rule):
    """To be written."""

    code = "R303"
    name = "variable-mismatch"
    severity = Severity.ERROR
