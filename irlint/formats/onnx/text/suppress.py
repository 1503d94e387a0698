"""Suppressions of findings: comments in the textual form; in a binary an entry `irlint: ignore[R001]` of the model's metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.formats.onnx.text.document import OnnxDocument
from irlint.suppressions import ORDER, Suppression, of_comments, words_of
from irlint.text.base import Edit, Place, Span

KEY = "irlint"
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#(?P<comment>[^\r\n]*)', re.DOTALL)
_ORDER = re.compile(r"[ \t]*irlint:[ \t]*ignore(?:\[([^\]]*)\])?")


def suppressions(document: OnnxDocument) -> Iterator[Suppression]:
    for k, entry in enumerate(document.tree.get("metadata_props", ())):
        if entry.get("key") == KEY and (order := ORDER.match(entry.get("value", ""))):
            at = document.span(Place(("metadata_props", k, "value")))
            yield Suppression(0, len(document.text) + 1, words_of(order[1]), at)
    if not document.shows_binary and "irlint:" in document.text:
        yield from of_comments(document, _orders(document.text))


def _orders(text: str) -> Iterator[tuple[Span, str | None]]:
    for token in _TOKENS.finditer(text):
        if token["comment"] and (order := _ORDER.match(token["comment"])):
            yield Span(*token.span()), order[1]


class MetadataIgnores:
    """One entry of the model's metadata for the whole file."""

    def anchor(self, document: OnnxDocument, span: Span) -> str:
        return ""

    def is_whole(self, document: OnnxDocument, anchor: str) -> bool:
        return True

    def edits(self, document: OnnxDocument, anchor: str, order: str) -> tuple[Edit, ...]:
        there = document.tree.get("metadata_props", [])
        return document.changed(("metadata_props",), [*there, {"key": KEY, "value": order}])
