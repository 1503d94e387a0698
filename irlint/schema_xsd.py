"""XSD errors as data in plain words. lxml validates; entities, DTDs and the network stay off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from irlint.records import NamedTuple
from irlint.resources import schemas_folder

Kind = Literal["element", "attribute", "missing", "value", "text"]
_ROUNDS = 20

_VALUE = re.compile(
    r"^Element '[^']*'(?:, attribute '(?P<attribute>[^']*)')?: \[facet '(?P<facet>\w+)'\] The value '(?P<value>.*)' is not ",
    re.S,
)
_SET = re.compile(r"element of the set \{(.*)\}", re.S)
_PATTERN = re.compile(r"by the pattern '(.*)'\.$", re.S)
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufffe\uffff]")  # libxml2's patterns fail on them
_NAME = re.compile(r"The attribute '([^']*)' is ")
_SPACE = "{http://www.w3.org/2001/XMLSchema}"


@cache
def children(name: str) -> dict[str, tuple[str, ...]]:
    """Tag -> tags of the elements that may stand in it, in any of the places that the schema has for that tag."""
    from lxml import etree

    found: dict[str, dict[str, None]] = {}
    trees = [etree.parse(str(schemas_folder() / name))]
    trees += [etree.parse(str(schemas_folder() / i.get("schemaLocation"))) for i in trees[0].iter(f"{_SPACE}include")]
    named = {
        t.get("name"): t for tree in trees for kind in ("complexType", "group") for t in tree.iter(f"{_SPACE}{kind}")
    }
    for tree in trees:
        for element in tree.iter(f"{_SPACE}element"):
            holders = [named[element.get("type")]] if element.get("type") in named else [element]
            holders += [named[g.get("ref")] for g in element.iter(f"{_SPACE}group")]
            inner = found.setdefault(element.get("name"), {})
            for holder in holders:
                inner.update({e.get("name"): None for e in holder.iter(f"{_SPACE}element") if e is not element})
    return {tag: tuple(inner) for tag, inner in found.items()}


class Violation(NamedTuple):
    """`path` holds child indices from the root of what was validated. element: not expected here; attribute: not known;
    missing: an attribute that must be there; value: of an attribute or, with none named, of the text; text: where none belongs."""

    kind: Kind
    path: tuple[int, ...]
    tag: str
    attribute: str | None = None
    value: str = ""
    expected: tuple[str, ...] = ()  # allowed values
    wanted: str = ""  # what the schema's documentation says of the value's type


@cache
def _schema(name: str) -> Any:
    from lxml import etree

    return etree.XMLSchema(etree.parse(str(schemas_folder() / name)))


@cache
def _words(name: str) -> dict[str, str]:
    """Pattern -> what the documentation of its type says, with the files that the schema includes."""
    from lxml import etree

    words: dict[str, str] = {}
    tree = etree.parse(str(schemas_folder() / name))
    for include in tree.iter(f"{_SPACE}include"):
        words.update(_words(include.get("schemaLocation")))
    for simple in tree.iter(f"{_SPACE}simpleType"):
        note = simple.findtext(f"{_SPACE}annotation/{_SPACE}documentation")
        for pattern in simple.iter(f"{_SPACE}pattern"):
            words[pattern.get("value")] = " ".join(note.split()) if note else ""
    return words


def violations(schema: str, text: str) -> Iterator[Violation]:
    """What schemas/NAME has against a text, each fault once."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, recover=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    root = etree.fromstring(_NO_CHARACTER.sub("?", text).encode("utf-8"), parser)
    if root is None:
        return
    validator = _schema(schema)
    places = _Places(root)
    told: set[Violation] = set()
    for _ in range(_ROUNDS):
        if validator.validate(root):
            return
        strangers = []
        for error in validator.error_log:
            element = places.element(error.path)
            found = None if element is None else _read(schema, error, element, places.index[element])
            if found is None or found in told:
                continue
            told.add(found)
            yield found
            if found.kind == "element" and found.path:
                strangers.append(element)
        if not strangers:
            return
        for element in strangers:  # libxml2 looks no further behind an element that it does not expect
            places.drop(element)


class _Places:
    """Index paths as they were before anything was taken out."""

    def __init__(self, root: Any) -> None:
        self.tree = root.getroottree()
        self.index: dict[Any, tuple[int, ...]] = {root: ()}
        stack = [root]
        while stack:
            parent = stack.pop()
            for k, child in enumerate(parent):
                self.index[child] = (*self.index[parent], k)
                stack.append(child)

    def element(self, path: str | None) -> Any:
        """The element that libxml2 names. Its names are not always XPath: there are emoji, and prefixes that nobody declared."""
        from lxml.etree import XPathError

        try:
            found = self.tree.xpath(path) if path else []
        except XPathError:
            found = self._by_steps(path or "")
        return found[0] if found else None

    def _by_steps(self, path: str) -> list[Any]:
        level: list[Any] = [self.tree.getroot()]
        for depth, step in enumerate(path.split("/")[1:]):
            name, _, number = step.rstrip("]").partition("[")
            inner = level if depth == 0 else list(level[0])
            same = [e for e in inner if name in ("*", _prefixed(e))]
            level = same[int(number or 1) - 1 :] if (number or "1").isdecimal() else []
            if not level:
                break
        return level[:1]

    @staticmethod
    def drop(element: Any) -> None:
        parent = element.getparent()
        if parent is not None:
            element.tail = None
            parent.remove(element)


def _prefixed(element: Any) -> str:
    local: str = element.tag.rpartition("}")[2]
    return f"{element.prefix}:{local}" if element.prefix else local


def _read(schema: str, error: Any, element: Any, path: tuple[int, ...]) -> Violation | None:
    message, kind, tag = error.message, error.type_name, _prefixed(element)
    if kind == "SCHEMAV_ELEMENT_CONTENT" and "is not expected" in message:
        return Violation("element", path, tag)
    if kind == "SCHEMAV_CVC_ELT_1":
        return Violation("element", path, tag)
    name = _NAME.search(message)
    if kind == "SCHEMAV_CVC_COMPLEX_TYPE_3_2_1" and name:
        return Violation("attribute", path, tag, name[1])
    if kind == "SCHEMAV_CVC_COMPLEX_TYPE_4" and name:
        return Violation("missing", path, tag, name[1])
    if kind == "SCHEMAV_CVC_COMPLEX_TYPE_2_3":
        return Violation("text", path, tag)
    if (facet := _VALUE.match(message)) is None:
        return None
    attribute = facet["attribute"]
    value = element.get(attribute, "") if attribute else element.text or ""
    allowed, pattern = _SET.search(message), _PATTERN.search(message)
    expected = tuple(re.findall(r"'([^']*)'", allowed[1])) if allowed else ()
    return Violation(
        "value", path, tag, attribute, value, expected, _words(schema).get(pattern[1], "") if pattern else ""
    )
