"""Comments in a listing that silence findings: # irlint: ignore[R401], on the line or alone on the line before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.suppressions import Suppression, of_comments
from irlint.text.base import Span
from irlint.text.listing.document import ListingDocument
from irlint.text.listing.line import ORDER

_TOKENS = re.compile(r"'(?:[^'\\\r\n]|\\.)*'|\"(?:[^\"\\\r\n]|\\.)*\"|#(?P<comment>[^\r\n]*)")


def suppressions(document: ListingDocument) -> Iterator[Suppression]:
    if "irlint:" in document.text:
        yield from of_comments(document, _orders(document.text))


def _orders(text: str) -> Iterator[tuple[Span, str | None]]:
    for token in _TOKENS.finditer(text):
        if token["comment"] and (order := ORDER.match(token["comment"])):
            yield Span(*token.span()), order[1]
