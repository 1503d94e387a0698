"""S013 comment."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class Comment(Rule):
    """To be written."""

    code = "S013"
    name = "comment"
    severity = Severity.ERROR
