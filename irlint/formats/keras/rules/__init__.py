"""The table of this format's own rules, in addition to the shared ones; their pages are next to it or with their checks."""

from __future__ import annotations

from irlint import codes
from irlint.codes import RuleRow, Severity


class R(codes.R):
    foreign_class = RuleRow("X701", "foreign-class", Severity.WARNING)
    code_in_model = RuleRow("X702", "code-in-model", Severity.WARNING)


# The rules for any format that are found in this one
SHARED = """
    A001 A002 A003 A005 A006 A007
    D001 D003 D004 D005 D006 D008 D010
    O001 O002
    R001 R003 R004 R005 R006 R007
    S001 S002 S005 S006 S007 S009 S010 S011 S013 S016
    T001 T002
"""
