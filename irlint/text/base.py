"""What every document has in common: places, spans, lines, and edits of its text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence, Set
from functools import cached_property
from itertools import accumulate, count
from operator import add
from typing import Any, Literal

from irlint.codes import R, RuleRow
from irlint.records import NamedTuple, dataclass, field
from irlint.text.far_lines import LINE_END, FarStarts, count_line_ends
from irlint.text.line_blocks import LineBlocks

Step = str | int
Path = tuple[Step, ...]
Level = Literal["error", "warning", "info"]


class Span(NamedTuple):
    """A half-open range of the document's text, in code points."""

    start: int
    end: int


class Place(NamedTuple):
    """A part of a document, named by its path; it costs nothing until a finding asks for its span.

    JSON paths hold keys and indices; XML paths hold the index of each child element below the root.
    `part` says which token is meant. JSON: "value", "key", "member" (key and value), "open" (the first character of the
    value: a bracket). XML: "element" (start tag to end tag), "tag" (the start tag), "name" (the tag's name), "text", "@x"
    (the value of attribute x without its quotes), "@x.name" and "@x.member". `inner` narrows a string, text or attribute
    value to a range of its decoded characters.
    """

    path: Path
    part: str = "value"
    inner: tuple[int, int] | None = None


class Position(NamedTuple):
    """1-based line and column; columns count code points."""

    line: int
    column: int


class Edit(NamedTuple):
    """Replace the text at `span` by `text`."""

    span: Span
    text: str


class Change(NamedTuple):
    """Characters `start` to `end` became `size` other characters."""

    start: int
    end: int
    size: int

    @property
    def delta(self) -> int:
        return self.size - (self.end - self.start)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits made; the caller sees to it that they do not overlap."""
    pieces, at = [], 0
    for span, new in sorted(edits):
        pieces += [text[at : span.start], new]
        at = span.end
    pieces.append(text[at:])
    return "".join(pieces)


@dataclass(slots=True)
class Trouble:
    """What the reader of a syntax had to say: the name of a syntax rule, where, and in which words."""

    rule: RuleRow
    span: Span
    message: str
    related: Sequence[tuple[str, Span]] = ()
    edits: Callable[[], Sequence[Edit]] | None = None  # a repair, worked out only on demand
    title: str = ""  # what that repair does
    safety: Literal["safe", "unsafe"] = "safe"
    level: Level | None = None  # where the format's own parser takes it milder or harder than the rule says


MANY_LINES = 2_000_000  # from which on their starts are not kept in a list
NEAR = 1000  # characters between two offsets that are looked through for a line end


class Lines:
    """Line starts of a text. Lines end at LF, CRLF and CR only, as editors and the language server protocol have it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def starts(self) -> Sequence[int]:
        if len(self.text) > MANY_LINES and count_line_ends(self.text) > MANY_LINES:
            return FarStarts(self.text)
        if "\r" in self.text:
            return [0, *(m.end() for m in LINE_END.finditer(self.text))]
        lengths = map(len, self.text.split("\n"))
        return list(map(add, accumulate(lengths, initial=0), count()))[:-1]

    @cached_property
    def _blocks(self) -> LineBlocks | None:
        return None if "starts" in self.__dict__ or "\r" in self.text else LineBlocks(self.text)

    @property
    def count(self) -> int:
        return len(self.starts) if self._blocks is None else self._blocks.count

    def start(self, number: int) -> int:
        """Where a line begins that there is; for a few it does not take the list of all."""
        return self.starts[number - 1] if self._blocks is None else self._blocks.start(number)

    @cached_property
    def at(self) -> Callable[[int], tuple[int, int]]:
        """The number of the line that an offset is on, and where that line begins."""
        return self._listed if self._blocks is None else self._blocks.line

    def _listed(self, offset: int) -> tuple[int, int]:
        starts = self.starts
        line = starts.rank(offset) if isinstance(starts, FarStarts) else bisect_right(starts, offset)
        return line, starts[line - 1]

    def position(self, offset: int) -> Position:
        line, start = self.at(offset)
        if line == 1 and self.text.startswith("\ufeff") and offset > 0:
            start = 1  # a byte order mark is no column that an editor shows
        return Position(line, offset - start + 1)

    def positions(self, start: int, end: int) -> tuple[Position, Position]:
        """Those of two offsets, in order."""
        first = line, column = self.position(start)
        if 0 < start <= end < start + NEAR:
            between = self.text[start:end]
            if "\n" not in between and "\r" not in between:
                return first, Position(line, column + end - start)
        return first, self.position(end)

    def offset(self, line: int, column: int) -> int:
        start = self.starts[line - 1]
        if line == 1 and self.text.startswith("\ufeff"):
            start = 1
        return min(start + column - 1, len(self.text))

    def line(self, number: int) -> str:
        """The text of a line without its end."""
        start = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


def text_end(text: str, token: Span) -> Span:
    """Where a text that is cut off ends: its last token, or behind the blanks of its last line if it stands above that."""
    end = len(text)
    if text.endswith(("\n", "\r")):
        end -= 2 if text.endswith("\r\n") else 1
    return Span(end, end) if LINE_END.search(text, token.end, end) else token


def decode(data: bytes) -> tuple[str, str]:
    """Text and encoding of a file's bytes. Bytes that are no UTF-8 become lone surrogates, so that nothing is lost."""
    if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        encoding = "utf-32-le" if data[0] == 0xFF else "utf-32-be"
    elif data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16-le" if data[0] == 0xFF else "utf-16-be"
    else:
        return data.decode("utf-8", "surrogateescape"), "utf-8"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape"), "utf-8"


def encode(text: str, encoding: str) -> bytes:
    """The inverse of decode, byte for byte."""
    return text.encode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")


@dataclass
class Document(ABC):
    """One file's text and tree. `text` is decoded with surrogateescape: `encode()` gives back the very same bytes."""

    text: str
    name: str = "<text>"
    troubles: list[Trouble] = field(default_factory=list)

    encoding: str = "utf-8"

    syntax = ""  # "json", "xml" or "listing"

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    def encode(self) -> bytes:
        return encode(self.text, self.encoding)

    def decoded_from(self, encoding: str) -> None:
        """Told by whoever decoded the bytes. A byte order mark belongs to an encoding that needs one."""
        self.encoding = encoding
        if encoding != "utf-8":
            self.troubles[:] = [trouble for trouble in self.troubles if trouble.rule != R.byte_order_mark]
            self.troubles.append(self._unusual(encoding.upper()))

    def _unusual(self, encoding: str) -> Trouble:
        """What is wrong with an encoding other than UTF-8."""
        message = f"expected a file in UTF-8, got {encoding}"
        return Trouble(R.unusual_encoding, Span(0, min(1, len(self.text))), message)

    @cached_property
    def _lacks(self) -> set[str]:
        """Words that are known to stand nowhere in the text."""
        return set()

    def holds(self, word: str) -> bool:
        """Whether a word stands anywhere in the text."""
        if word in self._lacks:
            return False
        found = word in self.text
        if not found:
            self._lacks.add(word)
        return found

    def succeed(self, before: Document, change: Change) -> None:
        """This is `before` after a change: what that lacked can only have come with the change."""
        for word in before._lacks:
            reach = len(word) - 1
            if word not in self.text[max(change.start - reach, 0) : change.start + change.size + reach]:
                self._lacks.add(word)

    @property
    def guesses(self) -> Set[Path]:
        """Paths of the values that were read by guess because their syntax is broken."""
        return frozenset()

    @property
    def repaired(self) -> Set[Edit]:
        """The edits with which the text was read, where no other reading is possible: what is found is found after them."""
        return frozenset()

    @abstractmethod
    def span(self, place: Place) -> Span:
        """The exact span of a place; of its nearest existing ancestor if the place does not exist."""

    def start(self, path: Path) -> int:
        """Where the value, element or line at a path begins, more or less: good enough to tell what stands in a range."""
        return self.span(Place(path)).start

    def whole(self, path: Path) -> Span:
        """All text of the value, element or line at a path."""
        return self.span(Place(path))

    def starts(self, path: Path) -> Sequence[int] | None:
        """Where all children of the list or element at a path begin, as `start` has it; None where it has to be asked."""
        return None

    @abstractmethod
    def place_at(self, offset: int) -> Place:
        """The innermost place that holds an offset."""

    @abstractmethod
    def pointer(self, path: Path) -> str:
        """The path as people and other tools write it: a JSON Pointer, an XPath."""

    @abstractmethod
    def value_at(self, path: Path) -> Any:
        """The value (JSON) or element (XML) at a path; raises LookupError."""

    def edited(self, text: str, change: Change) -> Document | None:
        """This document after a change that made its text `text`, exactly as if it had been read anew, but for less than
        that costs; None where this cannot be had. This document itself stays as it is.
        """
        return None

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        """Put another value in a place, spelled as this syntax spells values."""
        raise NotImplementedError
