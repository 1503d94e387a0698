"""A sound XML document after an edit: the element that holds the edit is read again, all others are taken over."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from irlint.text.base import Change
from irlint.text.xml_parse import Shortcut, parse_children
from irlint.text.xml_tree import Attribute, Element, Record

LARGE = 1 << 14  # characters of an element that make up too much of most files
_NOWHERE_IN_XML = re.compile("[\udc80-\udcff\ufffe\uffff]")  # beyond ASCII, where the parser itself does not look


def edited_root(root: Element, text: str, change: Change, shortcuts: Mapping[str, Shortcut]) -> Element | None:
    """The root after a change of a sound text; None where the edit is not inside a single sound element below it."""
    way, start, end = _way(root, change)
    if not way or end - start > max(len(text) // 2, LARGE):
        return None
    if any(a < end and start < b for _, a, b in way[-1][0].texts or ()):
        return None
    piece = text[start : end + change.delta]
    if not piece.isascii() and _NOWHERE_IN_XML.search(piece):
        return None
    new = parse_children(piece, way[-1][0].tag, len(way) - 1, shortcuts)
    if new is None or len(new) != 1:
        return None
    child = _moved(new[0], start) if isinstance(new[0], Element) else _record_moved(new[0], start)
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
    start = holder.offset_of(index)
    if holder.texts:
        copy.texts = [(t, a, b) if b <= start else (t, a + delta, b + delta) for t, a, b in holder.texts]
    if not isinstance(child, Element):  # what its shift adds to it
        child = _record_moved(child, -holder.shift_of(index))
    copy.take(holder)
    copy.put(index, child)
    _move_behind(holder, copy, index + 1, delta)
    return copy


def _move_behind(old: Element, new: Element, start: int, delta: int) -> None:
    """Moves children of an element, of which it has a list of its own, from one of them on."""
    for k in new.own[bisect_left(new.own, start) :] if delta else ():
        child = new.children[k]
        assert isinstance(child, Element)
        new.children[k] = _moved(child, delta)
    new.shift(old, start, delta)


def _record_moved(record: Record, delta: int) -> Record:
    moved: Record = tuple.__new__(type(record), (record[0] + delta, *record[1:])) if delta else record
    return moved


def _moved(child: Element, delta: int) -> Element:
    """The same child, so many characters further on."""
    top = _moved_alone(child, delta)
    waiting = [(child, top)]
    while waiting:
        old, new = waiting.pop()
        new.take(old)
        for k in old.own:
            inner = old.children[k]
            assert isinstance(inner, Element)
            copy = new.children[k] = _moved_alone(inner, delta)
            if inner.children:
                waiting.append((inner, copy))
        new.shift(old, 0, delta)
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
