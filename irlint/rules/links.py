"""Which rules have a page on the web, and where."""

from __future__ import annotations

from collections.abc import Collection

from irlint.rules import registry

SITE = "https://irlint.readthedocs.io/"


def url(name: str) -> str:
    """Where a rule's page is on the web."""
    return f"{SITE}rules/{name}/"


def documented(format_name: str | None) -> Collection[str]:
    """Names of irlint's own rules that a file of a format can break; those of plug-ins have no page."""
    return registry.documented(format_name)
