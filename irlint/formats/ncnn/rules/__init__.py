"""The table of this format's own rules, in addition to the shared ones; their pages are next to it or with their checks."""

from __future__ import annotations

from irlint import codes
from irlint.codes import RuleRow, Severity


class R(codes.R):
    missing_split = RuleRow("R501", "missing-split")
    long_word = RuleRow("S502", "long-word", Severity.WARNING)


# The rules for any format that are found in this one
SHARED = """
    A001 A002 A003 A005 A006 A007 A008 C001 C002 D001 D003 D004 D005 D006 D008 D010 G005 O001 O002 O003
    R001 R002 R003 R005
    S001 S006 S009 S011 S013 S016 S501
    T501 T502 T503
    W001 W002 W003 W004 W005 X002
"""
