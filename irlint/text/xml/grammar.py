"""A vocabulary of XML, to choose between repairs of broken markup."""

from __future__ import annotations

import re
from functools import lru_cache


class ElementKind:
    """The allowed content of elements of one kind. None for `children` or `attributes`: anything.

    `whole` names the children that the root of a complete file has.
    """

    __slots__ = ("attributes", "children", "required", "text", "whole")

    def __init__(self) -> None:
        self.children: dict[str, ElementKind] | None = {}
        self.attributes: dict[str, re.Pattern[str] | None] | None = {}
        self.required: frozenset[str] = frozenset()
        self.text: re.Pattern[str] | None = None  # of elements that hold text; others hold blanks only
        self.whole: frozenset[str] = frozenset()


ANYTHING = ElementKind()  # an element of which nothing is known
ANYTHING.children = ANYTHING.attributes = None


def of(tags: dict[str, ElementKind]) -> ElementKind:
    """Return the kind of the document: a parent of root elements."""
    document = ElementKind()
    document.children = tags
    return document


@lru_cache(maxsize=4)
def named(document: ElementKind) -> dict[str, ElementKind]:
    """Return all elements that the vocabulary has, by name; of several, the outermost."""
    found: dict[str, ElementKind] = {}
    waiting, seen = [document], {id(document)}
    for kind in waiting:
        for tag, inner in (kind.children or {}).items():
            found.setdefault(tag, inner)
            if id(inner) not in seen:
                seen.add(id(inner))
                waiting.append(inner)
    return found
