"""The web pages of rules."""

from __future__ import annotations

from collections.abc import Collection

from irlint.rules import registry

SITE = "https://irlint.readthedocs.io/"


def url(name: str) -> str:
    """Return the URL of a rule's page."""
    return f"{SITE}rules/{name}/"


def documented(format_name: str | None) -> Collection[str]:
    """Return the names of built-in rules for a format; rules of plug-ins have no page."""
    return registry.documented(format_name)
