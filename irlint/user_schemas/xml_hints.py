"""What users' XML Schemas say of a place in an XML file, by the names of its element and attribute."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from irlint.files.read import Unreadable, read
from irlint.formats.navigation import Choice
from irlint.records import NamedTuple
from irlint.settings import UserSchema
from irlint.text.base import Document, Span, decode
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element, escape
from irlint.user_schemas.bounds import SIZE

_TYPES = {"complexType", "simpleType", "attributeGroup", "group"}


class XmlPlace(NamedTuple):
    """An attribute's name or value, or the name of an element and those around it."""

    tag: str
    span: Span
    attribute: str | None = None
    is_value: bool = False
    others: frozenset[str] = frozenset()
    parent: str = ""


class XmlHints:
    """What one schema says."""

    def __init__(self, schema: UserSchema) -> None:
        self._elements, self._types = _declared(schema.files or (schema.path,), schema.digest)

    def notes(self, place: XmlPlace) -> list[str]:
        """Return the documentation of a place."""
        owners = self._elements.get(place.tag, [])
        if place.attribute is not None:
            owners = [
                a for owner in owners for a in self._inside(owner, "attribute") if a.get("name") == place.attribute
            ]
        texts = (_documentation(part) for owner in owners for part in (owner, *self._typed(owner)))
        return list(dict.fromkeys(filter(None, texts)))

    def choices(self, place: XmlPlace) -> Iterator[Choice]:
        """Yield the names or values that are allowed at a place."""
        if place.attribute is None:
            for inner in self._named(place.parent, "element"):
                yield Choice(_name(inner), "operator", "", _documentation(inner))
            return
        for attribute in self._named(place.tag, "attribute"):
            name = _name(attribute)
            if not place.is_value and name not in place.others:
                yield Choice(name, "attribute", _local(attribute.get("type") or ""), _documentation(attribute))
            elif place.is_value and name == place.attribute:
                yield from self._values(attribute)

    def _named(self, tag: str, kind: str) -> Iterator[Element]:
        return (part for owner in self._elements.get(tag, []) for part in self._inside(owner, kind))

    def _values(self, attribute: Element) -> Iterator[Choice]:
        for value in (value for part in self._typed(attribute) for value in _all(part, "enumeration")):
            text = value.get("value") or ""
            yield Choice(escape(text, '"'), "value", "", _documentation(value), text)

    def _typed(self, owner: Element) -> list[Element]:
        """Return the types of an element or attribute."""
        named = self._types.get(_local(owner.get("type") or ""), [])
        return [*(part for part in owner.elements() if _local(part.tag) in _TYPES), *named]

    def _inside(self, owner: Element, kind: str) -> list[Element]:
        """Return the declared attributes or children of an element, those of its type and of what that refers to included."""
        found, work, seen = list[Element](), deque(self._typed(owner)), set[int]()
        while work:
            part = work.popleft()
            if id(part) not in seen:
                seen.add(id(part))
                referred = (_local(part.get(key) or "") for key in ("ref", "base"))
                work += [named for name in referred for named in self._types.get(name, [])]
                for inner in part.elements():
                    if _local(inner.tag) == kind:
                        found.append(inner)
                    elif _local(inner.tag) not in ("element", "attribute"):
                        work.append(inner)
        return found


@lru_cache(maxsize=16)
def _declared(files: tuple[str, ...], digest: str) -> tuple[dict[str, list[Element]], dict[str, list[Element]]]:
    """Return the elements and the types of a schema's files by name; they are read again when one of them has changed."""
    elements, types = dict[str, list[Element]](), dict[str, list[Element]]()
    for part in (part for path in files for part in _content(path)):
        kind, name = _local(part.tag), part.get("name")
        if name is not None and (kind == "element" or kind in _TYPES):
            (elements if kind == "element" else types).setdefault(name, []).append(part)
    return elements, types


def _content(path: str) -> Iterator[Element]:
    try:
        root = XmlDocument(decode(read(path, SIZE))[0], path).root
    except Unreadable:
        root = None
    return iter(()) if root is None else _all(root, "")


def _all(root: Element, kind: str) -> Iterator[Element]:
    """Yield the elements in another one, or those of one name."""
    work = deque([root])
    while work:
        part = work.popleft()
        if not kind or _local(part.tag) == kind:
            yield part
        work += part.elements()


def _documentation(part: Element) -> str:
    notes = (note for note in part.elements() if _local(note.tag) == "annotation")
    texts = (text.text for note in notes for text in note.elements() if _local(text.tag) == "documentation")
    return " ".join(" ".join(texts).split())


def _name(part: Element) -> str:
    return part.get("name") or _local(part.get("ref") or "")


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def xml_place(document: Document, offset: int) -> XmlPlace | None:
    """Return what is at an offset."""
    place: Any = document.place_at(offset)
    try:
        element = document.value_at(place.path)
        parent = document.value_at(place.path[:-1]).tag if place.path else ""
    except LookupError:
        return None
    span, tag = document.span(place), _local(element.tag)
    if place.part.startswith("@"):
        name, _, what = place.part[1:].partition(".")
        others = frozenset(attribute.name for attribute in element.attributes) - {name}
        return XmlPlace(tag, span, name, not what, others) if what in ("", "name") else None
    return XmlPlace(tag, span, parent=_local(parent)) if place.part == "name" else None
