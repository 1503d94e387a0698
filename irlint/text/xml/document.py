"""XML documents: elements by path, exact spans on demand, regular parts read by one regular expression each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.text.base import Document, Edit, Path, Place, Span, Trouble
from irlint.text.xml.parse import Shortcut, parse, parse_element, parse_head
from irlint.text.xml.tree import Element, escape, raw_range

if TYPE_CHECKING:
    from irlint.text.members import Member
    from irlint.text.xml.grammar import ElementKind

__all__ = ["Shortcut", "XmlDocument"]

_TAG = re.compile(r"<([^\s/>]+)")
_BLANK = " \t\r\n"  # other blanks are text to XML


class XmlDocument(Document):
    """One XML file. `root` is the first root element, None if there is none.

    Children that a shortcut read stand in `Element.children` as records; `element` reads them again, as elements.
    """

    syntax = "xml"

    def __init__(
        self,
        text: str,
        name: str = "<text>",
        shortcuts: Mapping[str, Shortcut] | None = None,
        grammar: Callable[[], ElementKind] | None = None,
    ) -> None:
        """`grammar` gives what the vocabulary allows; it is asked for only if the markup is broken,
        which without it is reported but not repaired."""
        super().__init__(text, name)
        self.shortcuts = shortcuts or {}
        parsed = parse(text, self.shortcuts)
        root, troubles = parsed.roots[0] if parsed.roots else None, parsed.troubles
        if parsed.broken and grammar is not None:
            from irlint.text.xml.mend import mended

            troubles, right = mended(text, troubles, grammar, self.shortcuts)
            root = root if right is None else right
        self.root = root
        self.troubles = troubles
        self.broken = parsed.broken
        self._read: dict[int, Element] = {}
        self._ordinals: dict[int, list[int]] = {}

    def element(self, path: Path) -> Element:
        """Return the element at a path; raise LookupError if there is none."""
        if self.root is None:
            raise LookupError("no root element")
        element = self.root
        for step in path:
            if not isinstance(step, int) or not 0 <= step < len(element.children):
                raise LookupError(path)
            element = self.child(element, step)
        return element

    def child(self, parent: Element, index: int) -> Element:
        """Return a child of an element, whether a shortcut read it or not."""
        child = parent.children[index]
        return child if isinstance(child, Element) else self.element_at(parent.offset_of(index))

    def element_at(self, offset: int) -> Element:
        """The element that begins at an offset, read again where a shortcut had read it."""
        element = self._read.get(offset)
        if element is None:
            element = self._read[offset] = parse_element(self.text, offset)
        return element

    def value_at(self, path: Path) -> Element:
        return self.element(path)

    def members(self, value: Any, naming: Sequence[str]) -> Iterator[Member]:
        """Yield attributes, text and children; children with a tag of their own go by it, others by their names or positions too."""
        from irlint.text.members import Member, numbered

        if isinstance(value, Span):
            value = self.element_at(value.start)
        if not isinstance(value, Element):
            return
        yield from (Member(one.name, f"@{one.name}", one.value) for one in value.attributes)
        if text := "".join(piece for piece, *_ in value.texts or ()).strip():
            yield Member("text", "text", text)
        seen: dict[str, int] = {}
        for k, child in enumerate(value.children):
            start = child if isinstance(child, Element) else parse_head(self.text, child[0])
            what: Element | Span = start
            if start is not child:
                what = Span(start.start, value.offset_of(k + 1) if k + 1 < len(value.children) else value.close)
            yield Member(numbered(start.get("name") or start.tag, seen), k, what)

    def span(self, place: Place) -> Span:
        if self.root is None:
            return Span(0, min(1, len(self.text)))
        element, last = self.root, len(place.path) - 1
        for depth, step in enumerate(place.path):
            if not isinstance(step, int) or not 0 <= step < len(element.children):
                return Span(element.start, element.tag_end)
            if (
                depth == last
                and place.part not in ("element", "text")
                and not isinstance(element.children[step], Element)
            ):
                element = parse_head(self.text, element.offset_of(step))
            else:
                element = self.child(element, step)
        return _part(self.text, element, place.part, place.inner)

    def whole(self, path: Path) -> Span:
        parent, step = self.element(path[:-1]), path[-1] if path else ""
        if (
            not isinstance(step, int)
            or not 0 <= step < len(parent.children)
            or isinstance(parent.children[step], Element)
        ):
            return self.span(Place(path, "element"))
        start, end = parent.offset_of(step), f"</{self._tag_of(parent, step)}>"
        limit = parent.offset_of(step + 1) if step + 1 < len(parent.children) else parent.close
        at = self.text.find(end, start, limit)  # what a shortcut has read holds no other of its kind
        return Span(start, at + len(end) if at >= 0 else self.text.rfind(">", start, limit) + 1)

    @property
    def guesses(self) -> set[Path]:
        torn = [trouble.span.start for trouble in self.troubles if trouble.rule == R.syntax_error]
        return {self.place_at(start).path for start in torn}

    def start(self, path: Path) -> int:
        parent = self.element(path[:-1])
        return parent.offset_of(int(path[-1])) if path else parent.start

    def starts(self, path: Path) -> Sequence[int] | None:
        parent = self.element(path)
        return [parent.offset_of(k) for k in range(len(parent.children))]

    def place_at(self, offset: int) -> Place:
        if self.root is None or not self.root.start <= offset < max(self.root.end, self.root.start + 1):
            return Place((), "element")
        path: list[int] = []
        element = self.root
        while True:
            children = element.children
            k = bisect_right(range(len(children)), offset, key=element.offset_of) - 1
            if k < 0:
                break
            inner = self.child(element, k)
            if offset >= inner.end:
                break
            path.append(k)
            element = inner
        return Place(tuple(path), _part_at(element, offset))

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        """Another value for an attribute or text, another name for an attribute or element."""
        span, part = self.span(place), place.part
        if part == "name":
            element = self.element(place.path)
            edits = [Edit(span, str(value))]
            if element.end > element.close:
                edits.append(Edit(Span(element.close + 2, element.close + 2 + len(element.tag)), str(value)))
            return tuple(edits)
        if part.endswith(".name"):
            return (Edit(span, str(value)),)
        if part.startswith("@"):
            attribute = self.element(place.path).attribute(part[1:])
            if attribute is None:
                return ()
            span = Span(attribute.value_start, attribute.value_end)
            return (Edit(span, escape(str(value), self.text[attribute.value_start - 1])),)
        return (Edit(span, escape(str(value), "")),)

    def _unusual(self, encoding: str) -> Trouble:
        message = f"expected a file in UTF-8, got {encoding}; other tools may refuse it"
        return Trouble(R.unusual_encoding, Span(0, min(1, len(self.text))), message, level="warning")

    def pointer(self, path: Path) -> str:
        """Return an XPath: every step counts among the siblings of one name."""
        if self.root is None:
            return "/"
        element, steps = self.root, [f"/{self.root.tag}"]
        for step in path:
            if not isinstance(step, int) or not 0 <= step < len(element.children):
                break
            tag, ordinal, alone = self._ordinal(element, step)
            steps.append(tag if alone else f"{tag}[{ordinal}]")
            element = self.child(element, step)
        return "/".join(steps)

    def _ordinal(self, parent: Element, index: int) -> tuple[str, int, bool]:
        """A child's tag, its number among its namesakes, and whether it has none."""
        ordinals = self._ordinals.get(parent.start)
        if ordinals is None:
            tags = self._tags_of(parent)
            totals, counts = Counter(tags), Counter[str]()
            ordinals = []
            for tag in tags:
                counts[tag] += 1
                ordinals.append(counts[tag] if totals[tag] > 1 else 0)
            self._ordinals[parent.start] = ordinals
        return self._tag_of(parent, index), ordinals[index], ordinals[index] == 0

    def _tags_of(self, parent: Element) -> list[str]:
        usual = [key.partition("/")[2] for key in self.shortcuts if key.partition("/")[0] == parent.tag]
        if len(usual) != 1:
            return [self._tag_of(parent, k) for k in range(len(parent.children))]
        return [child.tag if isinstance(child, Element) else usual[0] for child in parent.children]

    def _tag_of(self, parent: Element, index: int) -> str:
        child = parent.children[index]
        if isinstance(child, Element):
            return child.tag
        found = _TAG.match(self.text, parent.offset_of(index))
        return found[1] if found else ""


def _part(text: str, element: Element, part: str, inner: tuple[int, int] | None) -> Span:
    """Return the span of one part of an element, or of its tag if that part is missing."""
    if part == "element":
        return Span(element.start, element.end)
    if part == "name":
        return Span(element.start + 1, element.start + 1 + len(element.tag))
    if part == "text":
        return _text_span(text, element, inner)
    if part.startswith("@"):
        name, _, what = part[1:].rpartition(".")
        if what not in ("name", "member") or element.attribute(part[1:]) is not None:
            name, what = part[1:], ""
        attribute = element.attribute(name)
        if attribute is None:
            return Span(element.start, element.tag_end)
        if what == "name":
            return Span(attribute.start, attribute.start + len(name))
        if what == "member":
            return Span(attribute.start, attribute.value_end + 1)
        start, end = attribute.value_start, attribute.value_end
        if inner is not None:
            low, high = raw_range(text[start:end], *inner)
            start, end = start + low, start + high
        elif start == end:
            return Span(attribute.start, attribute.value_end + 1)  # an empty value shows better with its name
        return Span(start, end)
    return Span(element.start, element.tag_end)


def _text_span(text: str, element: Element, inner: tuple[int, int] | None) -> Span:
    if not element.texts:
        return Span(element.start, element.end)
    start, end = element.texts[0][1:]
    raw = text[start:end]
    if raw.startswith("<![CDATA["):
        return Span(start + 9, end - 3)
    if inner is not None:
        low, high = raw_range(raw, *inner)
        return Span(start + low, start + high)
    return Span(start + len(raw) - len(raw.lstrip(_BLANK)), start + len(raw.rstrip(_BLANK)))


def _part_at(element: Element, offset: int) -> str:
    """The part of an element, not inside a child, that holds an offset."""
    if offset >= element.tag_end:
        texts = element.texts or ()
        k = bisect_right(texts, offset, key=lambda piece: piece[1]) - 1
        return "text" if k >= 0 and offset < texts[k][2] else "element"
    if element.start < offset <= element.start + len(element.tag):
        return "name"
    index = bisect_right(element.attributes, offset, key=lambda attribute: attribute.start) - 1
    if index < 0:
        return "tag"
    attribute = element.attributes[index]
    if offset < attribute.start + len(attribute.name):
        return f"@{attribute.name}.name"
    if attribute.value_start <= offset < attribute.value_end:
        return f"@{attribute.name}"
    return f"@{attribute.name}.member" if offset <= attribute.value_end else "tag"
