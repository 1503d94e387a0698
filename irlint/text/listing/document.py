"""Listings with one node per line, `26 add [17, 'name']`. Spans of tokens are computed on demand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from irlint.codes import R, RuleRow
from irlint.records import dataclass, field
from irlint.text.base import Document, Edit, Path, Place, Span, Trouble
from irlint.text.lines import LINE_END
from irlint.text.listing.breaks import PARTS, joined, nodes_of
from irlint.text.listing.line import ITEMS, ORDER, ROW, Item, LineReader, ListingRow, comment_trouble, unquote
from irlint.text.listing.parts import LineParts, parts_of
from irlint.text.words import count

_LOOKS_LIKE_ROW = re.compile(r"[\ufeff \t]*[0-9]|.*\[.*\]")
_BAD_BYTES = re.compile("[\udc80-\udcff]+")
_ZERO = re.compile(r"(?<![^\s,\[])0[0-9]+(?=[\s,\]])")  # a number that begins with 0, perhaps inside of a name
_PADDED = re.compile("0[0-9]+")
_HEADER = re.compile(r"[\ufeff \t]*(?:#|n_?id\b|node_?id\b|id\b)", re.IGNORECASE)


@dataclass
class ListingDocument(Document):
    """A listing. Blank lines and comments from # on are skipped.

    Paths: (k,) the k-th node, (k, "id"), (k, "op"), (k, "inputs"), (k, "inputs", j). `header` is the text
    before the first node.

    `extras` are spans of dtypes and shapes behind a node's list: readable, but no part of such a line.
    """

    rows: list[ListingRow] = field(default_factory=list)
    shared: dict[int, Span] = field(default_factory=dict)  # spans of nodes that share a line, by row
    extras: list[tuple[int, Span]] = field(default_factory=list)

    syntax = "listing"

    def __post_init__(self) -> None:
        self._asked: tuple[int, LineParts] | None = None
        self._encoding()
        lines = LINE_END.split(self.text) if "\r" in self.text else self.text.split("\n")
        lines[0] = lines[0].removeprefix("\ufeff")
        add, following = self.rows.append, 0  # the first line that belongs to no node above it
        for number, match in enumerate(map(ROW.fullmatch, lines)):
            if number < following:
                continue
            if match is not None:
                add(_row(number, *match.groups()))
            elif lines[number].strip().strip("\ufeff"):
                following = self._odd_line(number)
        if _ZERO.search(self.text):
            self._zeros(lines)

    def _zeros(self, lines: Sequence[str]) -> None:
        """Report all padded ids in one finding: who pads one id pads many."""
        padded = [row.line for row in self.rows if _ZERO.search(lines[row.line]) and ROW.fullmatch(lines[row.line])]
        edits = [edit for number in padded for edit in self._unpadded(number)]
        if edits:
            span = edits[0].span
            more = f" ({count(len(edits), 'id')} affected)" if len(edits) > 1 else ""
            word = self.text[span.start : span.end]
            message = f"node id `{word}` has leading zeros; readers that compare ids as text do not find it{more}"
            title = "Remove leading zeros of ids"
            self._trouble(R.unusual_number, span, message, edits, title, level="warning")

    def _unpadded(self, number: int) -> list[Edit]:
        """Return edits that remove leading zeros from the ids of a line."""
        reader = self._read_line(number)
        spans = [*filter(None, [reader.parts.get(("id",))]), *map(Span, reader.parts.starts, reader.parts.ends)]
        words = [(span, self.text[span.start : span.end]) for span in spans]
        return [Edit(span, word.lstrip("0") or "0") for span, word in words if _PADDED.fullmatch(word)]

    def _read_line(self, number: int) -> LineReader:
        start = self.lines.starts[number]
        start += number == 0 and self.text.startswith("\ufeff")
        reader = LineReader(self.lines.line(number + 1).removeprefix("\ufeff"), start)
        reader.read(number)
        return reader

    def _trouble(
        self, rule: RuleRow, span: Span, message: str, edits: Sequence[Edit] = (), title: str = "", **more: Any
    ) -> None:
        repair = (lambda: edits) if edits else None
        self.troubles.append(Trouble(rule, span, message, edits=repair, title=title, **more))

    def _encoding(self) -> None:
        if not self.text.strip().strip("\ufeff"):
            self._trouble(R.empty_file, Span(0, 0), "the file is empty")
            return
        if self.text.startswith("\ufeff"):
            mark, message = Span(0, 1), "the file starts with a byte order mark; listing readers do not expect it"
            self._trouble(R.byte_order_mark, mark, message, (Edit(mark, ""),), "Remove the byte order mark")
        if not self.text.isascii() and (bad := _BAD_BYTES.search(self.text)):
            shown = " ".join(f"0x{ord(char) - 0xDC00:02X}" for char in bad[0][:4])
            words = f"bytes {shown} are" if len(bad[0]) > 1 else f"byte {shown} is"
            self._trouble(R.invalid_utf8, Span(*bad.span()), f"{words} not valid UTF-8")

    def _odd_line(self, number: int) -> int:
        """Read a title or an irregular line; return the number of the line after it."""
        line, start = self.lines.line(number + 1), self.lines.starts[number]
        if not self.rows and (_HEADER.match(line) or not _LOOKS_LIKE_ROW.match(line)):
            return number + 1
        if line.lstrip().startswith("#"):
            mark = line.index("#")
            if not ORDER.match(line, mark + 1):
                self.troubles.append(comment_trouble(start + mark, line[mark:].rstrip()))
        elif several := nodes_of(line, start, self.newline):
            found, trouble = several
            for match in found:
                end = start + match.start() + len(match[0].rstrip())
                self.shared[len(self.rows)] = Span(start + match.start(1), end)
                self.rows.append(_row(number, *match.groups()))
            self.troubles.append(trouble)
        elif torn := joined(self._lines_from(number), self._next_id()):
            self.rows.append(_row(number, *torn.row.groups())._replace(broken=True))
            self.troubles.append(torn.trouble)
            return number + torn.lines
        else:
            self._irregular(number, line, start)
        return number + 1

    def _irregular(self, number: int, line: str, start: int) -> None:
        reader = LineReader(line, start)
        self.rows.append(reader.read(number))
        self.troubles += filter(None, (reader.comment, reader.trouble))
        if reader.extra and not reader.trouble:
            self.extras.append((len(self.rows) - 1, reader.extra))

    def _next_id(self) -> int:
        last = self.rows[-1].id if self.rows else -1
        return -1 if last is None else last + 1

    def _lines_from(self, number: int) -> list[tuple[int, str]]:
        """Return a line and the lines after it, as many as one node can span."""
        starts = self.lines.starts
        numbers = range(number, min(number + PARTS, len(starts)))
        return [(starts[n], self.lines.line(n + 1)) for n in numbers]

    @cached_property
    def readable(self) -> int:
        """Return the number of nodes with an id and an operator."""
        return sum(map(_is_readable, self.rows))

    def line_span(self, row: int) -> Span:
        """Return the span of a node's line without surrounding spaces, or of its part of a shared line."""
        if row in self.shared:
            return self.shared[row]
        number = self.rows[row].line
        line = self.lines.line(number + 1)
        start = self.lines.starts[number] + len(line) - len(line.lstrip("\ufeff \t"))
        return Span(start, start + len(line.strip("\ufeff \t")))

    def whole_line(self, row: int) -> Span:
        """Return the span to delete to remove a node: its line with its line break, or the one before the last line."""
        if row in self.shared:
            raise LookupError("the line has other nodes, too")
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
        parts = self._parts(path[0], whole)
        found = parts.get(path[1:]) or parts.get(path[1:2]) or whole
        if (
            place.inner is not None
            and self.text[found.start] in "'\""
            and "\\" not in self.text[found.start : found.end]
        ):
            return Span(found.start + 1 + place.inner[0], found.start + 1 + place.inner[1])
        return found

    def whole(self, path: Path) -> Span:
        row = path[0] if len(path) == 1 else None
        return self.line_span(row) if isinstance(row, int) and 0 <= row < len(self.rows) else self.span(Place(path))

    def start(self, path: Path) -> int:
        row = path[0] if len(path) == 1 else None
        return self._start(row) if isinstance(row, int) and 0 <= row < len(self.rows) else super().start(path)

    def starts(self, path: Path) -> Sequence[int] | None:
        if path or self.shared:
            return None
        starts = self.lines.starts
        return [starts[row.line] for row in self.rows]

    def _start(self, row: int) -> int:
        return self.shared[row].start if row in self.shared else self.lines.starts[self.rows[row].line]

    def _parts(self, row: int, whole: Span) -> LineParts:
        """Return the parts of a node's line. Those of the last line are cached: many findings may be in one line."""
        if self._asked is None or self._asked[0] != row:
            self._asked = row, _parts(self.text[whole.start : whole.end], whole.start)
        return self._asked[1]

    def place_at(self, offset: int) -> Place:
        line = bisect_right(self.lines.starts, offset) - 1
        row = bisect_right(range(len(self.rows)), offset, key=self._start) - 1
        if row < 0 or self.rows[row].line != line:
            return Place(())
        whole = self.line_span(row)
        return Place((row, *(self._parts(row, whole).at(offset) or ())))

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
        """Return the text before the first node."""
        return self.text[: self.lines.starts[self.rows[0].line]] if self.rows else self.text

    @cached_property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\r" if "\r" in self.text else "\n"

    @property
    def quote(self) -> str:
        """Return the quotation mark of the first name."""
        found = re.search(r"\[[^['\"\r\n]*(['\"])", self.text)
        return found[1] if found else "'"


def _is_readable(row: ListingRow) -> bool:
    return row.id is not None and bool(row.op)


_made: Callable[[type[ListingRow], tuple[Any, ...]], ListingRow] = tuple.__new__


def _row(number: int, id_: str, op: str, items: str | None) -> ListingRow:
    """Return the node of a valid line."""
    if items is None:
        inputs: list[Item] = []
    elif items.isdecimal():
        inputs = [int(items)]
    else:
        inputs = [int(item) if item[0] not in "'\"" else unquote(item) for item in ITEMS.findall(items)]
    return _made(ListingRow, (number, int(id_), op, inputs, False))


def _parts(line: str, start: int) -> LineParts:
    """Return the parts of a line, by a fast path if it is valid."""
    if (row := ROW.fullmatch(line.rstrip("\r\n"))) is not None and not row[2].isdigit():
        return parts_of(row, ITEMS, start)
    reader = LineReader(line, start)
    reader.read(0)
    return reader.parts
