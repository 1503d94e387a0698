"""Rules: what they are, how they are found, and every rule that can be said of any graph."""

from irlint.rules.base import Example, Model, Rule

__all__ = ["Example", "Model", "Rule"]

CHECKED = {  # rules with a check of their own
    "G004": "hygiene.empty_name",
    "R002": "references.used_before_defined",
    "R003": "references.self_reference",
    "R004": "references.cycle",
}
