"""R304 body-mapping."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class BodyMapping(Rule):
    """To be written."""

    code = "R304"
    name = "body-mapping"
    severity = Severity.ERROR
