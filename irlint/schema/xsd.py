"""An XSD schema: what is wrong with a tree of elements, as data, and what each element may hold.

The tree is the document's own, so that the schema validates what the reader sees: references are decoded, values end at a NUL, and
entities are not expanded. It supports the parts of XSD that this project uses; an element may have its children in any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from irlint.records import NamedTuple, dataclass, field
from irlint.text.xml.grammar import ElementKind, of
from irlint.text.xml.parse import parse
from irlint.text.xml.tree import Attribute, Element
from irlint.tools.installed import read_text

Kind = Literal["element", "attribute", "missing", "value", "text"]
Path = tuple[int, ...]
Trail = tuple[Any, ...]  # a path from its end: what comes before the last step, and that step; () at the root


class Violation(NamedTuple):
    """An error. `path` holds child indices from the root. element: unexpected here; attribute: unknown; missing: a required
    attribute; value: of an attribute or, with none named, of the text; text: where none is allowed."""

    kind: Kind
    path: Path
    tag: str
    attribute: str | None = None
    value: str = ""
    expected: tuple[str, ...] = ()  # allowed values; of an unexpected element: the allowed tags
    wanted: str = ""  # the schema's documentation of the value's type


class Simple(NamedTuple):
    """A simple type."""

    allowed: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    words: str = ""

    def takes(self, value: str) -> bool:
        if self.pattern is not None and not self.pattern.fullmatch(value):
            return False
        return not self.allowed or value in self.allowed


@dataclass
class Complex:
    """A complex type, with attributes and children."""

    attributes: dict[str, Simple] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    children: dict[str, str] = field(default_factory=dict)  # tag -> name of its type
    any_attribute: bool = False
    anything: bool = False  # with any content


Types = dict[str, "Simple | Complex"]
_ANY = Simple()
_ROOT = "net"
_LOCATIONS = ("xsi:schemaLocation", "xsi:noNamespaceSchemaLocation")  # XSD allows them, and prefixes, on any element


def violations(schema: str, root: Element) -> Iterator[Violation]:
    """Return the errors of a document against schemas/NAME. Children that a fast path read are assumed to be valid."""
    types = types_of(schema)
    stack: list[tuple[Element, str, Trail]] = [(root, _ROOT, ())]
    while stack:
        element, name, trail = stack.pop()
        type_ = types[name]
        if isinstance(type_, Simple):
            if not type_.takes(element.text):
                yield _value(type_, _path(trail), element.tag, None, element.text)
            continue
        if type_.anything:
            continue
        yield from _attributes(type_, element, trail)
        if element.texts and type_.children:
            yield Violation("text", _path(trail), element.tag)
        for k, child in enumerate(element.children if type_.children else ()):
            if not isinstance(child, Element):
                continue
            if (inner := type_.children.get(child.tag)) is None:
                yield Violation("element", _path((trail, k)), child.tag, expected=tuple(type_.children))
            else:
                stack.append((child, inner, (trail, k)))


def _path(trail: Trail) -> Path:
    steps = []
    while trail:
        trail, step = trail
        steps.append(step)
    return tuple(reversed(steps))


def _attributes(type_: Complex, element: Element, trail: Trail) -> Iterator[Violation]:
    for name in type_.required:
        if element.attribute(name) is None:
            yield Violation("missing", _path(trail), element.tag, name)
    first: dict[str, Attribute] = {}
    for attribute in element.attributes:
        first.setdefault(attribute.name, attribute)  # readers use the first of several with one name
    repeated = (
        {a.name for a in element.attributes if first[a.name] is not a} if len(first) < len(element.attributes) else ()
    )
    for called, attribute in first.items():
        if called not in type_.attributes:
            is_allowed = type_.any_attribute or called in _LOCATIONS or called.startswith("xmlns:")
            if not is_allowed and called not in repeated:  # XML itself forbids what is repeated
                yield Violation("attribute", _path(trail), element.tag, called)
        elif not (simple := type_.attributes[called]).takes(attribute.value):
            yield _value(simple, _path(trail), element.tag, called, attribute.value)


def _value(type_: Simple, path: Path, tag: str, attribute: str | None, value: str) -> Violation:
    return Violation("value", path, tag, attribute, value, type_.allowed, type_.words)


@cache
def types_of(schema: str) -> Types:
    """Return the types of a schema and of those that it includes, by name; "net" is that of the root."""
    types: Types = {"xs:string": _ANY}
    groups: dict[str, Element] = {}
    roots = [_root(schema)]
    roots += [_root(include.get("schemaLocation") or "") for include in roots[0].elements("xs:include")]
    for root in reversed(roots):
        groups.update({group.get("name") or "": group for group in root.elements("xs:group")})
        for simple in root.elements("xs:simpleType"):
            types[simple.get("name") or ""] = _simple(simple)
    for root in reversed(roots):
        for given in root.elements("xs:complexType"):
            name = given.get("name") or ""
            types[name] = _complex(types, groups, name, given)
    for element in roots[0].elements("xs:element"):
        _type_of(types, groups, "", element)
    types[_ROOT] = types[f"/{_ROOT}"]
    return types


def _root(name: str) -> Element:
    return parse(read_text(name)).roots[0]


def _simple(given: Element) -> Simple:
    (restriction,) = given.elements("xs:restriction")
    pattern = restriction.child("xs:pattern")
    return Simple(
        tuple(e.get("value") or "" for e in restriction.elements("xs:enumeration")),
        None if pattern is None else re.compile(pattern.get("value") or ""),
        _words(given),
    )


def _words(given: Element) -> str:
    note = given.child("xs:annotation")
    documentation = None if note is None else note.child("xs:documentation")
    return "" if documentation is None else " ".join(documentation.text.split())


def _complex(types: Types, groups: dict[str, Element], name: str, given: Element) -> Complex:
    made = Complex()
    for part in given.elements():
        if part.tag == "xs:attribute":
            called, inner = part.get("name") or "", part.child("xs:simpleType")
            simple = types[part.get("type") or ""] if inner is None else _simple(inner)
            assert isinstance(simple, Simple)
            made.attributes[called] = simple
            if part.get("use") == "required":
                made.required.append(called)
        elif part.tag == "xs:anyAttribute":
            made.any_attribute = True
        elif part.tag != "xs:annotation":
            _contents(types, groups, name, part, made)
    return made


def _contents(types: Types, groups: dict[str, Element], name: str, part: Element, made: Complex) -> None:
    """Add the content of a sequence, a choice or a group to a type."""
    ref = part.get("ref")
    for member in (part if ref is None else groups[ref]).elements():
        if member.tag == "xs:element":
            made.children[member.get("name") or ""] = _type_of(types, groups, name, member)
        elif member.tag == "xs:any":
            made.anything = True
        else:
            _contents(types, groups, name, member, made)


def _type_of(types: Types, groups: dict[str, Element], holder: str, element: Element) -> str:
    """Return the name of an element's type; an anonymous one gets a name."""
    inner = element.child("xs:complexType")
    if inner is None:
        return element.get("type") or ""
    name = f"{holder}/{element.get('name')}"
    types[name] = _complex(types, groups, name, inner)
    return name


@cache
def grammar(name: str, whole: tuple[str, ...] = ()) -> ElementKind:
    """Return the elements of schemas/NAME for the reader of broken markup; `whole` names children of a complete root element."""
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
