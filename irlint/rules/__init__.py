"""Rules: their base, their registry, and every rule for graphs of any format."""

from irlint.rules.base import Model, Rule

__all__ = ["Model", "Rule"]
