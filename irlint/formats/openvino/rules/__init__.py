"""The table of this format's own rules, in addition to the shared ones; their pages are next to it or with their checks."""

from __future__ import annotations

from irlint import codes
from irlint.codes import RuleRow, Severity


class R(codes.R):
    runtime_info = RuleRow("A301", "runtime-info")
    legacy_ir = RuleRow("C301", "legacy-ir")
    needs_extension = RuleRow("C302", "needs-extension", Severity.INFO)
    execution_graph = RuleRow("C303", "execution-graph")
    unknown_opset = RuleRow("O301", "unknown-opset")
    unconnected_input = RuleRow("R301", "unconnected-input")
    input_fed_twice = RuleRow("R302", "input-fed-twice")
    variable_mismatch = RuleRow("R303", "variable-mismatch")
    body_mapping = RuleRow("R304", "body-mapping")
    computed_input = RuleRow("R305", "computed-input")


def error_if(is_refused: object) -> Severity | None:
    """Return the severity of what OpenVINO refuses only in some files: the rule's own, else that of a warning."""
    return None if is_refused else Severity.WARNING


# The rules for any format that are found in this one
SHARED = """
    A001 A002 A003 A004 A005 A006 A007 A010
    C001 C002 C010 C011 C012
    D001 D002 D003 D004 D005 D006 D007 D008 D009
    G001 G003 G004 G005
    O001 O002 O003 O006
    R001 R003 R004 R005
    S001 S002 S005 S008 S010 S011 S012 S014 S016 S017 S020 S021 S022 S023 S024
    T001 T002 T003 T006 T007
    W001 W002 W003 W004 W005 W006 W007 W008
    X001 X002
"""
