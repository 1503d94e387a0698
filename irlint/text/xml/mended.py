"""Elements of a text after repairs of its markup, with offsets in the original text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from irlint.text.base import Edit, apply
from irlint.text.edited import EditedText
from irlint.text.xml.parse import Shortcut, parse, parse_element
from irlint.text.xml.tree import Attribute, Element, Record


def mended_root(text: str, edits: Sequence[Edit], shortcuts: Mapping[str, Shortcut]) -> Element | None:
    """Return the root element after edits; None where they leave the markup broken."""
    changed = apply(text, edits)
    parsed = parse(changed, shortcuts)
    if parsed.broken or not parsed.roots:
        return None
    _lift(changed, parsed.roots[0], EditedText(edits))
    return parsed.roots[0]


def _lift(text: str, root: Element, edited: EditedText) -> None:
    """Move all elements to their offsets before the edits; elements that contain an edit are no longer records."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        _move(element, edited.back)
        for k, child in enumerate(element.children):
            if not isinstance(child, Element):
                end = _next(element, k)
                if not edited.touches(child[0], end):
                    element.children[k] = _record(child, edited.back)
                    continue
                child = element.children[k] = parse_element(text, child[0])
            waiting.append(child)


def _next(element: Element, k: int) -> int:
    """Return where the node after a child begins, before the edits are undone."""
    if k + 1 == len(element.children):
        return _FAR
    follower = element.children[k + 1]
    return follower.start if isinstance(follower, Element) else int(follower[0])


_FAR = 1 << 60


def _record(record: Record, at: Callable[[int], int]) -> Record:
    moved: Record = tuple.__new__(type(record), (at(record[0]), *record[1:]))
    return moved


def _move(element: Element, at: Callable[[int], int]) -> None:
    element.start, element.tag_end = at(element.start), at(element.tag_end)
    element.close, element.end = at(element.close), at(element.end)
    element.attributes = [
        Attribute(a.name, a.value, at(a.start), at(a.value_start), at(a.value_end)) for a in element.attributes
    ]
    if element.texts:
        element.texts = [(text, at(start), at(end)) for text, start, end in element.texts]
