"""Comments that silence findings: // irlint: ignore[R001], on the line or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.suppressions import Suppression, of_comments
from irlint.text.base import Document, Span

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<comment>//[^\n]*|/\*.*?\*/)', re.DOTALL)
_ORDER = re.compile(r"irlint:\s*ignore(?:\[([^\]]*)\])?")


def suppressions(document: Document) -> Iterator[Suppression]:
    if "irlint:" in document.text:
        yield from of_comments(document, _orders(document.text))


def _orders(text: str) -> Iterator[tuple[Span, str | None]]:
    for token in _TOKENS.finditer(text):
        if token["comment"] and (order := _ORDER.search(token["comment"])):
            yield Span(*token.span()), order[1]
