"""The rules that have a meaning in this format only, beside those of any format."""

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
