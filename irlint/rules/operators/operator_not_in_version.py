"""O006 operator-not-in-version."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class OperatorNotInVersion(Rule):
    """To be written."""

    code = "O006"
    name = "operator-not-in-version"
    severity = Severity.ERROR
    fixable = "safe"
