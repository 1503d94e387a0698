"""Comments in a listing that silence findings: # irlint: ignore[R401], on the line or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.suppressions import Suppression, words_of
from irlint.text.base import Span
from irlint.text.listing import ListingDocument
from irlint.text.listing_line import ORDER

_TOKENS = re.compile(r"'(?:[^'\\\r\n]|\\.)*'|\"(?:[^\"\\\r\n]|\\.)*\"|#(?P<comment>[^\r\n]*)")


def suppressions(document: ListingDocument) -> Iterator[Suppression]:
    text, lines = document.text, document.lines
    if not document.holds("irlint:"):
        return
    for token in _TOKENS.finditer(text):
        order = ORDER.match(token["comment"]) if token["comment"] else None
        if order is None:
            continue
        line = lines.position(token.start()).line
        if not text[lines.starts[line - 1] : token.start()].strip():
            line += 1
        if line > len(lines.starts):
            continue
        end = lines.starts[line] if line < len(lines.starts) else len(text)
        yield Suppression(lines.starts[line - 1], end, words_of(order[1]), Span(*token.span()), True)
