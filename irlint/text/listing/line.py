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
_BLANKS = re.compile("[ \t]*")
_STRAY_QUOTE = re.compile("['\"][ \t]*[,\\])]")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[nrt'\"\\])")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_TYPE = re.compile(r"(?P<dtype>(?:float|u?int|bfloat|bool)[0-9]*)?[ \t,]*(?P<shape>[(\[][0-9 ,?]*[)\]])?")

ORDER = re.compile(r"[ \t]*irlint:[ \t]*ignore(?:\[([^\]]*)\])?")  # a comment that silences findings

Item = int | str


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

    def _span(self, start: int, end: int) -> Span:
        return Span(self.start + start, self.start + end)

    def _wrong(self, start: int, end: int, message: str, edits: tuple[Edit, ...] = (), title: str = "") -> None:
        if self.trouble is None:
            self.trouble = Trouble(
                R.syntax_error, self._span(start, end), message, edits=(lambda: edits) if edits else None, title=title
            )

    def _blanks(self) -> None:
        while self.at < len(self.line) and self.line[self.at] in " \t\ufeff":
            self.at += 1

    def _word(self, stops: str) -> tuple[int, int]:
        self._blanks()
        start = self.at
        while self.at < len(self.line) and self.line[self.at] not in stops:
            self.at += 1
        return start, self.at

    def _id(self) -> int | None:
        start, end = self._word(" \t[")
        word = self.line[start:end]
        if _ID.fullmatch(word):
            self.parts.whole[("id",)] = self._span(start, end)
            return int(word)
        if re.fullmatch("[A-Za-z_][A-Za-z0-9_.]*", word):
            self._wrong(start, end, f"missing node id before `{word}`")
            self.at = start
        else:
            self._wrong(
                start,
                max(end, min(start + 1, len(self.line))),
                f"expected a node id (an integer from 0), got `{brief(word or self.line[start:], 40)}`",
            )
            self.parts.whole[("id",)] = self._span(start, end)
        return None

    def _op(self) -> str:
        start, end = self._word(" \t[]'\",")
        word = self.line[start:end]
        if not word or word.isdigit():
            self._wrong(
                start,
                max(end, min(start + 1, len(self.line))),
                "missing operator name between the node id and the inputs",
            )
            if word:
                self.at = start
            return ""
        self.parts.whole[("op",)] = self._span(start, end)
        return word

    def _inputs(self) -> Iterator[Item]:
        self._blanks()
        opening = self.at
        rest = self.line[opening:]
        opened = rest[:1] == "["
        if opened:
            self.at += 1
        elif rest[:1] in ("(", "{"):
            self._wrong(
                opening,
                opening + 1,
                f"expected `[` before the inputs, got `{rest[0]}`",
                (Edit(self._span(opening, opening + 1), "["),),
                "Replace with `[`",
            )
            self.at += 1
        else:
            self._not_opened(opening, rest)
        yield from self._items()
        self._blanks()
        if self.at < len(self.line) and self.line[self.at] in "])}":
            if self.line[self.at] != "]":
                self._wrong(
                    self.at,
                    self.at + 1,
                    f"expected `]` after the inputs, got `{self.line[self.at]}`",
                    (Edit(self._span(self.at, self.at + 1), "]"),),
                    "Replace with `]`",
                )
            self.at += 1
            self.parts.whole[("inputs",)] = self._span(opening, self.at)
            self._tail()
        else:
            self.parts.whole[("inputs",)] = self._span(opening, max(opening, self.at))
            if opened:
                end = len(self.line.rstrip())
                self._wrong(
                    opening,
                    opening + 1,
                    "unclosed list of inputs; missing `]`",
                    (Edit(self._span(end, end), "]"),),
                    "Insert `]`",
                )

    def _not_opened(self, at: int, rest: str) -> None:
        end = len(self.line.rstrip())
        if rest.rstrip().endswith("]"):
            self._wrong(
                end - 1,
                end,
                "unmatched `]`; missing `[` before the inputs",
                (Edit(self._span(at, at), "["),),
                "Insert `[`",
            )
        elif rest.strip():
            edits = (Edit(self._span(at, at), "["), Edit(self._span(end, end), "]"))
            self._wrong(at, end, "missing `[` and `]` around the inputs", edits, "Insert `[` and `]`")
        else:
            at = len(self.line)
            last = self.parts.get(("op",)) or self.parts.get(("id",)) or self._span(0, at)
            self._wrong(
                last.start - self.start,
                last.end - self.start,
                "missing list of inputs; a node without inputs has `[]`",
            )

    def _items(self) -> Iterator[Item]:
        comma = -1  # where the last comma stands
        while True:
            self._blanks()
            if (run := _RUN.match(self.line, self.at, self.at + _PIECE)) is not None:
                yield from self._sound(run)
                comma, self.at = run.end() - 1, run.end()
                continue
            if self.at >= len(self.line) or self.line[self.at] in "])}":
                if comma >= 0:
                    self._wrong(
                        comma,
                        comma + 1,
                        "trailing comma",
                        (Edit(self._span(comma, comma + 1), ""),),
                        "Remove `,`",
                    )
                return
            if self.line[self.at] == ",":
                self._wrong(
                    self.at,
                    self.at + 1,
                    "missing input before this comma",
                    (Edit(self._span(self.at, self.at + 1), ""),),
                    "Remove `,`",
                )
                self.at += 1
                continue
            start = self.at
            value = self._item()
            self.parts.add(self._span(start, self.at))
            yield value
            comma = -1
            self._blanks()
            if self.at < len(self.line) and self.line[self.at] == ",":
                comma = self.at
                self.at += 1
            elif self.at < len(self.line) and self.line[self.at] not in "])}":
                before = self._span(start, start).start
                end = self.parts.ends[-1]
                self._wrong(
                    self.at,
                    self.at + 1,
                    f"missing `,` after `{self.text_of(before, end)}`",
                    (Edit(Span(end, end), ","),),
                    "Insert `,`",
                )

    def _sound(self, run: re.Match[str]) -> Iterator[Item]:
        """Yield valid inputs, each followed by a comma."""
        start, starts, ends = self.start, self.parts.starts, self.parts.ends
        for match in ITEMS.finditer(self.line, *run.span()):
            starts.append(start + match.start())
            ends.append(start + match.end())
            item = match[0]
            yield int(item) if item[0] not in "'\"" else unquote(item)

    def text_of(self, start: int, end: int) -> str:
        return self.line[start - self.start : end - self.start]

    def _item(self) -> Item:
        start, line = self.at, self.line
        quote = line[start]
        if quote in "'\"":
            if (end := self._string_end(start)) is not None:
                self.at = end
                return unquote(line[start:end])
            return self._badly_quoted(start, quote)
        self._word(" \t,])}'\"")
        word = line[start : self.at]
        if self.at < len(line) and line[self.at] in "'\"" and not word.isdigit():
            quote = line[self.at]
            self.at += 1
            edit = Edit(self._span(start, start), quote)
            self._wrong(start, self.at, f"missing opening `{quote}` of the name '{word}'", (edit,), f"Insert `{quote}`")
        elif _ID.fullmatch(word):
            if self.at < len(line) and _STRAY_QUOTE.match(line, self.at):
                edit = Edit(self._span(self.at, self.at + 1), "")
                self._wrong(self.at, self.at + 1, f"unexpected quote after `{word}`", (edit,), "Remove the quote")
                self.at += 1
            return int(word)
        elif re.fullmatch(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?", word):
            self._wrong(start, self.at, f"expected a node id (an integer from 0), got `{word}`")
        else:
            edits = (Edit(self._span(start, start), "'"), Edit(self._span(self.at, self.at), "'"))
            self._wrong(start, self.at, f"missing quotes around the name '{word}'", edits, "Add quotes")
        return word

    def _badly_quoted(self, start: int, quote: str) -> str:
        """Read a name up to the next comma or bracket: its closing quote is missing, or there is an unescaped one inside it."""
        self._word(",]")
        token = self.line[start : self.at].rstrip()
        self.at = start + len(token)
        closed = len(token) > 1 and token.endswith(quote)
        name = token[1:-1] if closed else token[1:]
        end = self._span(self.at, self.at)
        whole = Edit(self._span(start, self.at), repr(name))
        if closed:
            message = f"unescaped `{quote}` in the name '{name}'; readers end the name there"
            self._wrong(start, self.at, message, (whole,), f"Replace with `{whole.text}`")
        else:
            simple = quote not in name and not name.endswith("\\")
            message = f"missing closing `{quote}` of the name '{name}'"
            edit, title = (Edit(end, quote), f"Insert `{quote}`") if simple else (whole, f"Replace with `{whole.text}`")
            self._wrong(start, self.at, message, (edit,), title)
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
        self._blanks()
        rest, mark, comment = self.line[self.at :].partition("#")
        if mark and not ORDER.match(comment):
            self.comment = comment_trouble(self.start + self.at + len(rest), f"#{comment}".rstrip())
        rest = rest.rstrip()
        if not rest:
            return
        kind = _TYPE.fullmatch(rest)
        if kind and (kind["dtype"] or kind["shape"]):
            self.extra = self._span(self.at, self.at + len(rest))
        elif rest in ("]", ")"):
            self._wrong(
                self.at,
                self.at + 1,
                f"unexpected `{rest}`",
                (Edit(self._span(self.at, self.at + 1), ""),),
                f"Remove `{rest}`",
            )
        else:
            self._wrong(self.at, self.at + len(rest), f"unexpected text after the inputs: `{brief(rest, 40)}`")
