"""The rules that exist only for this format, in addition to the shared ones."""

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
