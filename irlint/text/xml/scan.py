"""A strict scan of tags up to the first error, which counts misfits with a vocabulary."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from irlint.records import NamedTuple
from irlint.text.xml.grammar import ANYTHING, ElementKind, named
from irlint.text.xml.parse import ATTRIBUTE, MAX_DEPTH, NAME, SPACE, Shortcut

_VALUE = r"\"[^\"]*\"|'[^']*'"
TAG = re.compile(
    f"<(?:/(?P<close>{NAME}){SPACE}*"
    f"|(?P<tag>{NAME})(?P<attributes>(?:{SPACE}+{NAME}{SPACE}*={SPACE}*(?:{_VALUE}))*){SPACE}*(?P<empty>/?))>"
)
_UNUSUAL = re.compile(r"[<>\n\"'“”„«»‘’`´]|^[\s=?!]|[\s=?!]\Z|\s[A-Za-z_-]+=")  # what values seldom have  # noqa: RUF001
_MARKUP = re.compile(r"[<>=\"]|(?<!\w)/")  # what text seldom has
MOST_ODD = 2  # misfits kept for each open element
NONE = -(1 << 60)  # no offset


class XmlMisfit(NamedTuple):
    """A misfit: its offset, the end of the content before it, and the child before it."""

    at: int
    end: int
    last: int


class OpenElement:
    """An open element with its ancestors. `last` is where its last child begins, NONE before the first."""

    __slots__ = ("depth", "end", "kind", "last", "odd", "outer", "start", "tag")

    def __init__(self, outer: OpenElement | None, tag: str, kind: ElementKind, start: int, end: int) -> None:
        self.outer, self.tag, self.kind, self.start, self.end = outer, tag, kind, start, end
        self.depth: int = outer.depth + 1 if outer is not None else 0
        self.last = NONE
        self.odd: list[XmlMisfit] = []

    def copied(self, moved: Callable[[int], int] = lambda at: at) -> OpenElement:
        """Return the same, with all around it, to be changed; `moved` gives other offsets."""
        outwards = list(self.outwards())
        copy: OpenElement | None = None
        for cell in reversed(outwards):
            copy = cell._copied_into(copy, moved)
        assert copy is not None
        return copy

    def _copied_into(self, outer: OpenElement | None, moved: Callable[[int], int]) -> OpenElement:
        copy = OpenElement(outer, self.tag, self.kind, moved(self.start), moved(self.end))
        copy.last = moved(self.last) if self.last != NONE else NONE
        copy.odd = [
            XmlMisfit(moved(odd.at), moved(odd.end), moved(odd.last) if odd.last != NONE else NONE) for odd in self.odd
        ]
        return copy

    def outwards(self) -> Iterator[OpenElement]:
        """Yield this element and its ancestors; the last one represents the document."""
        cell: OpenElement | None = self
        while cell is not None:
            yield cell
            cell = cell.outer

    @property
    def root(self) -> OpenElement:
        """Return the element that represents the document."""
        *_, root = self.outwards()
        return root

    def holds(self, tag: str) -> bool:
        """Return whether an element of that name is open."""
        return any(cell.tag == tag and cell.outer is not None for cell in self.outwards())


class MarkupError(NamedTuple):
    """The place where reading stops: at an invalid tag ("tag"), an unmatched end tag ("end"),
    in a comment, section or instruction without end ("open"), at the end of the file ("file"), or at an element that is
    deeper than elements are kept ("deep")."""

    what: str
    at: int
    previous: int  # where what was read before ends
    top: OpenElement


class MarkupScan:
    """One pass over a text. `fault` is None if it reached the end; `misfits` and `unusual`
    values are counted, `events` recorded on request."""

    def __init__(
        self,
        text: str,
        at: int,
        top: OpenElement,
        end: int | None = None,
        is_cut: bool = False,
        shortcuts: Mapping[str, Shortcut] | None = None,
    ) -> None:
        self.text, self.at, self.top = text, at, top
        self.begin = at
        self.end = len(text) if end is None else end
        self.is_cut = is_cut  # the text continues after this end
        self.shortcuts = shortcuts or {}
        self.fault: MarkupError | None = None
        self.names: dict[str, ElementKind] | None = None
        self.misfits = self.unusual = 0
        self.previous = at
        self.events: list[object] | None = None
        self.is_over = False
        self.begins_at_tag = self.ends_at_tag = False

    def run(self, most: int = 1 << 30) -> None:
        """Read to the first fault, or until there are too many misfits."""
        text, size = self.text, self.end
        while self.fault is None and not self.is_over and self.misfits <= most:
            at = text.find("<", self.at, size)
            if at < 0:
                self._stop(size)
                return
            self._between(self.at, at)
            self._markup(at)

    def _stop(self, size: int) -> None:
        self.is_over = True
        if self.is_cut and not self.ends_at_tag:
            return  # text between tags may go on
        self._between(self.at, size)
        self.at = size
        if self.top.outer is not None and not self.is_cut:
            self._fail("file", size)

    def _fail(self, what: str, at: int) -> None:
        self.fault = MarkupError(what, at, self.previous, self.top)

    def _markup(self, at: int) -> None:
        text = self.text
        found = TAG.match(text, at, self.end)
        if found is None:
            self._other(at)
            return
        if (tag := found["close"]) is not None:
            if self.top.outer is None or tag != self.top.tag:
                self._fail("end", at)
                return
            if self.events is not None:
                self.events.append("/")
            self.top = self.top.outer
        elif not self._shortcut(at, found["tag"]):
            self._start(at, found)
        else:
            return
        self.at = self.previous = found.end()

    def _shortcut(self, at: int, tag: str) -> bool:
        if not self.shortcuts or (shortcut := self.shortcuts.get(f"{self.top.tag}/{tag}")) is None:
            return False
        records: list[object] = []
        end = shortcut(self.text, at, records)  # type: ignore[arg-type]
        if end == at:
            return False
        self.top.last = records[-1][0]  # type: ignore[index]
        self.at = self.previous = end
        return True

    def _start(self, at: int, found: re.Match[str]) -> None:
        tag, raw = found["tag"], found["attributes"]
        top, kind = self.top, self._kind(at, found["tag"])
        pairs = [(name, one or other) for name, one, other in ATTRIBUTE.findall(raw)] if raw else []
        self._attributes(kind, raw, pairs)
        if self.events is not None:
            self.events.append((tag, *pairs))
        top.last = at
        if tag == top.tag or (not found["empty"] and self.text[found.end() - 2] == " "):
            self.unusual += 1
        if not found["empty"]:
            self.top = OpenElement(top, tag, kind, at, found.end())
            if self.top.depth > MAX_DEPTH:
                self._fail("deep", at)
            return
        if kind.text is not None and not kind.text.fullmatch(""):
            self.misfits += 1
        if self.events is not None:
            self.events.append("/")

    def _kind(self, at: int, tag: str) -> ElementKind:
        known = self.top.kind.children
        kind = ANYTHING if known is None else known.get(tag)
        if kind is None:
            self._odd(at)
            if self.names is None:
                self.names = named(self.top.root.kind)
            kind = self.names.get(tag, ANYTHING)
        return kind

    def _attributes(self, kind: ElementKind, raw: str, pairs: list[tuple[str, str]]) -> None:
        names = {name for name, _ in pairs}
        if len(names) < len(pairs):
            self.misfits += 1
        if kind.attributes is not None:
            for name, value in pairs:
                if name not in kind.attributes or (
                    (pattern := kind.attributes[name]) is not None and not pattern.fullmatch(value)
                ):
                    self.misfits += 1
        self.misfits += len(kind.required - names)
        for _, value in pairs:
            if _UNUSUAL.search(value):
                self.unusual += 1

    def _odd(self, at: int) -> None:
        self.misfits += 1
        if len(self.top.odd) < MOST_ODD:
            self.top.odd.append(XmlMisfit(at, self.previous, self.top.last))

    def _between(self, start: int, end: int) -> None:
        """Read text between tags: whitespace, unless it is the content of an element that only has text."""
        if self.begins_at_tag and start == end == self.begin:
            return  # what led up to this has been judged
        top, text = self.top, self.text
        content = text[start:end]
        pattern = top.kind.text
        blank = not content or content.isspace()
        if blank and (pattern is None or top.last != NONE or text.startswith("<!", end)):
            return
        if pattern is None:
            self._loose(content, start)
        elif top.last == NONE and not pattern.fullmatch(content):
            self._odd(start)
        if self.events is not None and not blank:
            self.events.append(content.strip())

    def _loose(self, content: str, start: int) -> None:
        """Judge text where none belongs."""
        if not content or content.isspace():
            return
        has_markup = _MARKUP.search(content) is not None
        if self.top.outer is None:
            self.misfits += has_markup
        elif self.top.kind.children is not None or has_markup:
            self._odd(start + len(content) - len(content.lstrip()))

    def _other(self, at: int) -> None:
        """Read comments, sections and instructions; anything else is a fault."""
        text = self.text
        for mark, close in _OTHERS:
            if text.startswith(mark, at):
                end = text.find(close, at + len(mark), self.end)
                if end < 0:
                    self._incomplete("open", at)
                    return
                if mark == "<!--" and text.find("<!--", at + 4, end) >= 0:
                    self._odd(at)
                self.at = self.previous = end + len(close)
                return
        self._incomplete("tag", at)

    def _incomplete(self, what: str, at: int) -> None:
        """Return the fault of an unclosed tag; none if the text continues after this piece."""
        if self.is_cut and what == "tag" and self._runs_out(at):
            self.is_over = True
        else:
            self._fail(what, at)

    def _runs_out(self, at: int) -> bool:
        return self.text.find(">", at, self.end) < 0 and self.text.find("<", at + 1, self.end) < 0


_OTHERS = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!DOCTYPE", ">"))
