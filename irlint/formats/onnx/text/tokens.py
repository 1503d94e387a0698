"""The tokens of the textual form, and the names, numbers and lists that are made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.text.base import Path, Span
from irlint.text.floats import rounded

# One of the alternatives always matches, so that no space is ever given back
_TOKEN = re.compile(
    r'(?:[ \t\r\n\v\f]+|#[^\n]*)*(?:(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<integer>-?[0-9]+(?![0-9.]|[eE][+-]?[0-9]))|(?P<number>-?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|(?:inf|infinity|nan)\b))|(?P<sign>=>|\.\.\.|.)|(?P<end>\Z))",
    re.DOTALL | re.ASCII,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LONGEST = 30  # characters of an integer, far more than 64 bits need
NUMBERS = ("integer", "number")  # kinds of tokens
_SPECIAL = ("inf", "infinity", "nan")
MOST_DEPTH = 100


class Token:
    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind, self.text, self.start, self.end = kind, text, start, end

    @property
    def is_number(self) -> bool:
        return self.kind in NUMBERS or self.text.lower() in _SPECIAL


class Unexpected(Exception):
    """A token that cannot be there."""

    def __init__(self, expected: str, token: Token) -> None:
        super().__init__(expected)
        self.expected, self.token = expected, token


class NestedTooDeep(Unexpected):
    """Graphs or types that are nested deeper than protobuf reads."""


def tokens(text: str) -> list[Span]:
    """Return where the tokens of a text are."""
    found: list[Span] = []
    at = 0
    while (match := _TOKEN.match(text, at)) is not None and match.lastgroup != "end":
        found.append(Span(*match.span(match.lastgroup or "")))
        at = match.end()
    return found


class TokenReader:
    """Reads a range of a text, of which `token` is what comes next. `marks` collects the spans of all its parts, if given."""

    def __init__(
        self, text: str, start: int = 0, end: int | None = None, marks: dict[Path, Span] | None = None
    ) -> None:
        self.text, self.end = text, len(text) if end is None else end
        self.marks = marks
        self.depth = 0
        self.go_on(start)

    def go_on(self, at: int) -> None:
        """Go on reading at an offset."""
        self.last, self.token = at, self._scan(at)

    def _scan(self, at: int) -> Token:
        match = _TOKEN.match(self.text, at, self.end)
        assert match is not None
        kind, group = match.lastgroup or "", match.lastindex or 0
        text, (start, end) = match[group], match.span(group)
        if text == '"':
            return Token("open", self.text[start : self.end], start, self.end)
        return Token(kind, text, start, end)

    def take(self) -> Token:
        taken = self.token
        self.last = taken.end
        self.token = self._scan(taken.end)
        return taken

    def at(self, *signs: str) -> bool:
        return self.token.kind == "sign" and self.token.text in signs

    def matches(self, sign: str) -> bool:
        if self.at(sign):
            self.take()
            return True
        return False

    def expect(self, sign: str) -> Token:
        if not self.at(sign):
            raise Unexpected(f"`{sign}`", self.token)
        return self.take()

    def items(self, end: str) -> Iterator[Token]:
        """Yield the first token of each item of a list, to be read by the caller, and take the sign at its end."""
        while not self.at(end):
            yield self.token
            if not self.matches(","):
                break
        self.expect(end)

    def attached(self) -> Iterator[Token]:
        """Yield the first tokens of the items of a list in angle brackets, which need not be there."""
        if self.matches("<"):
            yield from self.items(">")

    def enter(self, what: str) -> None:
        """Go one level deeper into nested graphs or types."""
        if self.depth > MOST_DEPTH:
            raise NestedTooDeep(f"{what} are nested more than {MOST_DEPTH} deep", self.token)
        self.depth += 1

    def mark(self, path: Path | None, start: int, end: int | None = None) -> None:
        if self.marks is not None and path is not None:
            self.marks[path] = Span(start, self.last if end is None else end)

    def marked(self, path: Path | None) -> Token:
        """Take a token that is the part at a path."""
        self.mark(path, self.token.start, self.token.end)
        return self.take()

    def name(self, path: Path | None, what: str = "a name") -> str:
        if self.token.kind == "string":
            return self.string(path)
        if self.token.kind != "word":
            raise Unexpected(what, self.token)
        return self.marked(path).text

    def string(self, path: Path | None) -> str:
        if self.token.kind != "string":
            raise Unexpected("a string in double quotes", self.token)
        inner = self.marked(path).text[1:-1]
        return _ESCAPE.sub(r"\1", inner) if "\\" in inner else inner

    def encoded(self, path: Path) -> bytes:
        """Return a string as a model holds it where it need not be text."""
        return self.string(path).encode("utf-8", "surrogateescape")

    def integer(self, path: Path) -> int:
        if self.token.kind != "integer" or len(self.token.text) >= _LONGEST:
            raise Unexpected("an integer", self.token)
        return int(self.marked(path).text)

    def real(self, path: Path) -> float:
        if not self.token.is_number:
            raise Unexpected("a number", self.token)
        return float(self.marked(path).text)

    def single(self, path: Path) -> float:
        """Return a number, rounded as a float of 32 bits is."""
        return rounded(self.real(path))
