"""W005 weights-mismatch."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class WeightsMismatch(Rule):
    """To be written."""

    code = "W005"
    name = "weights-mismatch"
    severity = Severity.ERROR
