"""The syntax: a line `toy 1`, then a node a line: `NAME... = OPERATOR INPUT... KEY=VALUE...`, and `out NAME...`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.codes import R
from irlint.records import NamedTuple, dataclass, field
from irlint.text.base import Span, Trouble
from irlint.text.spans import SpanDocument

LINE = re.compile(r"^[^#\r\n]+", re.MULTILINE)
WORD = re.compile(r"\S+")


class Row(NamedTuple):
    """The words of one line, and the number of words before the operator, including `=` or `out`."""

    words: list[str]
    head: int

    @property
    def op(self) -> str:
        return self.words[self.head]

    @property
    def names(self) -> list[str]:
        return self.words[: self.head - 1]

    @property
    def inputs(self) -> list[int]:
        """Return which words are inputs."""
        return [i for i in range(self.head + 1, len(self.words)) if "=" not in self.words[i]]

    def pairs(self) -> Iterator[tuple[int, str]]:
        """Yield which words are `KEY=VALUE`, each with its key."""
        for i in range(self.head + 1, len(self.words)):
            if "=" in self.words[i]:
                yield i, self.words[i].partition("=")[0]

    def at(self, key: str) -> int:
        """Return the first word with a key."""
        return next(i for i, other in self.pairs() if other == key)


@dataclass
class ToyDocument(SpanDocument):
    """Paths: (k,) a line, (k, i) its i-th word, (k, i, "key") and (k, i, "value") of `KEY=VALUE`."""

    rows: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        for line in LINE.finditer(self.text):
            words = [Span(*word.span()) for word in WORD.finditer(self.text, *line.span())]
            texts = [self.text[slice(*word)] for word in words]
            if not words or texts[0] == "toy":
                continue
            head = 1 if texts[0] == "out" else texts.index("=") + 1 if "=" in texts[1:] else 0
            if 0 < head < len(words):
                self._add(Row(texts, head), words)
            else:
                message = "expected `NAME = OPERATOR INPUT... KEY=VALUE...` or `out NAME...`"
                self.troubles.append(Trouble(R.syntax_error, Span(words[0].start, words[-1].end), message))

    def _add(self, row: Row, words: list[Span]) -> None:
        k = len(self.rows)
        self.rows.append(row)
        self.spans[k,] = Span(words[0].start, words[-1].end)
        for i, (start, end) in enumerate(words):
            self.spans[k, i] = Span(start, end)
            if i > row.head and (middle := row.words[i].find("=")) >= 0:
                self.spans[k, i, "key"] = Span(start, start + middle)
                self.spans[k, i, "value"] = Span(start + middle + 1, end)
