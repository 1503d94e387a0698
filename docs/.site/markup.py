"""Pieces of HTML for generated pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

_CODE = re.compile(r"`([^`]+)`")


def inline(text: str) -> str:
    """Return prose as HTML; what is between backticks is code."""
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False))


def code(text: str) -> str:
    return f"<code>{escape(text, quote=False)}</code>"


def definitions(rows: Iterable[tuple[str, str, str]]) -> str:
    """Return a list of definitions, as HTML: anchor, term and definition of each."""
    parts = [f'<dt id="{anchor}">{term}</dt><dd>{definition}</dd>' for anchor, term, definition in rows]
    return "\n".join(["<dl>", *parts, "</dl>"])
