"""Suppression of findings in the file: <!-- irlint: ignore[A001] --> at an element, <irlint><ignore value="..."/></irlint>.

A comment on its own line applies to the element after it, one at the end of a line to the element that begins on that line, one before
the root to the whole file. An entry in the model's <rt_info> applies to the whole file and is kept when OpenVINO saves the model.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from irlint.suppressions import Suppression, words_of
from irlint.text.base import Edit, Span
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_ORDER = re.compile(r"\s*irlint:\s*ignore(?:\[([^\]]*)\])?")
_SIGN = re.compile(r"\S")


def suppressions(document: XmlDocument) -> Iterator[Suppression]:
    text, root = document.text, document.root
    if root is None or "irlint" not in document.text:
        return
    for at in _comments(text):
        found = _ORDER.match(text, at.start + 4, at.end)
        element = _spoken_for(document, root, at.start, at.end) if found is not None else None
        if found is not None and element is not None:
            start, end = (0, len(text)) if element is root else (element.start, element.end)
            yield Suppression(start, end, words_of(found[1]), at, True)
    for info in root.elements("rt_info"):
        for entry in info.elements("irlint"):
            for ignore in entry.elements("ignore"):
                yield Suppression(0, len(text), words_of(ignore.get("value")), Span(ignore.start, ignore.end))


def _comments(text: str) -> Iterator[Span]:
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start + 4)) >= 0:
        yield Span(start, end + 3)
        start = text.find("<!--", end + 3)


class ElementIgnores:
    """A comment before the layer or edge, or before the root if the finding is in neither."""

    def anchor(self, document: XmlDocument, span: Span) -> int:
        root = document.root
        path = document.place_at(span.start).path[:2]
        if root is None:
            return 0
        return document.element(path).start if len(path) == 2 else root.start

    def is_whole(self, document: XmlDocument, anchor: int) -> bool:
        return document.root is None or anchor == document.root.start

    def edits(self, document: XmlDocument, anchor: int, order: str) -> tuple[Edit, ...]:
        text = document.text
        start = max(text.rfind("\n", 0, anchor), text.rfind("\r", 0, anchor)) + 1
        indent, newline = text[start:anchor], "\r\n" if "\r\n" in text[:4096] else "\n"
        comment = f"<!-- irlint: {order} -->"
        if indent.strip():  # a comment on the line of other elements would be about the first of these
            return (Edit(Span(anchor, anchor), f"{newline}{comment}{newline}"),)
        return (Edit(Span(anchor, anchor), f"{comment}{newline}{indent}"),)


def _spoken_for(document: XmlDocument, root: Element, start: int, end: int) -> Element | None:
    starts = document.lines.starts
    first = _SIGN.search(document.text, starts[bisect_right(starts, start) - 1], start)
    return _after(document, root, end) if first is None else document.element(document.place_at(first.start()).path)


def _after(document: XmlDocument, root: Element, offset: int) -> Element | None:
    """Return the next element, with nothing but comments before it."""
    if offset <= root.start:
        return root
    parent = document.element(document.place_at(offset).path) if offset < root.end else None
    if parent is None:
        return None
    k = bisect_left(range(len(parent.children)), offset, key=parent.offset_of)
    if k == len(parent.children):
        return None
    child = parent.children[k]
    return child if isinstance(child, Element) else document.element_at(parent.offset_of(k))
