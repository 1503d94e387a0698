"""Comments that silence findings: // irlint: ignore[R001], on the line or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.text.base import Document

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<comment>//[^\n]*|/\*.*?\*/)', re.DOTALL)
_ORDER = re.compile(r"irlint:\s*ignore(?:\[([^\]]*)\])?")


def suppressions(document: Document) -> Iterator[tuple[int, int, frozenset[str]]]:
    text, lines = document.text, document.lines
    if "irlint:" not in text:
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
        words = frozenset(word for word in re.split(r"[\s,]+", order[1] or "") if word)
        yield lines.starts[line - 1], end, words
