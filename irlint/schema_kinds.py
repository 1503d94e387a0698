"""The content that an XSD allows in each element, as data for the XML reader. Only broken files need it."""

from __future__ import annotations

import re
from functools import cache

from irlint.schema_xsd import Complex, Simple, Types, types_of
from irlint.text.xml_grammar import ElementKind, of

_ROOT = "net"


@cache
def grammar(name: str, whole: tuple[str, ...] = ()) -> ElementKind:
    """Return the elements of schemas/NAME; `whole` names children that a complete root element has."""
    kinds: dict[str, ElementKind] = {}
    root = _kind(types_of(name), kinds, _ROOT)
    root.whole = frozenset(whole)
    return of({_ROOT: root})


def _kind(types: Types, kinds: dict[str, ElementKind], name: str) -> ElementKind:
    if name in kinds:
        return kinds[name]
    kind, type_ = kinds.setdefault(name, ElementKind()), types[name]
    if isinstance(type_, Simple):
        kind.text = _pattern(type_) or re.compile("")
    else:
        _fill(types, kinds, kind, type_)
    return kind


def _fill(types: Types, kinds: dict[str, ElementKind], kind: ElementKind, type_: Complex) -> None:
    kind.children = (
        None if type_.anything else {tag: _kind(types, kinds, inner) for tag, inner in type_.children.items()}
    )
    kind.attributes = None
    if not type_.any_attribute:
        kind.attributes = {name: _pattern(simple) for name, simple in type_.attributes.items()}
    kind.required = frozenset(type_.required)


def _pattern(simple: Simple) -> re.Pattern[str] | None:
    """Return what a simple type's values look like."""
    if simple.allowed:
        return re.compile("|".join(map(re.escape, simple.allowed)))
    return simple.pattern
