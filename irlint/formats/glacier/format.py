"""Recognises, opens and reads Glacier files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.base import Dialect, Format, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.listing import ListingDocument

_ROW = re.compile(r"^[ \t]*([0-9]+)[ \t]+[^\s\[\]'\",]+[ \t]*\[[^\r\n]*$", re.MULTILINE)
_NEARLY = re.compile(r"^[ \t]*(?:[0-9]+[ \t]+[A-Za-z_]|[0-9]*[ \t]*[a-z_][a-z0-9_.]*[ \t]+\[)[^\r\n]*$", re.MULTILINE)
_LINES = 200  # as many lines decide


class GlacierFormat(Format):
    name = "glacier"
    title = "Glacier flat listing and op events"
    dialects = (
        Dialect("listing", "flat listing: one call a line with its id, operator and inputs"),
        Dialect("events", "op events: nodeID, duration, inputs, size, name, session (JSON or JSON Lines)"),
    )
    extensions = (".txt", ".listing", ".glacier")

    def recognize(self, head: Head) -> Recognition | None:
        text = head.text.lstrip("\ufeff \t\r\n")
        if text[:1] in ("{", "[", "<"):
            return None
        lines = [line for line in text[:20_000].splitlines()[:_LINES] if line.strip()]
        rows = [int(match[1][:9]) for line in lines if (match := _ROW.match(line))]
        if not rows:
            return None
        counted = sum(b == a + 1 for a, b in zip([-1, *rows], rows, strict=False))
        nearly = sum(_NEARLY.match(line) is not None for line in lines)
        if counted * 2 >= len(lines) or (counted and nearly * 4 >= len(lines) * 3):
            return Recognition(3, "its lines are nodes: an id, an operator, a list of inputs", "listing")
        return None

    def open(self, text: str, name: str) -> Document:
        return ListingDocument(text, name)

    def dialect_of(self, document: Document) -> Recognition | None:
        if isinstance(document, ListingDocument):
            readable = sum(row.id is not None and bool(row.op) for row in document.rows)
            if readable * 2 >= len(document.rows) > 0:
                return Recognition(3, "its lines are nodes: an id, an operator, a list of inputs", "listing")
        return None

    def read(self, model: Model) -> Iterator[Problem]:
        if isinstance(model.document, ListingDocument):
            from irlint.formats.glacier.listing import read

            yield from read(model, model.document)
