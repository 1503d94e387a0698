"""A reader for one line of a listing, token by token, with the first error."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from irlint.codes import R
from irlint.records import NamedTuple
from irlint.text.base import Edit, Span, Trouble
from irlint.text.listing.parts import LineParts
from irlint.text.safe import brief

ID = "[0-9]{1,99}"  # no listing is longer, and longer numbers would cost
STRING = r"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_STRING = re.compile(STRING)
_ITEM = rf"{ID}|{STRING}"
ITEMS = re.compile(_ITEM)
_REPEATED = "*+" if sys.version_info >= (3, 11) else "*"  # possessive, as backtracking takes 500 bytes per input
ROW = re.compile(  # a valid line: id, operator, and inputs
    rf"[ \t]*({ID})[ \t]+([^\s\[\]'\",]+)[ \t]+\[[ \t]*(?:((?:{_ITEM})(?:[ \t]*,[ \t]*(?:{_ITEM})){_REPEATED})[ \t]*)?\][ \t]*"
)
_RUN = re.compile(rf"(?:[ \t]*(?:{_ITEM})[ \t]*,){{2,}}")
_PIECE = 1 << 16  # characters of a line whose inputs are read together: what the pattern remembers takes memory
_ID = re.compile(ID)
_BLANKS, _UNREAD = re.compile("[ \t]*"), re.compile("[ \t\ufeff]*")
# words up to what ends them
_ID_WORD, _OP_WORD = re.compile(r"[^ \t\[]*"), re.compile(r"[^ \t\[\]'\",]*")
_ITEM_WORD, _QUOTED_WORD = re.compile(r"[^ \t,\])}'\"]*"), re.compile(r"[^,\]]*")
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_.]*")
_NUMBER = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?")
_STRAY_QUOTE = re.compile("['\"][ \t]*[,\\])]")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[nrt'\"\\])")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_TYPE = re.compile(
    r"(?=[ \t,]*[a-z(\[])(?:(?:float|u?int|bfloat|bool)[0-9]*)?[ \t,]*(?:[(\[][0-9 ,?]*[)\]])?"
)  # a dtype, a shape, or both

ORDER = re.compile(r"[ \t]*irlint:[ \t]*ignore(?:\[([^\]]*)\])?")  # a comment that silences findings

_TOKENS = re.compile(r"'(?:[^'\\\r\n]|\\.)*'|\"(?:[^\"\\\r\n]|\\.)*\"|#(?P<comment>[^\r\n]*)")

Item = int | str


def orders(text: str) -> Iterator[tuple[Span, str | None]]:
    """Yield the comments that silence findings, `# irlint: ignore[R401]`, each with its codes."""
    for token in _TOKENS.finditer(text):
        if token["comment"] and (order := ORDER.match(token["comment"])):
            yield Span(*token.span()), order[1]


def comment_trouble(start: int, text: str) -> Trouble:
    message = "comment in a listing; irlint ignores it, readers that split lines at spaces may not"
    return Trouble(R.comment, Span(start, start + len(text)), message, level="info")


class ListingRow(NamedTuple):
    """A node: its line (from 0), id (None if unreadable), operator, and inputs: ids and names."""

    line: int
    id: int | None
    op: str
    inputs: list[Item]
    broken: bool = False  # a trouble was reported on this line

    @property
    def references(self) -> list[int]:
        """Return the inputs that are ids."""
        return [item for item in self.inputs if isinstance(item, int)]


def unquote(token: str) -> str:
    """Return the name in a quoted token, with Python's escapes decoded; other backslashes are kept."""
    return token[1:-1] if "\\" not in token else _ESCAPE.sub(_unescaped, token[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits:
        return chr(int(digits, 16)) if int(digits, 16) <= 0x10FFFF else match[0]
    return _ESCAPES.get(match[0][1], match[0][1])


class LineReader:
    """A reader for one line: spans of all tokens, and the first error."""

    def __init__(self, line: str, start: int) -> None:
        self.line = line
        self.start = start
        self.at = 0
        self.parts = LineParts()
        self.trouble: Trouble | None = None
        self.comment: Trouble | None = None
        self.extra: Span | None = None

    def read(self, number: int) -> ListingRow:
        id_ = self._id()
        op = self._op()
        inputs = list(self._inputs())
        return ListingRow(number, id_, op, inputs, self.trouble is not None)

    @property
    def _sign(self) -> str:
        """Return the next character; a line end, if there is none."""
        return self.line[self.at] if self.at < len(self.line) else "\n"

    def _span(self, start: int, end: int) -> Span:
        return Span(self.start + start, self.start + end)

    def _wrong(self, start: int, end: int, message: str, title: str = "", *edits: Edit) -> None:
        if self.trouble is None:
            repair = (lambda: edits) if edits else None
            self.trouble = Trouble(R.syntax_error, self._span(start, end), message, edits=repair, title=title)

    def _wrong_sign(self, at: int, message: str, title: str, new: str = "") -> None:
        """Report a character that should be another, or none."""
        self._wrong(at, at + 1, message, title, Edit(self._span(at, at + 1), new))

    def _inserted(self, at: int, text: str) -> Edit:
        return Edit(self._span(at, at), text)

    def _skip(self, pattern: re.Pattern[str]) -> int:
        """Go on behind what a pattern, which may match nothing, matches here; return where that is."""
        match = pattern.match(self.line, self.at)
        assert match is not None
        self.at = match.end()
        return self.at

    def _word(self, pattern: re.Pattern[str]) -> tuple[int, int]:
        return self._skip(_UNREAD), self._skip(pattern)

    def _id(self) -> int | None:
        start, end = self._word(_ID_WORD)
        word = self.line[start:end]
        if _ID.fullmatch(word):
            self.parts.whole[("id",)] = self._span(start, end)
            return int(word)
        if _NAME.fullmatch(word):
            self._wrong(start, end, f"missing node id before `{word}`")
            self.at = start
        else:
            got = brief(word or self.line[start:], 40)
            self._wrong(start, self._after(start, end), f"expected a node id (an integer from 0), got `{got}`")
            self.parts.whole[("id",)] = self._span(start, end)
        return None

    def _after(self, start: int, end: int) -> int:
        """Return the end of a word, or of the character where there is none."""
        return max(end, min(start + 1, len(self.line)))

    def _op(self) -> str:
        start, end = self._word(_OP_WORD)
        word = self.line[start:end]
        if word and not word.isdigit():
            self.parts.whole[("op",)] = self._span(start, end)
            return word
        message = "missing operator name between the node id and the inputs"
        self._wrong(start, self._after(start, end), message)
        self.at = start
        return ""

    def _inputs(self) -> Iterator[Item]:
        self._skip(_UNREAD)
        opening, sign = self.at, self._sign
        if sign in "[({":
            self.at += 1
            if sign != "[":
                self._wrong_sign(opening, f"expected `[` before the inputs, got `{sign}`", "Replace with `[`", "[")
        else:
            self._not_opened(opening)
        yield from self._items()
        closing = self._sign
        if closing in "])}":
            if closing != "]":
                self._wrong_sign(self.at, f"expected `]` after the inputs, got `{closing}`", "Replace with `]`", "]")
            self.at += 1
        elif sign == "[":
            end = self._inserted(len(self.line.rstrip()), "]")
            self._wrong(opening, opening + 1, "unclosed list of inputs; missing `]`", "Insert `]`", end)
        self.parts.whole[("inputs",)] = self._span(opening, self.at)
        if closing in "])}":
            self._tail()

    def _not_opened(self, at: int) -> None:
        rest, end = self.line[at:].rstrip(), len(self.line.rstrip())
        opening = self._inserted(at, "[")
        if rest.endswith("]"):
            self._wrong(end - 1, end, "unmatched `]`; missing `[` before the inputs", "Insert `[`", opening)
        elif rest:
            message = "missing `[` and `]` around the inputs"
            self._wrong(at, end, message, "Insert `[` and `]`", opening, self._inserted(end, "]"))
        else:
            last = self.parts.get(("op",)) or self.parts.get(("id",)) or self._span(0, len(self.line))
            message = "missing list of inputs; a node without inputs has `[]`"
            self._wrong(last.start - self.start, last.end - self.start, message)

    def _items(self) -> Iterator[Item]:
        comma = -1  # where the last comma is, if no input follows it
        self._skip(_UNREAD)
        while self._sign not in "])}\n":
            if (run := _RUN.match(self.line, self.at, self.at + _PIECE)) is not None:
                yield from self._sound(run)
                comma, self.at = run.end() - 1, run.end()
            elif self._sign == ",":
                self._wrong_sign(self.at, "missing input before this comma", "Remove `,`")
                self.at += 1
            else:
                start = self.at
                value = self._item()
                end = self.at
                self.parts.add(self._span(start, end))
                yield value
                self._skip(_UNREAD)
                comma = self.at if self._sign == "," else -1
                if comma >= 0:
                    self.at += 1
                elif self._sign not in "])}\n":
                    message = f"missing `,` after `{self.line[start:end]}`"
                    self._wrong(self.at, self.at + 1, message, "Insert `,`", self._inserted(end, ","))
            self._skip(_UNREAD)
        if comma >= 0:
            self._wrong_sign(comma, "trailing comma", "Remove `,`")

    def _sound(self, run: re.Match[str]) -> Iterator[Item]:
        """Yield valid inputs, each followed by a comma."""
        for match in ITEMS.finditer(self.line, *run.span()):
            self.parts.add(self._span(*match.span()))
            item = match[0]
            yield int(item) if item[0] not in "'\"" else unquote(item)

    def _item(self) -> Item:
        start, line = self.at, self.line
        if (quote := line[start]) in "'\"":
            if (end := self._string_end(start)) is not None:
                self.at = end
                return unquote(line[start:end])
            return self._badly_quoted(start, quote)
        self._word(_ITEM_WORD)
        word, quote = line[start : self.at], self._sign
        if quote in "'\"" and not word.isdigit():
            self.at += 1
            message = f"missing opening `{quote}` of the name '{word}'"
            self._wrong(start, self.at, message, f"Insert `{quote}`", self._inserted(start, quote))
        elif _ID.fullmatch(word):
            if _STRAY_QUOTE.match(line, self.at):
                self._wrong_sign(self.at, f"unexpected quote after `{word}`", "Remove the quote")
                self.at += 1
            return int(word)
        elif _NUMBER.fullmatch(word):
            self._wrong(start, self.at, f"expected a node id (an integer from 0), got `{word}`")
        else:
            edits = self._inserted(start, "'"), self._inserted(self.at, "'")
            self._wrong(start, self.at, f"missing quotes around the name '{word}'", "Add quotes", *edits)
        return word

    def _badly_quoted(self, start: int, quote: str) -> str:
        """Read a name up to the next comma or bracket: its closing quote is missing, or there is an unescaped one inside it."""
        self._word(_QUOTED_WORD)
        token = self.line[start : self.at].rstrip()
        self.at = start + len(token)
        closed = len(token) > 1 and token.endswith(quote)
        name = token[1:-1] if closed else token[1:]
        edit, title = Edit(self._span(start, self.at), repr(name)), f"Replace with `{name!r}`"
        message = f"missing closing `{quote}` of the name '{name}'"
        if closed:
            message = f"unescaped `{quote}` in the name '{name}'; readers end the name there"
        elif quote not in name and not name.endswith("\\"):
            edit, title = self._inserted(self.at, quote), f"Insert `{quote}`"
        self._wrong(start, self.at, message, title, edit)
        return name

    def _string_end(self, start: int) -> int | None:
        """Return where a quoted name ends; None if its closing quote is missing."""
        match = _STRING.match(self.line, start)
        if match is None:
            return None
        blanks = _BLANKS.match(self.line, match.end())
        after = self.line[blanks.end() : blanks.end() + 1] if blanks else ""
        return match.end() if after in ",])}'\"0123456789" else None

    def _tail(self) -> None:
        self._skip(_UNREAD)
        rest, mark, comment = self.line[self.at :].partition("#")
        if mark and not ORDER.match(comment):
            self.comment = comment_trouble(self.start + self.at + len(rest), f"#{comment}".rstrip())
        rest = rest.rstrip()
        end = self.at + len(rest)
        if rest in ("]", ")"):
            self._wrong_sign(self.at, f"unexpected `{rest}`", f"Remove `{rest}`")
        elif rest and _TYPE.fullmatch(rest):
            self.extra = self._span(self.at, end)
        elif rest:
            self._wrong(self.at, end, f"unexpected text after the inputs: `{brief(rest, 40)}`")
