"""The syntax: a line `toy 1`, then a node a line: `NAME... = OPERATOR INPUT... KEY=VALUE...`, and `out NAME...`."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from irlint.codes import R
from irlint.records import NamedTuple, dataclass, field
from irlint.text.base import Document, Edit, Path, Place, Span, Trouble

WORD = re.compile(r"[^\s#]+")


class Word(NamedTuple):
    start: int
    end: int
    text: str


class Row(NamedTuple):
    """One line: its words, and the number of words before the operator, including `=` or `out`."""

    words: list[Word]
    head: int


@dataclass
class ToyDocument(Document):
    """Paths: (line,) a whole line, (line, k) its k-th word, (line, k, "key") and (line, k, "value") of `KEY=VALUE`."""

    rows: dict[int, Row] = field(default_factory=dict)  # by line, from 0

    syntax = "toy"

    def __post_init__(self) -> None:
        starts = self.lines.starts
        for line, (start, end) in enumerate(zip(starts, [*starts[1:], len(self.text)], strict=True)):
            comment = self.text.find("#", start, end)
            end = end if comment < 0 else comment
            words = [Word(m.start(), m.end(), m[0]) for m in WORD.finditer(self.text, start, end)]
            if not words or words[0].text == "toy":
                continue
            texts = [word.text for word in words]
            head = 1 if texts[0] == "out" else texts.index("=") + 1 if "=" in texts else 0
            if 0 < head < len(words) and texts[0] != "=":
                self.rows[line] = Row(words, head)
            else:
                message = "expected `NAME = OPERATOR INPUT... KEY=VALUE...` or `out NAME...`"
                self.troubles.append(Trouble(R.syntax_error, Span(words[0].start, words[-1].end), message))

    def span(self, place: Place) -> Span:
        row = self.rows.get(place.path[0]) if place.path else None  # type: ignore[call-overload]
        if row is None:
            return Span(0, min(len(self.text), 1))
        if len(place.path) == 1:
            return Span(row.words[0].start, row.words[-1].end)
        word = row.words[int(place.path[1])]
        if len(place.path) == 2:
            return Span(word.start, word.end)
        middle = word.start + word.text.index("=")
        return Span(word.start, middle) if place.path[2] == "key" else Span(middle + 1, word.end)

    def place_at(self, offset: int) -> Place:
        line = bisect_right(self.lines.starts, offset) - 1
        for k, word in enumerate(self.rows[line].words if line in self.rows else ()):
            if word.start <= offset <= word.end:
                return Place((line, k))
        return Place((line,))

    def pointer(self, path: Path) -> str:
        return ":".join(str(step + 1 if isinstance(step, int) else step) for step in path)

    def value_at(self, path: Path) -> Any:
        start, end = self.span(Place(path))
        return self.text[start:end]

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return (Edit(self.span(place), text),)
