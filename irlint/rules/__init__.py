"""Rules: what they are, how they are found, and every rule that can be said of any graph."""

from irlint.rules.base import Example, Model, Rule

__all__ = ["Example", "Model", "Rule"]
