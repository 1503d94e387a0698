"""Which rules have a page on the web, and where."""

from __future__ import annotations

from functools import cache

from irlint.rules.registry import format_rules, shared_rules

SITE = "https://irlint.readthedocs.io/"


def url(name: str) -> str:
    """Where a rule's page is on the web."""
    return f"{SITE}rules/{name}/"


@cache
def documented(format_name: str | None) -> frozenset[str]:
    """Codes of irlint's own rules that a file of a format can break; those of plug-ins have no page."""
    rules = shared_rules() + (format_rules(format_name) if format_name else ())
    return frozenset(rule.code for rule in rules)
