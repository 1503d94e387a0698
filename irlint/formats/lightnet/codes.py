"""The rules that have a meaning in this format only, beside those of any format."""

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
