"""Where the mistake is that makes later tags mismatch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from irlint.text.base import Span
from irlint.text.xml.tree import Attribute, Element


def torn_tag(text: str, element: Element, tag: str) -> Span | None:
    """Return the span of a tag among an element's text that lacks its '<'."""
    name = re.escape(tag)
    begun = re.compile(rf"(?<!\w)(?:{name}\s|(?<!/){name}\b)[^<>]{{0,200}}>")
    for _, start, end in element.texts or ():
        found = begun.search(text, start, end)
        if found:
            return Span(found.start(), found.start() + len(tag))
    return None


def headless(text: str, element: Element, tag: str, at: int) -> list[tuple[str, Span]]:
    """Return the first of the children that an unmatched end tag at an offset would close: those that are indented
    deeper, or without indentation, those that are alike.
    """
    column, first = _column(text, at), len(element.children)
    tags = {c.tag for c in element.elements()[-1:]}
    while first:
        child, start = element.children[first - 1], element.offset_of(first - 1)
        if column is None and not (isinstance(child, Element) and child.tag in tags):
            break
        if column is not None and (_column(text, start) or 0) <= column:
            break
        first -= 1
    if first == len(element.children):
        return []
    start = element.offset_of(first)
    return [(f"`<{tag}>` is missing before this", Span(start, min(start + 1, at)))]


def headless_root(text: str, tag: str, at: int) -> list[tuple[str, Span]]:
    """Return the start tag that an end tag belongs to, where it lacks its '<'."""
    found = re.compile(rf"(?<![\w</-]){re.escape(tag)}\b[^<>]{{0,200}}>").search(text, 0, at)
    return [] if found is None else [("`<` is missing before this", Span(found.start(), found.start() + len(tag)))]


def _column(text: str, at: int) -> int | None:
    """Return how far a tag is indented; None if something else is before it on its line."""
    begin = text.rfind("\n", 0, at) + 1
    return None if text[begin:at].strip() else at - begin


def end_without_slash(stack: Sequence[Element]) -> Element | None:
    """Return the first bare element inside one of its own name: most likely an end tag that lost its '/'."""
    for outer, inner in pairwise(stack):
        if outer.tag == inner.tag and not inner.attributes:
            return inner
    return None


class ChildLookup:
    """A lookup of children by name that looks at each child once."""

    def __init__(self) -> None:
        # By where an element begins: how many of its children were seen, and the last one of each name.
        self._last: dict[int, tuple[int, dict[str, Element]]] = {}

    def before(self, element: Element, tag: str) -> Span | None:
        """Return the '/' of the last empty element of that name among an element's children."""
        seen, last = self._last.get(element.start, (0, {}))
        children = element.children
        for k in range(seen, len(children)):
            if isinstance(child := children[k], Element):
                last[child.tag] = child
        self._last[element.start] = len(children), last
        found = last.get(tag)
        return Span(found.tag_end - 2, found.tag_end - 1) if found and found.close == found.tag_end else None


def overlong(text: str, attribute: Attribute) -> Span | None:
    """Return the quote that begins a value which swallowed what follows it because its closing quote is missing."""
    start, end = attribute.value_start, attribute.value_end
    value = text[start:end]
    swallowed = value.rstrip().endswith("=") or "<" in value or "\n" in value
    return Span(start - 1, start) if swallowed else None
