"""Comments that silence findings: // irlint: ignore[R001], on the line or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.suppressions import Suppression, words_of
from irlint.text.base import Document, Span

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<comment>//[^\n]*|/\*.*?\*/)', re.DOTALL)
_ORDER = re.compile(r"irlint:\s*ignore(?:\[([^\]]*)\])?")


def suppressions(document: Document) -> Iterator[Suppression]:
    text, lines = document.text, document.lines
    if not document.holds("irlint:"):
        return
    for token in _TOKENS.finditer(text):
        order = _ORDER.search(token["comment"]) if token["comment"] else None
        if order is None:
            continue
        line = lines.position(token.start()).line
        start = lines.starts[line - 1]
        if not text[start : token.start()].strip():
            line = lines.position(token.end()).line + 1
        if line > len(lines.starts):
            continue
        end = lines.starts[line] if line < len(lines.starts) else len(text)
        yield Suppression(lines.starts[line - 1], end, words_of(order[1]), Span(*token.span()), True)
