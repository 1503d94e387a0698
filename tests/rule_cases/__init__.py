"""Cases of rules, more than their pages show: files that break a rule with the token that is found, and files that do not."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from irlint.rules.base import Rule
from rule_cases.base import Case, Cases

__all__ = ["Case", "Cases", "cases"]

for _path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
    import_module(f"rule_cases.{_path.stem}")


def cases(rule: type[Rule]) -> type[Cases]:
    """Return the cases of a rule."""
    return Cases.all.get(rule.__name__, Cases)
