"""X001 document-type."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class DocumentType(Rule):
    """To be written."""

    code = "X001"
    name = "document-type"
    severity = Severity.WARNING
