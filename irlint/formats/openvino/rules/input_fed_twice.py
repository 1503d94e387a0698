"""R302 input-fed-twice."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class InputFedTwice(Rule):
    """To be written."""

    code = "R302"
    name = "input-fed-twice"
    severity = Severity.ERROR
    fixable = "unsafe"
