"""What the XML reader reports, as troubles with messages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from irlint.codes import R, RuleRow
from irlint.text.base import Edit, Span, Trouble, text_end
from irlint.text.words import count
from irlint.text.xml.tree import NAMED, REFERENCE, Attribute, code_of, is_character

_ODD = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1f]")  # a NUL is looked for once, in the whole text
_AMPERSAND = re.compile(f"(?P<known>{REFERENCE.pattern})|&(?P<entity>[A-Za-z_:][-.\\w:]*);|&")
_ENTITY = re.compile(r"<!ENTITY\s+(?:%\s*)?([^\s\"'>]+)")
_ENCODING = re.compile(r"""encoding\s*=\s*["']([^"']*)["']""")
_DECLARATION_HEAD = re.compile(r"<\?[xX][mM][lL](?=[ \t\r\n?])")
_TARGET = re.compile(r"<\?[^\W\d][-.\w:]*(?=[ \t\r\n?])")
_DECLARATION = re.compile(
    r"""<\?xml\s+version\s*=\s*(?:"1\.[0-9]+"|'1\.[0-9]+')"""
    r"""(?:\s+encoding\s*=\s*(?:"[A-Za-z][-\w.]*"|'[A-Za-z][-\w.]*'))?"""
    r"""(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>""",
    re.ASCII,
)
_UNICODE = {"utf-8", "utf8", "us-ascii", "ascii"}


def alike(one: str, other: str) -> bool:
    """Whether two names differ so little that one is probably a misspelling of the other."""
    if abs(len(one) - len(other)) > 2 or len(one) > 50:
        return False
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other).ratio() >= 0.8


_MOST = 1000  # troubles of one kind; a file with more has one cause for all of them


class Notes:
    """Collected troubles. Only the first error that stops every reader is kept: what follows it is guesswork."""

    def __init__(self, text: str) -> None:
        self.source = text
        self.troubles: list[Trouble] = []
        self.broken = False
        self._deep = False
        self._counts: dict[RuleRow, int] = {}

    def _warn(
        self,
        rule: RuleRow,
        message: str,
        span: Span,
        related: Sequence[tuple[str, Span]] = (),
        edit: Edit | None = None,
        title: str = "",
    ) -> Trouble:
        edits = None if edit is None else lambda: [edit]
        trouble = Trouble(rule, span, message, related, edits, title, level="warning")
        number = self._counts[rule] = self._counts.get(rule, 0) + 1
        if number <= _MOST:
            self.troubles.append(trouble)
        return trouble

    def _full(self, rule: RuleRow) -> bool:
        return self._counts.get(rule, 0) >= _MOST

    def syntax(self, message: str, span: Span, related: Sequence[tuple[str, Span]] = ()) -> None:
        if not self.broken:
            self.troubles.append(Trouble(R.syntax_error, span, message, related))
        self.broken = True

    def no_element(self, size: int) -> None:
        if self.source.strip("\ufeff \t\r\n"):
            self.syntax("the file has no root element", Span(0, min(size, 1)))
        else:
            message = "the file contains only whitespace" if size else "the file is empty"
            self.troubles.append(Trouble(R.empty_file, Span(0, 0), message))
            self.broken = True

    def misspelled(self, wrong: str, right: str, span: Span, other: Span) -> None:
        if not self.broken:
            message = f"expected the tag name `{right}`, got `{wrong}`"
            related, edits = [("matching tag here", other)], [Edit(span, right)]
            self.troubles.append(Trouble(R.syntax_error, span, message, related, lambda: edits, f"Rename to `{right}`"))
        self.broken = True

    def truncated(self, message: str, size: int, opened: Span) -> None:
        if not self.broken:
            end = len(self.source.rstrip())
            span = text_end(self.source, Span(max(end - 1, 0), end))
            self.troubles.append(Trouble(R.truncated_file, span, message, [("opened here", opened)]))
        self.broken = True

    def too_deep(self, limit: int, span: Span) -> None:
        if not self._deep:
            self._warn(
                R.too_deep, f"elements are nested more than {limit} levels deep; irlint ignores deeper ones", span
            )
        self._deep = True

    def duplicate_attributes(self, tag: str, attributes: Sequence[Attribute]) -> None:
        seen: dict[str, Attribute] = {}
        for attribute in attributes:
            first = seen.setdefault(attribute.name, attribute)
            if first is attribute:
                continue
            end = attribute.value_end + 1
            self._warn(
                R.duplicate_xml_attribute,
                f"duplicate attribute `{attribute.name}` of `<{tag}>`; tolerant readers use the first value",
                Span(attribute.start, end),
                [("first defined here", Span(first.start, first.value_end + 1))],
                Edit(Span(self._before(attribute.start), end), ""),
                f"Remove the second `{attribute.name}`",
            )

    def _before(self, at: int) -> int:
        while self.source[at - 1] in " \t\r\n":
            at -= 1
        return at

    def second_root(self, tag: str, span: Span, first: str, start: int) -> None:
        self._warn(
            R.second_root,
            f"second root element `<{tag}>`; readers ignore all but the first",
            span,
            [("first root element here", Span(start, start + 1 + len(first)))],
        )

    def outside(self, span: Span, after: bool) -> None:
        where = "after" if after else "before"
        self._warn(
            R.text_outside_root, f"text {where} the root element; XML forbids it, but tolerant readers ignore it", span
        )

    def references(self, raw: str, start: int, doctype: bool) -> None:
        """Report references that are not expanded and those to characters that XML does not allow."""
        for found in _AMPERSAND.finditer(raw):
            _, decimal, hexadecimal, name, entity = found.groups()
            span = Span(start + found.start(), start + found.end())
            if decimal or hexadecimal:
                if not is_character(code := code_of(decimal, hexadecimal)):
                    self._forbidden(code, span)
                continue
            if name in NAMED:
                continue
            if self._full(R.bare_ampersand):
                return
            if name or entity:
                what = "entity reference" if doctype else "undefined entity"
                self._warn(R.bare_ampersand, f"{what} `{found[0]}`; readers do not expand it", span)
                continue
            message, escaped = "unescaped `&`; XML requires `&amp;`", Edit(span, "&amp;")
            self._warn(R.bare_ampersand, message, span, edit=escaped, title="Replace with `&amp;`")

    def value(self, raw: str, start: int, name: str, doctype: bool) -> None:
        """Report what is wrong in an attribute's value that is not plain text."""
        for found in re.finditer("<", raw):
            if self._full(R.loose_markup):
                break
            at = start + found.start()
            message, span = f"unescaped `<` in the value of `{name}`; XML requires `&lt;`", Span(at, at + 1)
            self._warn(R.loose_markup, message, span, edit=Edit(span, "&lt;"), title="Replace with `&lt;`")
        self._characters(raw, start)
        self.references(raw, start, doctype)

    def text(self, raw: str, start: int, doctype: bool) -> None:
        self._characters(raw, start)
        if "&" in raw:
            self.references(raw, start, doctype)
        if (at := raw.find("]]>")) >= 0:
            self._warn(
                R.loose_markup, "unescaped `]]>` in text; XML requires `]]&gt;`", Span(start + at, start + at + 3)
            )

    def beyond_ascii(self) -> None:
        """Report bytes that are not UTF-8 (the first is shown) and characters that XML does not allow."""
        bad = list(re.finditer("[\udc80-\udcff]+", self.source))
        if bad:
            more = f" ({count(len(bad) - 1, 'more occurrence')})" if len(bad) > 1 else ""
            byte = ord(self.source[bad[0].start()]) - 0xDC00
            message = f"byte 0x{byte:02X} is not valid UTF-8{more}; strict readers refuse the file"
            self._warn(R.invalid_utf8, message, Span(*bad[0].span()))
        for found in re.finditer("[\ufffe\uffff]", self.source):
            self._forbidden(ord(found[0]), Span(*found.span()))

    def _characters(self, raw: str, start: int) -> None:
        for found in _ODD.finditer(raw):
            if self._full(R.control_character):
                return
            self._forbidden(ord(found[0]), Span(start + found.start(), start + found.end()))

    def _forbidden(self, code: int, span: Span) -> None:
        """Report a character that XML does not allow, written or referred to."""
        if code == 0:
            self._warn(R.nul_character, "reference to U+0000; readers end the value there", span)
        else:
            message = f"character U+{code:04X} is not allowed in XML; strict readers refuse the file"
            self._warn(R.control_character, message, span)

    def nul(self, at: int, end: int) -> None:
        """Report the first NUL in the text, of which the root element ends at an offset."""
        if self.broken:
            return
        what = "readers in C++ stop here and refuse the file" if at < end else "readers stop here"
        trouble = self._warn(R.nul_character, f"NUL character; {what}", Span(at, at + 1))
        if at < end:
            trouble.level = "error"

    def cdata(self, start: int, end: int) -> None:
        self._characters(self.source[start:end], start)

    def comment(self, start: int, end: int) -> None:
        self._characters(self.source[start:end], start)
        if (at := self.source.find("--", start + 4, end + 1)) >= 0 and at < end:
            self._warn(R.loose_markup, "`--` inside a comment; XML forbids it", Span(at, at + 2))

    def doctype(self, start: int, end: int) -> None:
        names = _ENTITY.findall(self.source[start : min(end, start + (1 << 20))])
        what = f" with {count(len(names), 'entity', 'entities')}" if names else ""
        shown = Span(start, start + len("<!DOCTYPE"))
        self._warn(R.document_type, f"DOCTYPE{what}; model readers ignore it", shown)

    def instruction(self, start: int, end: int) -> None:
        self._characters(self.source[start:end], start)
        head = self.source[start : min(end, start + 400)]
        if not _DECLARATION_HEAD.match(head):
            if not _TARGET.match(head):
                self._warn(
                    R.loose_markup, "missing name at the start of this processing instruction", Span(start, start + 2)
                )
            return
        if start > int(self.source.startswith("\ufeff")):
            self._warn(R.loose_markup, "XML declaration is not at the very start of the file", Span(start, end))
        elif not _DECLARATION.fullmatch(head):
            whole, right = Span(start, end), '<?xml version="1.0"?>'
            edit = None if "encoding" in head else Edit(whole, right)
            message = "malformed XML declaration; strict readers refuse the file"
            self._warn(R.loose_markup, message, whole, edit=edit, title=f"Replace with `{right}`")
        found = _ENCODING.search(head)
        if found and found[1].lower() not in _UNICODE and not found[1].lower().startswith("utf-16"):
            span = Span(start + found.start(1), start + found.end(1))
            message = f"declared encoding `{found[1]}` is not UTF-8; readers assume UTF-8"
            self._warn(R.unusual_encoding, message, span)
