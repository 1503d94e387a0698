"""Listings: one node a line, `26 add [17, 'name']`. Values at once, spans of single tokens on demand."""

from __future__ import annotations

import re
from ast import literal_eval
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from irlint.text.base import Document, Edit, Path, Place, Span, Trouble

_STRING = r"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_ITEM = rf"[0-9]+|{_STRING}"
_ROW = re.compile(
    rf"[ \t]*([0-9]+)[ \t]+([^\s\[\]'\",]+)[ \t]+\[[ \t]*((?:(?:{_ITEM})(?:[ \t]*,[ \t]*(?:{_ITEM}))*)?)[ \t]*\][ \t]*"
)
_ITEMS = re.compile(_ITEM)
_LOOKS_LIKE_ROW = re.compile(r"[\ufeff \t]*[0-9]|.*\[.*\]")
_HEADER = re.compile(r"[\ufeff \t]*(?:#|n_?id\b|node_?id\b|id\b)", re.IGNORECASE)
_TYPE = re.compile(r"(?P<dtype>(?:float|u?int|bfloat|bool)[0-9]*)?[ \t,]*(?P<shape>[(\[][0-9 ,?]*[)\]])?")

Item = int | str


class Row(NamedTuple):
    """One node: the line it stands on (counted from 0), its id (None where unreadable), operator, and inputs: ids and
    names.
    """

    line: int
    id: int | None
    op: str
    inputs: list[Item]
    broken: bool = False  # a trouble was reported on this line


@dataclass
class ListingDocument(Document):
    """Paths: (k,) the k-th node, (k, "id"), (k, "op"), (k, "inputs"), (k, "inputs", j). `header` holds what stands
    above the first node.

    `extras` are spans of dtypes and shapes behind a node's list: readable, but no part of such a line.
    """

    rows: list[Row] = field(default_factory=list)
    extras: list[tuple[int, Span]] = field(default_factory=list)

    syntax = "listing"

    def __post_init__(self) -> None:
        starts, text, row_at, rows = self.lines.starts, self.text, _ROW.match, self.rows
        ends = [*starts[1:], len(text)]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            line = text[start:end].rstrip("\r\n")
            if number == 0:
                line = line.removeprefix("\ufeff")
            if (match := row_at(line)) and match.end() == len(line):
                rows.append(Row(number, int(match[1]), match[2], _values(match[3])))
            elif line.strip():
                self._odd_line(number, text[start:end].rstrip("\r\n"), start)

    def _odd_line(self, number: int, line: str, start: int) -> None:
        """A title above the nodes, or a line that is not quite a node."""
        if not self.rows and (_HEADER.match(line) or not _LOOKS_LIKE_ROW.match(line)):
            return
        reader = _LineReader(line, start)
        row = reader.read(number)
        self.rows.append(row)
        if reader.trouble:
            self.troubles.append(reader.trouble)
        elif reader.extra:
            self.extras.append((len(self.rows) - 1, reader.extra))

    def line_span(self, row: int) -> Span:
        """The node's line without blanks around it."""
        number = self.rows[row].line
        line = self.lines.line(number + 1)
        start = self.lines.starts[number] + len(line) - len(line.lstrip("\ufeff \t"))
        return Span(start, start + len(line.strip("\ufeff \t")))

    def whole_line(self, row: int) -> Span:
        """The node's line with its end, or with the end before it if it is the last: what to delete."""
        number, starts = self.rows[row].line, self.lines.starts
        if number + 1 < len(starts):
            return Span(starts[number], starts[number + 1])
        start = starts[number]
        while start and self.text[start - 1] in "\r\n":
            start -= 1
        return Span(start, len(self.text))

    def span(self, place: Place) -> Span:
        path = place.path
        if not path or not isinstance(path[0], int) or not 0 <= path[0] < len(self.rows):
            return Span(0, len(self.text))
        whole = self.line_span(path[0])
        if len(path) == 1:
            return whole
        reader = _LineReader(self.text[whole.start : whole.end], whole.start)
        reader.read(0)
        found = reader.spans.get(path[1:]) or reader.spans.get(path[1:2]) or whole
        if (
            place.inner is not None
            and self.text[found.start] in "'\""
            and "\\" not in self.text[found.start : found.end]
        ):
            return Span(found.start + 1 + place.inner[0], found.start + 1 + place.inner[1])
        return found

    def place_at(self, offset: int) -> Place:
        line = bisect_right(self.lines.starts, offset) - 1
        row = bisect_right(self.rows, line, key=lambda r: r.line) - 1
        if row < 0 or self.rows[row].line != line:
            return Place(())
        whole = self.line_span(row)
        reader = _LineReader(self.text[whole.start : whole.end], whole.start)
        reader.read(0)
        inside = [
            (span.end - span.start, path) for path, span in reader.spans.items() if span.start <= offset <= span.end
        ]
        return Place((row, *min(inside)[1])) if inside else Place((row,))

    def pointer(self, path: Path) -> str:
        return "".join(f"/{step}" for step in path)

    def value_at(self, path: Path) -> Any:
        rows: list[Any] = [{"id": row.id, "op": row.op, "inputs": row.inputs} for row in self.rows]
        value: Any = rows
        for step in path:
            value = value[step]
        return value

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        text = str(value) if isinstance(value, int) or place.path[1:] == ("op",) else repr(value)
        return (Edit(self.span(place), text),)

    @property
    def header(self) -> str:
        """What stands above the first node."""
        return self.text[: self.lines.starts[self.rows[0].line]] if self.rows else self.text

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\r" if "\r" in self.text else "\n"

    @property
    def quote(self) -> str:
        """The quotation mark that the first name is written in."""
        found = re.search(r"\[[^'\"\r\n]*(['\"])", self.text)
        return found[1] if found else "'"


def _values(items: str) -> list[Item]:
    return [int(item) if item[0] not in "'\"" else _unquote(item) for item in _ITEMS.findall(items)]


def _unquote(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        return str(literal_eval(token))
    except (SyntaxError, ValueError):
        return token[1:-1]


class _LineReader:
    """Reads one line token by token: spans of all that is there, and the first thing that is wrong."""

    def __init__(self, line: str, start: int) -> None:
        self.line = line
        self.start = start
        self.at = 0
        self.spans: dict[Path, Span] = {}
        self.trouble: Trouble | None = None
        self.extra: Span | None = None

    def read(self, number: int) -> Row:
        id_ = self._id()
        op = self._op()
        inputs = list(self._inputs())
        return Row(number, id_, op, inputs, self.trouble is not None)

    def _span(self, start: int, end: int) -> Span:
        return Span(self.start + start, self.start + end)

    def _wrong(self, start: int, end: int, message: str, edits: tuple[Edit, ...] = (), title: str = "") -> None:
        if self.trouble is None:
            self.trouble = Trouble(
                "syntax-error", self._span(start, end), message, edits=(lambda: edits) if edits else None, title=title
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
        if re.fullmatch("[0-9]+", word):
            self.spans[("id",)] = self._span(start, end)
            return int(word)
        if re.fullmatch("[A-Za-z_][A-Za-z0-9_.]*", word):
            self._wrong(start, end, f"the line begins with {word}; a node's id is missing in front of it")
            self.at = start
        else:
            self._wrong(
                start,
                max(end, start + 1),
                f"{word or self.line[start:]!s} is no node id; a line begins with a whole number, counted from 0",
            )
            self.spans[("id",)] = self._span(start, end)
        return None

    def _op(self) -> str:
        start, end = self._word(" \t[]'\",")
        word = self.line[start:end]
        if not word or word.isdigit():
            self._wrong(
                start,
                max(end, min(start + 1, len(self.line))),
                "an operator name such as nn.conv2d is missing between the id and the list of inputs",
            )
            if word:
                self.at = start
            return ""
        self.spans[("op",)] = self._span(start, end)
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
                f"the list of inputs opens with {rest[0]} instead of [",
                (Edit(self._span(opening, opening + 1), "["),),
                "replace by [",
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
                    f"the list of inputs closes with {self.line[self.at]} instead of ]",
                    (Edit(self._span(self.at, self.at + 1), "]"),),
                    "replace by ]",
                )
            self.at += 1
            self.spans[("inputs",)] = self._span(opening, self.at)
            self._tail()
        else:
            self.spans[("inputs",)] = self._span(opening, max(opening, self.at))
            if opened:
                end = len(self.line.rstrip())
                self._wrong(
                    opening,
                    opening + 1,
                    "the list of inputs is opened here and never closed with ]",
                    (Edit(self._span(end, end), "]"),),
                    "insert ]",
                )

    def _not_opened(self, at: int, rest: str) -> None:
        end = len(self.line.rstrip())
        if rest.rstrip().endswith("]"):
            self._wrong(
                end - 1,
                end,
                "this ] closes a list of inputs that was never opened with [",
                (Edit(self._span(at, at), "["),),
                "insert [",
            )
        elif rest.strip():
            edits = (Edit(self._span(at, at), "["), Edit(self._span(end, end), "]"))
            self._wrong(at, end, "the inputs must stand in a list: [...]", edits, "put brackets around them")
        else:
            at = len(self.line)
            last = self.spans.get(("op",)) or self.spans.get(("id",)) or self._span(0, at)
            self._wrong(
                last.start - self.start,
                last.end - self.start,
                "the line ends without a list of inputs, [] where there are none",
            )

    def _items(self) -> Iterator[Item]:
        index = 0
        comma = -1  # where the last comma stands
        while True:
            self._blanks()
            if self.at >= len(self.line) or self.line[self.at] in "])}":
                if comma >= 0:
                    self._wrong(
                        comma,
                        comma + 1,
                        "no input follows this comma",
                        (Edit(self._span(comma, comma + 1), ""),),
                        "remove the comma",
                    )
                return
            if self.line[self.at] == ",":
                self._wrong(
                    self.at,
                    self.at + 1,
                    "an input is missing in front of this comma",
                    (Edit(self._span(self.at, self.at + 1), ""),),
                    "remove the comma",
                )
                self.at += 1
                continue
            start = self.at
            value = self._item()
            self.spans[("inputs", index)] = self._span(start, self.at)
            index += 1
            yield value
            comma = -1
            self._blanks()
            if self.at < len(self.line) and self.line[self.at] == ",":
                comma = self.at
                self.at += 1
            elif self.at < len(self.line) and self.line[self.at] not in "])}":
                before = self._span(start, start).start
                end = self.spans[("inputs", index - 1)].end
                self._wrong(
                    self.at,
                    self.at + 1,
                    f"a comma is missing after {self.text_of(before, end)}",
                    (Edit(Span(end, end), ","),),
                    "insert a comma",
                )

    def text_of(self, start: int, end: int) -> str:
        return self.line[start - self.start : end - self.start]

    def _item(self) -> Item:
        start, line = self.at, self.line
        quote = line[start]
        if quote in "'\"":
            if (end := self._string_end(start)) is not None:
                self.at = end
                return _unquote(line[start:end])
            self._word(",]")
            self.at = len(line[: self.at].rstrip())
            name = line[start + 1 : self.at]
            edit = Edit(self._span(self.at, self.at), quote)
            self._wrong(
                start, self.at, f"the name {name} is opened with {quote} and never closed", (edit,), f"insert {quote}"
            )
            return name
        self._word(" \t,])}'\"")
        word = line[start : self.at]
        if self.at < len(line) and line[self.at] in "'\"" and not word.isdigit():
            quote = line[self.at]
            self.at += 1
            edit = Edit(self._span(start, start), quote)
            self._wrong(
                start, self.at, f"the name {word} is closed with {quote} and never opened", (edit,), f"insert {quote}"
            )
        elif re.fullmatch("[0-9]+", word):
            return int(word)
        elif re.fullmatch(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?", word):
            self._wrong(start, self.at, f"{word} is no node id: ids are whole numbers from 0")
        else:
            edits = (Edit(self._span(start, start), "'"), Edit(self._span(self.at, self.at), "'"))
            self._wrong(
                start, self.at, f"the name {word} must stand in quotes: '{word}'", edits, "put quotes around it"
            )
        return word

    def _string_end(self, start: int) -> int | None:
        """Where a quoted name ends; None if its closing quote is missing, so that it seems to swallow what follows."""
        match = re.compile(_STRING).match(self.line, start)
        if match is None:
            return None
        after = self.line[match.end() :].lstrip(" \t")
        return match.end() if not after or after[0] in ",])}'\"0123456789" else None

    def _tail(self) -> None:
        self._blanks()
        rest = self.line[self.at :].rstrip()
        if not rest:
            return
        kind = _TYPE.fullmatch(rest)
        if kind and (kind["dtype"] or kind["shape"]):
            self.extra = self._span(self.at, self.at + len(rest))
        elif rest in ("]", ")"):
            self._wrong(
                self.at, self.at + 1, "one ] too many", (Edit(self._span(self.at, self.at + 1), ""),), f"remove {rest}"
            )
        else:
            self._wrong(self.at, self.at + len(rest), f"nothing may follow the list of inputs, but {rest} does")
