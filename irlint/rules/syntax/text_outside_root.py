"""S023 text-outside-root."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class TextOutsideRoot(Rule):
    """To be written."""

    code = "S023"
    name = "text-outside-root"
    severity = Severity.WARNING
