"""A parser that reads XML like tolerant readers, reports what the standard forbids, and never expands or fetches anything."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping

from irlint.records import NamedTuple
from irlint.text.base import Span, Trouble
from irlint.text.safe import visible
from irlint.text.xml.causes import ChildLookup, end_without_slash, headless, headless_root, overlong, torn_tag
from irlint.text.xml.tree import Attribute, Element, Record, decode_value, unescape
from irlint.text.xml.troubles import Notes, alike

MAX_DEPTH = 500  # deeper elements are followed to their ends, but not kept

SPACE = r"[ \t\r\n]"
_NO_LETTER = r"\x00-\x39\x3b-\x40\x5b-\x5e\x60\x7b-\x7f"  # ASCII that begins no name; beyond ASCII anything may
_NO_NAME = r"\x00-\x2c\x2f\x3b-\x40\x5b-\x5e\x60\x7b-\x7f"
NAME = f"[^{_NO_LETTER}][^{_NO_NAME}]*"
FORBIDDEN = (
    "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f"  # characters that XML cannot hold; those beyond ASCII are looked for apart
)
VALUE = f'"[^"<&{FORBIDDEN}\\t\\r\\n]*"'  # an attribute's value in which nothing needs decoding

_GAP = re.compile(f"{SPACE}*")
_TAG_NAME = re.compile(NAME)
_START = re.compile(
    f"<({NAME})((?:{SPACE}+{NAME}{SPACE}*={SPACE}*(?:\"[^\"<{FORBIDDEN}]*\"|'[^'<{FORBIDDEN}]*'))*){SPACE}*(/?)>"
)
ATTRIBUTE = re.compile(f"(?<={SPACE})({NAME}){SPACE}*={SPACE}*(?:\"([^\"]*)\"|'([^']*)')")
_HEAD = re.compile(f"<[/!?]?(?:{NAME})?")
_END = re.compile(f"</({NAME}){SPACE}*>")
_DOCTYPE_TOKEN = re.compile(r"<!--.*?-->|<\?.*?\?>|\"[^\"]*\"|'[^']*'|[<>]", re.DOTALL)


# Reads regular child elements as wholes: appends records of those that stand one after the other from an offset on, and gives the
# offset after the last of them. What it leaves is read as elements.
Shortcut = Callable[[str, int, "list[Element | Record]"], int]


class Parsed(NamedTuple):
    roots: list[Element]
    troubles: list[Trouble]
    broken: bool  # a tolerant reader would stop somewhere


def parse(text: str, shortcuts: Mapping[str, Shortcut] | None = None) -> Parsed:
    """The whole text. Shortcuts are named "parent/child"."""
    parser = _Parser(text, shortcuts or {})
    parser.run(0)
    if not text.isascii():
        parser.notes.beyond_ascii()
    if (nul := text.find("\0")) >= 0:
        parser.notes.nul(nul, parser.roots[0].end if parser.roots else len(text))
    return Parsed(parser.roots, parser.notes.troubles, parser.notes.broken)


def parse_head(text: str, start: int) -> Element:
    """The start tag of a regular element, as an element without anything in it. One that was regular only after its repair is
    shown as far as its `>`."""
    head = _START.match(text, start)
    if head is None:
        return Element("", (), start, max(text.find(">", start), start) + 1)
    element = Element(head[1], _attributes(text, head), start, head.end())
    element.close = element.end = head.end()
    return element


def _attributes(text: str, head: re.Match[str]) -> list[Attribute]:
    attributes = []
    for found in ATTRIBUTE.finditer(text, head.start(2), head.end(2)):
        group = 2 if found[2] is not None else 3
        attributes.append(
            Attribute(found[1], decode_value(found[group]), found.start(), found.start(group), found.end(group))
        )
    return attributes


def parse_element(text: str, start: int) -> Element:
    """Return the element that begins at an offset, without troubles and shortcuts."""
    parser = _Parser(text, {}, single=True)
    parser.run(start)
    return parser.roots[0] if parser.roots else Element("", (), start, start)


def _outgrown(text: str, element: Element) -> Element | None:
    """Return the first child that is not indented deeper than the element, which should have ended before it."""
    margin = _margin(text, element.start)
    for child in element.children:
        if isinstance(child, Element) and margin is not None and (own := _margin(text, child.start)) is not None:
            if own <= margin:
                return child
    return None


def _margin(text: str, at: int) -> int | None:
    """Return the indentation of a tag that begins its line."""
    line = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    before = text[line:at]
    return None if before.strip() else len(before)


def _add_text(element: Element, text: str, start: int, end: int) -> None:
    if element.texts is None:
        element.texts = []
    element.texts.append((text, start, end))


class _Parser:
    def __init__(self, text: str, shortcuts: Mapping[str, Shortcut], single: bool = False) -> None:
        self.text = text
        self.shortcuts = shortcuts
        self.single = single
        self.roots: list[Element] = []
        self.stack: list[Element] = []
        self.deep: list[tuple[str, int]] = []  # tags below MAX_DEPTH
        self.closed = ChildLookup()
        self._names: list[str] | None = None  # of all tags, sorted
        self.open: dict[str, int] = {}  # how often a tag stands on the stack
        self.doctype = False
        self.angle = -1  # where the next '>' was found last
        self.notes = Notes(text)

    def run(self, at: int) -> None:
        if not self.single and self.text.startswith("\ufeff"):
            at = 1
        if self.walk(at):
            self._finish(len(self.text))

    def walk(self, at: int) -> bool:
        """Read to the end of the text, or of the one required element; return whether the text has ended."""
        text, size = self.text, len(self.text)
        while True:
            gap = _GAP.match(text, at)
            here = gap.end() if gap else at
            if here >= size:
                return True
            if text[here] != "<":
                at = self._characters(at, here)
                continue
            mark = text[here + 1 : here + 2]
            if mark == "/":
                at = self._end(here)
            elif mark == "!":
                at = self._declaration(here)
            elif mark == "?":
                at = self._instruction(here)
            else:
                at = self._start(here)
            if self.single and self.roots and not self.stack and not self.deep:
                return False

    def _finish(self, size: int) -> None:
        if self.stack or self.deep:
            tag, start = self.deep[-1] if self.deep else (self.stack[-1].tag, self.stack[-1].start)
            self.notes.truncated(f"unexpected end of file inside `<{tag}>`", size, Span(start, start + 1 + len(tag)))
        for element in self.stack:
            element.close = element.end = size
        if not self.roots and not self.notes.broken and not self.single:
            self.notes.no_element(size)

    # -- elements -----------------------------------------------------------------------------------------------------

    def _start(self, at: int) -> int:
        text, stack = self.text, self.stack
        name = _TAG_NAME.match(text, at + 1)
        if name is None:
            return self._lost(at, "`<` does not start a tag; write `&lt;` for the character", 1)
        tag = name[0]
        if stack and not self.deep and (shortcut := self.shortcuts.get(f"{stack[-1].tag}/{tag}")):
            here = shortcut(text, at, stack[-1].children)
            if here != at:
                return here
        quick = _START.match(text, at)
        if quick is None:
            return self._odd_start(at, tag, name.end())
        attributes: list[Attribute] = []
        if quick.end(2) > quick.start(2):
            for found in ATTRIBUTE.finditer(text, quick.start(2), quick.end(2)):
                group = 2 if found[2] is not None else 3
                raw = found[group]
                attributes.append(
                    Attribute(found[1], decode_value(raw), found.start(), found.start(group), found.end(group))
                )
                if "&" in raw:
                    self.notes.references(raw, found.start(group), self.doctype)
        self._open(tag, attributes, at, quick.end(), bool(quick[3]))
        return quick.end()

    def _open(self, tag: str, attributes: list[Attribute], start: int, end: int, empty: bool) -> None:
        if len(attributes) > 1 and len({a.name for a in attributes}) < len(attributes):
            self.notes.duplicate_attributes(tag, attributes)
        if self.deep or len(self.stack) >= MAX_DEPTH:
            self.notes.too_deep(MAX_DEPTH, Span(start, end))
            if not empty:
                self.deep.append((tag, start))
            return
        element = Element(tag, attributes, start, end)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            if self.roots and not self.single:
                self.notes.second_root(tag, Span(start, end), self.roots[0].tag, self.roots[0].start)
            self.roots.append(element)
        if not empty:
            self.stack.append(element)
            self.open[tag] = self.open.get(tag, 0) + 1

    def _odd_start(self, at: int, tag: str, here: int) -> int:
        """Read a start tag that violates the standard: accepted if tolerant readers accept it, else reported and skipped."""
        text, size = self.text, len(self.text)
        attributes: list[Attribute] = []
        spaced = True
        while True:
            gap = _GAP.match(text, here)
            spaced, here = (bool(gap) and gap.end() > here), gap.end() if gap else here  # type: ignore[union-attr]
            if here >= size:
                self._cut(at)
                return size
            if text[here] == ">" or text.startswith("/>", here):
                end = here + (1 if text[here] == ">" else 2)
                self._open(tag, attributes, at, end, text[here] == "/")
                return end
            name = _TAG_NAME.match(text, here)
            if name is None or not spaced:
                return self._not_an_attribute(at, tag, here, name, attributes)
            here, found = self._odd_attribute(at, name)
            if found is None:
                return here
            attributes.append(found)

    def _not_an_attribute(
        self, at: int, tag: str, here: int, name: re.Match[str] | None, attributes: list[Attribute]
    ) -> int:
        text = self.text
        if attributes and (quote := overlong(text, attributes[-1])):
            message = f"missing closing quote of the value of `{attributes[-1].name}`"
            return self._lost(at, message, 1, None, quote.start)
        if name is not None:
            return self._lost(at, "missing space before this attribute", len(name[0]), None, here)
        if text[here] == "<":
            return self._lost(at, f"missing `>` at the end of the tag `<{tag}`", here - at, here)
        return self._lost(at, f"unexpected `{visible(text[here])}` inside the tag `<{tag}>`", 1, None, here)

    def _odd_attribute(self, at: int, name: re.Match[str]) -> tuple[int, Attribute | None]:
        text, size = self.text, len(self.text)
        here = _GAP.match(text, name.end()).end()  # type: ignore[union-attr]
        if not text.startswith("=", here):
            message = f"missing value of the attribute `{name[0]}`; expected `=` and a value in quotes"
            return self._lost(at, message, len(name[0]), None, name.start()), None
        here = _GAP.match(text, here + 1).end()  # type: ignore[union-attr]
        quote = text[here : here + 1]
        if quote not in ('"', "'") or not quote:
            return self._lost(
                at, f"missing quotes around the value of `{name[0]}`", len(name[0]), None, name.start()
            ), None
        close = text.find(quote, here + 1)
        if close < 0:
            self._lost(at, f"unclosed value of `{name[0]}`; missing `{quote}`", 1, None, here)
            return size, None
        raw = text[here + 1 : close]
        self.notes.value(raw, here + 1, name[0], self.doctype)
        return close + 1, Attribute(name[0], decode_value(raw), name.start(), here + 1, close)

    def _lost(self, at: int, message: str, length: int, resume: int | None = None, where: int | None = None) -> int:
        """Report a tag that no reader accepts; return its probable end."""
        start = at if where is None else where
        if not self.notes.broken and self._is_last(at):
            self._cut(at)
            return len(self.text)
        self.notes.syntax(message, Span(start, start + length))
        if resume is not None:
            return resume
        if self.angle < start:
            self.angle = self.text.find(">", start)
            if self.angle < 0:
                self.angle = len(self.text)
        opened = self.text.find("<", start + 1)
        return self.angle + 1 if opened < 0 or self.angle < opened else opened

    def _is_last(self, at: int) -> bool:
        """Return whether the file ends inside the tag at an offset."""
        return self.text.find("<", at + 1) < 0 and self.text.find(">", at) < 0

    def _cut(self, at: int) -> None:
        head = _HEAD.match(self.text, at)
        opened = Span(at, head.end() if head else at + 1)
        where = f"the tag `{self.text[slice(*opened)]}`"
        self.notes.truncated(f"unexpected end of file inside {where}", len(self.text), opened)

    def _end(self, at: int) -> int:
        stack = self.stack
        found = _END.match(self.text, at)
        if found is None:
            return self._lost(at, "malformed end tag; expected a name and `>` after `</`", 2)
        tag, end = found[1], found.end()
        if self.deep:
            if self.deep[-1][0] == tag:
                self.deep.pop()
            else:
                self.notes.syntax(f"expected `</{self.deep[-1][0]}>`, got `</{tag}>`", Span(at, end))
        elif stack and stack[-1].tag == tag:
            self._close(at, end)
        elif stack and self._is_misspelled(tag) and (not self.open.get(tag) or self._uses(stack[-1].tag) <= 2):
            self._misspelled(at, end, tag)
        elif self.open.get(tag):
            self._end_of_outer(at, end, tag)
        elif stack:
            self._end_of_none(at, end, tag)
        elif not self.notes.broken:
            related = headless_root(self.text, tag, at)
            self.notes.syntax(f"unmatched end tag `</{tag}>`; no element is open", Span(at, end), related)
        return end

    def _end_of_outer(self, at: int, end: int, tag: str) -> None:
        """Report elements that are open where an element around them ends."""
        text, stack = self.text, self.stack
        inner = stack[-1]
        if (torn := torn_tag(text, inner, f"/{inner.tag}")) is not None:
            self.notes.syntax(f"missing `<` before `/{inner.tag}>`", torn)
        elif (again := end_without_slash(stack)) is not None:
            message = f"`<{again.tag}>` inside `<{again.tag}>`; did you mean `</{again.tag}>`?"
            self.notes.syntax(message, Span(again.start, again.tag_end))
        early = _outgrown(text, inner)
        where = Span(at, end) if early is None else Span(early.start, early.tag_end)
        self.notes.syntax(
            f"missing `</{inner.tag}>` before " + (f"`</{tag}>`" if early is None else f"`<{early.tag}>`"),
            where,
            [(f"`<{inner.tag}>` opened here", Span(inner.start, inner.tag_end))],
        )
        while stack[-1].tag != tag:
            self._close(at, at)
        self._close(at, end)

    def _end_of_none(self, at: int, end: int, tag: str) -> None:
        """Report an end tag of an element that is not open."""
        text, inner = self.text, self.stack[-1]
        if (torn := torn_tag(text, inner, tag)) is not None:
            self.notes.syntax(f"missing `<` before `{tag}`", torn)
        elif (closed := self.closed.before(inner, tag)) is not None:
            later = [("closed here", Span(at, end))]
            self.notes.syntax(f"unexpected `/`; `</{tag}>` closes `<{tag}>` later", closed, later)
        self.notes.syntax(
            f"unmatched end tag `</{tag}>`; the open element is `<{inner.tag}>`",
            Span(at, end),
            [
                *([] if self.notes.broken else headless(text, inner, tag, at)),
                (f"`<{inner.tag}>` opened here", Span(inner.start, inner.tag_end)),
            ],
        )

    def _is_misspelled(self, tag: str) -> bool:
        element = self.stack[-1]
        if not alike(element.tag, tag):
            return False
        return torn_tag(self.text, element, tag) is None and self.closed.before(element, tag) is None

    def _misspelled(self, at: int, end: int, tag: str) -> None:
        """Report a start and an end tag with similar names: the rarer name is assumed to be the wrong one."""
        element = self.stack[-1]
        start = Span(element.start + 1, element.start + 1 + len(element.tag))
        close = Span(at + 2, at + 2 + len(tag))
        if self._uses(element.tag) <= self._uses(tag):
            self.notes.misspelled(element.tag, tag, start, close)
        else:
            self.notes.misspelled(tag, element.tag, close, start)
        self._close(at, end)

    def _uses(self, tag: str) -> int:
        """Return how often the text has tags that begin with a name."""
        if self._names is None:
            self._names = sorted(re.findall(f"</?({NAME})", self.text))
        return bisect_left(self._names, tag + "\U0010ffff") - bisect_left(self._names, tag)

    def _close(self, close: int, end: int) -> None:
        element = self.stack.pop()
        element.close, element.end = close, end
        self.open[element.tag] -= 1

    # -- everything else ----------------------------------------------------------------------------------------------

    def _characters(self, at: int, here: int) -> int:
        end = self.text.find("<", here)
        end = len(self.text) if end < 0 else end
        raw = self.text[at:end]
        if self.deep:
            return end
        if self.stack:
            element = self.stack[-1]
            _add_text(element, unescape(raw.replace("\r\n", "\n")), at, end)
            self.notes.text(raw, at, self.doctype)
        elif not self.single:
            self.notes.outside(Span(here, here + len(raw[here - at :].rstrip())), bool(self.roots))
        return end

    def _declaration(self, at: int) -> int:
        text = self.text
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4)
            if end < 0:
                return self._unclosed(at, "unclosed comment; missing `-->`", 4)
            self.notes.comment(at, end)
            return end + 3
        if text.startswith("<![CDATA[", at):
            end = text.find("]]>", at + 9)
            if end < 0:
                return self._unclosed(at, "unclosed CDATA section; missing `]]>`", 9)
            if self.stack and not self.deep:
                element = self.stack[-1]
                _add_text(element, text[at + 9 : end], at, end + 3)
                self.notes.cdata(at + 9, end)
            elif not self.stack and not self.single:
                self.notes.outside(Span(at, end + 3), bool(self.roots))
            return end + 3
        if text.startswith("<!DOCTYPE", at) and not self.stack:
            return self._doctype(at)
        return self._lost(at, "`<!` does not start a comment or a CDATA section", 2)

    def _unclosed(self, at: int, message: str, length: int) -> int:
        self.notes.syntax(message, Span(at, at + length))
        return len(self.text)

    def _doctype(self, at: int) -> int:
        depth = 0
        for token in _DOCTYPE_TOKEN.finditer(self.text, at):
            depth += {"<": 1, ">": -1}.get(token[0], 0)
            if depth == 0:
                self.doctype = True
                self.notes.doctype(at, token.end())
                return token.end()
        return self._unclosed(at, "unclosed DOCTYPE; missing `>`", 9)

    def _instruction(self, at: int) -> int:
        end = self.text.find("?>", at + 2)
        if end < 0:
            return self._unclosed(at, "unclosed processing instruction; missing `?>`", 2)
        self.notes.instruction(at, end + 2)
        return end + 2
