"""Elements of an XML document: names, attributes and children with their offsets in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from irlint.records import NamedTuple

REFERENCE = re.compile(r"&(?:#([0-9]+)|#x([0-9A-Fa-f]+)|([A-Za-z]{2,4}));")
NAMED = {"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"'}


class Attribute(NamedTuple):
    """An attribute. `value` is decoded; `text[value_start:value_end]` is the raw value between the quotes."""

    name: str
    value: str
    start: int
    value_start: int
    value_end: int


_FEW = 16  # attributes that are quicker searched than indexed

Record = tuple[Any, ...]  # a child that a shortcut read as a whole; its first item is its offset


class Element:
    """An element; `children` are elements and, if a shortcut read them, records. Offsets: `start` and `tag_end` of the start
    tag, `close` and `end` of the end tag (both equal to `tag_end` for an empty-element tag)."""

    __slots__ = (
        "_index",
        "attributes",
        "children",
        "close",
        "end",
        "start",
        "tag",
        "tag_end",
        "texts",
    )

    def __init__(self, tag: str, attributes: Sequence[Attribute], start: int, tag_end: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self._index = {a.name: a for a in reversed(attributes)} if len(attributes) > _FEW else None
        self.start = start
        self.tag_end = tag_end
        self.close = self.end = tag_end
        self.children: list[Element | Record] = []
        self.texts: list[tuple[str, int, int]] | None = (
            None  # decoded pieces of text with their ranges, if any is not blank
        )

    def attribute(self, name: str) -> Attribute | None:
        """Return the first attribute of that name."""
        if self._index is not None:
            return self._index.get(name)
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        return None

    def get(self, name: str) -> str | None:
        found = self.attribute(name)
        return None if found is None else found.value

    @property
    def text(self) -> str:
        """Return the first piece of text, which readers use as the element's value."""
        return self.texts[0][0] if self.texts else ""

    def elements(self, tag: str | None = None) -> list[Element]:
        """Return child elements, of one tag if given."""
        return [c for c in self.children if isinstance(c, Element) and (tag is None or c.tag == tag)]

    def child(self, tag: str) -> Element | None:
        """Return the first child element of that tag."""
        for child in self.children:
            if isinstance(child, Element) and child.tag == tag:
                return child
        return None

    def steps(self, *tags: str) -> list[tuple[int, Element]]:
        """Return child elements with their positions among the children, of some tags if given."""
        found = [(k, child) for k, child in enumerate(self.children) if isinstance(child, Element)]
        return [(k, child) for k, child in found if child.tag in tags] if tags else found

    def offset_of(self, index: int) -> int:
        child = self.children[index]
        return child.start if isinstance(child, Element) else int(child[0])

    def __repr__(self) -> str:
        return f"<{self.tag} at {self.start}>"


def code_of(decimal: str | None, hexadecimal: str | None) -> int:
    """Return the number of a character reference, of which pugixml (OpenVINO 2026.4) keeps 32 bits: 10**32 is a multiple of 2**32."""
    return int((hexadecimal or "")[-8:], 16) if decimal is None else int(decimal[-32:]) & 0xFFFFFFFF


def is_character(code: int) -> bool:
    """Return whether XML allows a character."""
    return 0x20 <= code < 0xD800 or code in (9, 10, 13) or 0xE000 <= code < 0xFFFE or 0x10000 <= code <= 0x10FFFF


def _character(code: int) -> str:
    """Return the text that pugixml decodes from a number; if that is not UTF-8, its bytes as lone surrogates."""
    if code < 0xD800 or 0xE000 <= code <= 0x10FFFF:
        return chr(code)
    if code < 0x10000:
        return chr(code).encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    made = bytes([(0xF0 | code >> 18) & 0xFF, *(0x80 | code >> shift & 0x3F for shift in (12, 6, 0))])
    return made.decode("utf-8", "surrogateescape")


def _replace(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    return NAMED.get(name, match[0]) if name else _character(code_of(decimal, hexadecimal))


def unescape(raw: str) -> str:
    """Replace character and predefined entity references; others are not expanded.

    A reference to NUL ends the value: readers keep it as a C string.
    """
    return REFERENCE.sub(_replace, raw).partition("\0")[0] if "&" in raw else raw


def decode_value(raw: str) -> str:
    """Return an attribute's value as readers see it: references replaced, line ends and tabs as spaces."""
    if "\n" in raw or "\t" in raw or "\r" in raw:
        raw = raw.replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " ")
    return unescape(raw)


def escape(value: str, quote: str = '"') -> str:
    """Return a value escaped for use between quotes."""
    value = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return value.replace('"', "&quot;") if quote == '"' else value.replace("'", "&apos;") if quote == "'" else value


def raw_range(raw: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the decoded characters start..end of a value in its raw text."""
    if "&" not in raw and "\r" not in raw:
        return start, end
    places, at = [], 0
    while at < len(raw):
        places.append(at)
        match = REFERENCE.match(raw, at)
        if match and (made := _replace(match)) != match[0]:
            places += [at] * (len(made) - 1)
            at = match.end()
        else:
            at += 2 if raw.startswith("\r\n", at) else 1
    places.append(len(raw))
    return places[min(start, len(places) - 1)], places[min(end, len(places) - 1)]
