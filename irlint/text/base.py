"""Parts common to all documents: places, spans, and edits of the text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from irlint.codes import R, RuleRow
from irlint.records import NamedTuple, dataclass, field
from irlint.text.lines import LINE_END
from irlint.text.lines import Lines as Lines
from irlint.text.lines import Position as Position

if TYPE_CHECKING:
    from irlint.text.members import Member

Step = str | int
Path = tuple[Step, ...]
Level = Literal["error", "warning", "info"]

# What comes before a first word: blanks, and comments as JSON with comments, XML and listings have them
_BLANKS = re.compile(r"[\s\ufeff]*")
_COMMENTS = {"/*": "*/", "//": "\n", "#": "\n", "<!--": "-->", "<?": "?>"}


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
    """Return the text after edits, which must not overlap."""
    pieces, at = [], 0
    for span, new in sorted(edits):
        pieces += [text[at : span.start], new]
        at = span.end
    pieces.append(text[at:])
    return "".join(pieces)


@dataclass(slots=True)
class Trouble:
    """A syntax error or other problem of the text: a rule, a span and a message."""

    rule: RuleRow
    span: Span
    message: str
    related: Sequence[tuple[str, Span]] = ()
    edits: Callable[[], Sequence[Edit]] | None = None  # a repair, worked out only on demand
    title: str = ""  # what that repair does
    safety: Literal["safe", "unsafe"] = "safe"
    level: Level | None = None  # where the format's own parser is more or less strict than the rule says


def text_end(text: str, token: Span) -> Span:
    """Return the end of a truncated text: its last token, or the end of its last line if the token is on an earlier one."""
    end = len(text)
    if text.endswith(("\n", "\r")):
        end -= 2 if text.endswith("\r\n") else 1
    return Span(end, end) if LINE_END.search(text, token.end, end) else token


def decode(data: bytes) -> tuple[str, str]:
    """Return text and encoding of a file's bytes. Bytes that are not UTF-8 become lone surrogates, so that nothing is lost."""
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
    """Return the bytes of a text: the exact inverse of decode."""
    return text.encode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")


def after_leading(text: str) -> int:
    """Return where the first word begins; the end of the text if there is none, or if a comment is not closed."""
    at = 0
    while True:
        at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
        closing = next((end for begin, end in _COMMENTS.items() if text.startswith(begin, at)), None)
        if closing is None:
            return at
        end = text.find(closing, at + 2)
        if end < 0:
            return len(text)
        at = end + len(closing)


def below(tree: Any, path: Path) -> Any:
    """Return the value at a path of a tree of plain values; raise LookupError if there is none."""
    try:
        for step in path:
            tree = tree[step]
    except (TypeError, IndexError) as error:
        raise LookupError(path) from error
    return tree


@dataclass
class Document(ABC):
    """One file's text and tree. `text` is decoded with surrogateescape: `encode()` returns the same bytes."""

    text: str
    name: str = "<text>"
    troubles: list[Trouble] = field(default_factory=list)

    encoding: str = "utf-8"

    syntax = ""  # "json", "xml" or "listing"
    is_left = False  # True: not read to its end, because it seems to be another program's

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @property
    def is_binary(self) -> bool:
        """Return whether the file is not text: `text` shows what is in it."""
        return False

    def encode(self) -> bytes:
        """Return the bytes of the file."""
        return encode(self.text, self.encoding)

    def encoded(self, text: str) -> bytes:
        """Return the file with another text; raise ValueError if there is none that would be read as that text."""
        try:
            data = encode(text, self.encoding)
        except UnicodeEncodeError:
            data = b""
        if decode(data) != (text, self.encoding):
            raise ValueError(f"the new text cannot be encoded in {self.encoding.upper()}")
        return data

    def decoded_from(self, encoding: str) -> None:
        """Set the encoding of the file. A byte order mark is allowed in an encoding that needs one."""
        self.encoding = encoding
        if encoding != "utf-8":
            self.troubles[:] = [trouble for trouble in self.troubles if trouble.rule != R.byte_order_mark]
            self.troubles.append(self._unusual(encoding.upper()))

    def _unusual(self, encoding: str) -> Trouble:
        """Return the trouble for an encoding other than UTF-8."""
        message = f"expected a file in UTF-8, got {encoding}"
        return Trouble(R.unusual_encoding, Span(0, min(1, len(self.text))), message)

    def complete(self) -> None:  # noqa: B027
        """Read the rest of a text that was left; there is none in most syntaxes."""

    @property
    def guesses(self) -> Set[Path]:
        """Return paths of the values that are guesses because their syntax is broken."""
        return frozenset()

    @property
    def repaired(self) -> Set[Edit]:
        """Return the edits with which the text was read if no other reading is possible; findings are those after them."""
        return frozenset()

    @abstractmethod
    def span(self, place: Place) -> Span:
        """Return the exact span of a place, or of its nearest existing ancestor."""

    def start(self, path: Path) -> int:
        """Return approximately where the value, element or line at a path begins: exact enough to select by range."""
        return self.span(Place(path)).start

    def whole(self, path: Path) -> Span:
        """Return the span of the whole value, element or line at a path."""
        return self.span(Place(path))

    def starts(self, path: Path) -> Sequence[int] | None:
        """Return the starts of all children at a path, as `start` returns them; None if they are unknown."""
        return None

    @abstractmethod
    def place_at(self, offset: int) -> Place:
        """Return the innermost place that contains an offset."""

    @abstractmethod
    def pointer(self, path: Path) -> str:
        """Return the path as a JSON Pointer or XPath."""

    @abstractmethod
    def value_at(self, path: Path) -> Any:
        """Return the value (JSON) or element (XML) at a path; raise LookupError if there is none."""

    def with_text(self, text: str) -> Document | None:
        """Return the document of a binary after an edit of the text that shows it; None if the file is text."""
        return None

    def root_value(self) -> Any:
        """Return what `members` begins with."""
        return self.value_at(())

    def members(self, value: Any, naming: Sequence[str]) -> Iterator[Member]:
        """Yield the parts of a value; none of a scalar. `naming` are the keys by whose values entries of a list go."""
        from irlint.text.members import members

        return members(value, naming)

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        """Return edits that put another value in a place, in the spelling of this syntax."""
        raise NotImplementedError
