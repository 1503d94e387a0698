"""Whether runtimes refuse values that the operator table calls wrong."""

from __future__ import annotations

from typing import Any

from irlint.codes import R, RuleRow
from irlint.operators import Attribute


def is_refused(rule: RuleRow, value: Any, attribute: Attribute) -> bool:
    """Return whether a checker or a runtime refuses such values; where that was not measured, numbers out of range are taken to run."""
    if attribute.name == "auto_pad" and value == "":
        return False  # onnxruntime 1.32 and OpenVINO 2026.4.1 take it for NOTSET
    facts = attribute.facts
    if value in facts.get("also", ()):
        return False
    refused = facts.get("refused")
    if rule == R.wrong_value_length:
        refused = facts.get("refused_length")
    elif rule == R.value_not_in_enum and _is_other_case(value, attribute):
        refused = facts.get("refused_case", refused)
    return rule != R.value_out_of_range if refused is None else bool(refused)


def _is_other_case(value: Any, attribute: Attribute) -> bool:
    known = {str(word).casefold() for word in attribute.values}
    return {str(item).casefold() for item in (value if isinstance(value, list) else [value])} <= known
