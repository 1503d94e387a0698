"""The table of this format's own rules, in addition to the shared ones; their pages are next to it or with their checks."""

from __future__ import annotations

from irlint import codes
from irlint.codes import RuleRow, Severity


class R(codes.R):
    division_by_zero = RuleRow("A101", "division-by-zero")
    pool_padding = RuleRow("A102", "pool-padding", Severity.WARNING)
    aborts_at_run = RuleRow("C101", "aborts-at-run")
    memory_plan = RuleRow("D101", "memory-plan")
    print_order = RuleRow("G101", "print-order", Severity.INFO)
    awkward_name = RuleRow("G102", "awkward-name", Severity.INFO)
    compiled_operator = RuleRow("O101", "compiled-operator")
    wrong_operator = RuleRow("O102", "wrong-operator")
    overwritten_tensor = RuleRow("R101", "overwritten-tensor", Severity.WARNING)
    half_pair = RuleRow("T101", "half-pair", Severity.WARNING)
    output_path = RuleRow("X101", "output-path", Severity.WARNING)


# The rules for any format that are found in this one
SHARED = """
    A001 A002 A003 A004 A005 A006 A007 A008 A009 A010
    C001
    D001 D002 D003 D004 D005 D006 D008 D009
    G002 G004 G005
    O001 O002 O003 O004 O005
    R001 R002 R003 R004 R005
    S001 S002 S003 S004 S005 S006 S007 S008 S009 S010 S011 S012 S013 S014 S015 S016 S017
    T001 T002 T003 T004 T005 T007
    W006 W007 W008
"""
