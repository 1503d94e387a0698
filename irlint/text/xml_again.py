"""A sound XML document after an edit: the element that holds the edit is read again, all others are taken over."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from irlint.text.base import Change
from irlint.text.xml_parse import parse_children
from irlint.text.xml_tree import Attribute, Element, Record

if TYPE_CHECKING:
    from irlint.text.xml import XmlDocument

LARGE = 1 << 14  # characters of an element that make up too much of most files
_NOWHERE_IN_XML = re.compile("[\udc80-\udcff\ufffe\uffff]")  # beyond ASCII, where the parser itself does not look


def edited_root(old: XmlDocument, text: str, change: Change) -> Element | None:
    """The root after a change; None where the edit is not inside a single sound element below it."""
    if old.troubles or old.broken or old.root is None:
        return None
    way, start, end = _way(old.root, change)
    if not way or end - start > max(len(text) // 2, LARGE):
        return None
    if any(a < end and start < b for _, a, b in way[-1][0].texts or ()):
        return None
    piece = text[start : end + change.delta]
    if not piece.isascii() and _NOWHERE_IN_XML.search(piece):
        return None
    new = parse_children(piece, way[-1][0].tag, len(way) - 1, old.shortcuts)
    if new is None or len(new) != 1:
        return None
    child = _moved(new[0], start)
    for holder, index in reversed(way):
        child = _with_child(holder, index, child, change.delta)
    assert isinstance(child, Element)
    return child


def _way(root: Element, change: Change) -> tuple[list[tuple[Element, int]], int, int]:
    """The elements around a change, each with the child that holds it, and that child's range up to what follows it."""
    way: list[tuple[Element, int]] = []
    element, start, end = root, root.start, root.end
    while True:
        children = element.children
        index = bisect_right(range(len(children)), change.start, key=element.offset_of) - 1
        if index < 0:
            break
        limit = element.offset_of(index + 1) if index + 1 < len(children) else element.close
        if change.end > limit:
            break
        way.append((element, index))
        start, end = element.offset_of(index), limit
        child = children[index]
        if not isinstance(child, Element) or not child.children:
            break
        element = child
    return way, start, end


def _with_child(holder: Element, index: int, child: Element | Record, delta: int) -> Element:
    """An element with one child replaced and all behind it moved."""
    copy = Element(holder.tag, holder.attributes, holder.start, holder.tag_end)
    copy.close, copy.end = holder.close + delta, holder.end + delta
    before, after = holder.children[:index], holder.children[index + 1 :]
    copy.children = [*before, child, *([_moved(c, delta) for c in after] if delta else after)]
    start = copy.offset_of(index)
    if holder.texts:
        copy.texts = [(t, a, b) if b <= start else (t, a + delta, b + delta) for t, a, b in holder.texts]
    return copy


def _moved(child: Element | Record, delta: int) -> Element | Record:
    """The same child, so many characters further on."""
    if not isinstance(child, Element):
        return tuple.__new__(type(child), (child[0] + delta, *child[1:]))
    top = _moved_alone(child, delta)
    waiting = [(child, top)]
    while waiting:
        old, new = waiting.pop()
        for inner in old.children:
            if isinstance(inner, Element):
                copy = _moved_alone(inner, delta)
                new.children.append(copy)
                if inner.children:
                    waiting.append((inner, copy))
            else:
                new.children.append(_moved(inner, delta))
    return top


def _moved_alone(element: Element, delta: int) -> Element:
    attributes = [
        Attribute(a.name, a.value, a.start + delta, a.value_start + delta, a.value_end + delta)
        for a in element.attributes
    ]
    copy = Element(element.tag, attributes, element.start + delta, element.tag_end + delta)
    copy.close, copy.end = element.close + delta, element.end + delta
    if element.texts:
        copy.texts = [(text, start + delta, end + delta) for text, start, end in element.texts]
    return copy
