"""What an XSD allows in each element, as data for the XML reader. Only broken files need it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from irlint.resources import schemas_folder
from irlint.text.xml_grammar import ANYTHING, Kind, of

_XS = "{http://www.w3.org/2001/XMLSchema}"


@cache
def grammar(name: str, whole: tuple[str, ...] = ()) -> Kind:
    """Return the elements of schemas/NAME; `whole` names children that a complete root element has."""
    from lxml import etree

    trees = [etree.parse(str(schemas_folder() / name)).getroot()]
    trees += [
        etree.parse(str(schemas_folder() / i.get("schemaLocation"))).getroot() for i in trees[0].iter(f"{_XS}include")
    ]
    compiler = _Compiler(trees)
    roots = {e.get("name"): compiler.kind(e) for e in trees[0].findall(f"{_XS}element")}
    for kind in roots.values():
        kind.whole = frozenset(whole)
    return of(roots)


class _Compiler:
    def __init__(self, trees: list[Any]) -> None:
        self.named = {
            (part.tag, part.get("name")): part for tree in reversed(trees) for part in tree if part.get("name")
        }
        self.known: dict[Any, Kind] = {}

    def kind(self, element: Any) -> Kind:
        """Return what an <xs:element> allows."""
        type_ = element.get("type")
        if type_ is None:
            inner = element.find(f"{_XS}complexType")
            return ANYTHING if inner is None else self._complex(inner)
        if (found := self.named.get((f"{_XS}complexType", type_))) is not None:
            return self._complex(found)
        kind = Kind()
        kind.text = self._pattern(type_) or re.compile("")
        return kind

    def _complex(self, definition: Any) -> Kind:
        if definition not in self.known:
            kind = self.known[definition] = Kind()
            self._fill(kind, definition)
        return self.known[definition]

    def _fill(self, kind: Kind, definition: Any) -> None:
        if _own(definition, "any"):
            kind.children = None
        if _own(definition, "anyAttribute"):
            kind.attributes = None
        attributes = _own(definition, "attribute")
        if kind.attributes is not None:
            kind.attributes.update({a.get("name"): self._values(a) for a in attributes})
        kind.required = frozenset(a.get("name") for a in attributes if a.get("use") == "required")
        groups = [self.named[f"{_XS}group", g.get("ref")] for g in definition.iter(f"{_XS}group")]
        for part in (definition, *groups):
            if kind.children is not None:
                kind.children.update({e.get("name"): self.kind(e) for e in _own(part, "element")})

    def _values(self, attribute: Any) -> re.Pattern[str] | None:
        inner = attribute.find(f"{_XS}simpleType")
        return self._pattern(attribute.get("type")) if inner is None else _facets(inner)

    def _pattern(self, type_: str | None) -> re.Pattern[str] | None:
        found = self.named.get((f"{_XS}simpleType", type_))
        return None if found is None else _facets(found)


def _own(definition: Any, what: str) -> list[Any]:
    """Return parts of a complexType or group that do not belong to another one within it."""
    holders = (f"{_XS}complexType", f"{_XS}group")
    return [part for part in definition.iter(f"{_XS}{what}") if next(part.iterancestors(*holders), None) is definition]


def _facets(simple: Any) -> re.Pattern[str] | None:
    """Return what a simple type's values look like."""
    values = [re.escape(e.get("value")) for e in simple.iter(f"{_XS}enumeration")]
    patterns = [p.get("value") for p in simple.iter(f"{_XS}pattern")]
    return re.compile("|".join((*values, *patterns))) if values or patterns else None
