"""S006 byte-order-mark."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class ByteOrderMark(Rule):
    """To be written."""

    code = "S006"
    name = "byte-order-mark"
    severity = Severity.ERROR
    fixable = "safe"
