"""The table of this format's own rules, in addition to the shared ones; their pages are next to it or with their checks."""

from __future__ import annotations

from irlint import codes
from irlint.codes import RuleRow, Severity


class R(codes.R):
    size_mismatch = RuleRow("D401", "size-mismatch")
    id_sequence = RuleRow("R401", "id-sequence")
    post_order = RuleRow("R402", "post-order", Severity.INFO)
    unknown_session = RuleRow("R403", "unknown-session")
    missing_events = RuleRow("R404", "missing-events")
    id_as_text = RuleRow("T401", "id-as-text")
    type_on_call = RuleRow("T402", "type-on-call")


# The rules for any format that are found in this one
SHARED = """
    G002 G004 G005
    O001 O002
    R001 R002 R003 R005
    S001 S002 S003 S004 S005 S006 S007 S008 S009 S010 S011 S012 S013 S014 S015 S016 S017
    T001 T002 T003 T006 T007
"""
