"""The syntax: a magic number, two counts, then layers: type, name, numbers of inputs and outputs, their names, parameters.

The runtime reads words, wherever lines end. People write a layer a line, and mistakes are found by comparing the two.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import filterfalse, repeat
from typing import TYPE_CHECKING, Any

from irlint.codes import RuleRow
from irlint.records import NamedTuple, dataclass, field
from irlint.text.base import Document, Edit, Path, Place, Span, Trouble
from irlint.text.layers.values import are_parameters, identifier, number
from irlint.text.numbers import integer

if TYPE_CHECKING:
    from irlint.text.members import Member

SPACE = " \t\n\r\v\f"  # what separates words, as scanf has it: no other character, whatever Unicode calls it
STRANGE = re.compile("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
WORD = re.compile(r'[^\s="]*="[^"\r\n]*"|\S+', re.ASCII)
KEY = re.compile(r"-?[0-9]+=|[$@#]?[A-Za-z_][\w.]*=|[$@#]\w+=")
COMMENT = re.compile(r"[ \t]*(?:#|//|;)")


class LayerRow(NamedTuple):
    """One layer as it is written. `lines` are those that it takes: where the runtime would read on in the next one, more than 1."""

    line: int  # from 0
    op: str
    name: str
    counts: tuple[int, int]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    params: str
    lines: int = 1
    broken: bool = False
    skip: int = 0  # words of the line before it


class Word(NamedTuple):
    start: int
    end: int
    text: str


@dataclass
class LayerDocument(Document):
    """Paths: ("magic",), ("layers",), ("blobs",); (k,) the k-th layer, (k, "op"), (k, "name"), (k, "input_count"), (k, "output_count"),
    (k, "inputs", i), (k, "outputs", i), (k, "key", ID), (k, "operand", "#NAME") without its sign, (k, "value", ID) and
    (k, "value", ID, j) for an element of an array.
    """

    rows: list[LayerRow] = field(default_factory=list)
    header: dict[str, Word] = field(default_factory=dict)  # "magic", "layers", "blobs"
    end: int = 0  # the line after the last that the runtime reads

    syntax = "param"

    def __post_init__(self) -> None:
        self._asked: list[tuple[LayerRow, dict[Path, Span]]] = []
        self._line: tuple[Span, list[Word]] | None = None

    def count(self, which: str) -> int | None:
        """Return a count of the header, or the magic number; None if it is not a number."""
        word = self.header.get(which)
        found = number(word.text) if word is not None else None
        return found if isinstance(found, int) else None

    @cached_property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def text_of(self, row: LayerRow) -> Span:
        """Return the span of a layer's lines without the last line end."""
        start, end = self.whole_lines(row)
        return Span(start, start + len(self.text[start:end].rstrip("\r\n")))

    def words(self, row: LayerRow) -> list[Word]:
        """Return the words of a layer. Those of the last line are kept: many layers may be on one."""
        line = self.text_of(row)
        if self._line is None or self._line[0] != line:
            self._line = line, self.words_between(*line)
        k = bisect_right(self.rows, (row.line, row.skip), key=lambda row: (row.line, row.skip))
        is_last = k == len(self.rows) or self.rows[k].line != row.line
        return self._line[1][row.skip : None if is_last else self.rows[k].skip]

    def _parts(self, row: LayerRow) -> dict[Path, Span]:
        """Return the spans of a layer's parts. Those of the last layers are kept: many findings may be in two."""
        for known, parts in self._asked:
            if known is row:
                return parts
        parts = dict(self._spans(row))
        self._asked = [*self._asked[1 - _KEPT :], (row, parts)]
        return parts

    def _spans(self, row: LayerRow) -> Iterator[tuple[Path, Span]]:
        words = self.words(row)
        given = len(row.inputs), len(row.outputs)
        positional: list[Path] = [("op",), ("name",), ("input_count",), ("output_count",)]
        positional += [*zip(repeat("inputs"), range(given[0])), *zip(repeat("outputs"), range(given[1]))]
        for path, word in zip(positional, words, strict=False):
            yield path, Span(word.start, word.end)
        for word in words[len(positional) : len(positional) + MOST_ELEMENTS]:
            key, sign, value = word.text.partition("=")
            if sign:
                middle = word.start + len(key)
                name, is_array = identifier(key)
                yield ("key", name), Span(word.start, middle)
                if key.startswith("#"):
                    yield ("operand", name), Span(word.start + 1, middle)
                yield ("value", name), Span(middle + 1, word.end)
                at = middle + 1
                for j, item in enumerate(value.split(",", MOST_ELEMENTS)[:MOST_ELEMENTS] if "," in value else ()):
                    yield ("value", name, j - is_array), Span(at, at + len(item))
                    at += len(item) + 1

    def row(self, path: Path) -> LayerRow | None:
        k = path[0] if path else None
        return self.rows[k] if isinstance(k, int) and 0 <= k < len(self.rows) else None

    def span(self, place: Place) -> Span:
        path, row = place.path, self.row(place.path)
        if row is None:
            word = self.header.get(str(path[0])) if path else None
            return Span(word.start, word.end) if word else Span(0, min(len(self.text), 1))
        parts = self._parts(row) if len(path) > 1 else {}
        found = parts.get(path[1:]) or parts.get(path[1:3]) or parts.get(path[1:2]) or parts.get(("op",))
        if found is not None:
            return found
        start, end = self.text_of(row)
        return Span(end - len(self.text[start:end].lstrip(SPACE)), end)

    def whole(self, path: Path) -> Span:
        return self.span(Place(path[:1]))

    def whole_lines(self, row: LayerRow) -> Span:
        """Return the span to delete to remove a layer."""
        starts, last = self.lines.starts, row.line + row.lines
        return Span(starts[row.line], starts[last] if last < len(starts) else len(self.text))

    def start(self, path: Path) -> int:
        row = self.row(path) if len(path) == 1 else None
        return self.lines.starts[row.line] if row else super().start(path)

    def starts(self, path: Path) -> Sequence[int] | None:
        starts = self.lines.starts
        return None if path else [starts[row.line] for row in self.rows]

    def place_at(self, offset: int) -> Place:
        line = bisect_right(self.lines.starts, offset) - 1
        k = bisect_right(self.rows, line, key=lambda row: row.line) - 1
        if k < 0 or line >= self.rows[k].line + self.rows[k].lines:
            found = [(name,) for name, word in self.header.items() if word.start <= offset <= word.end]
            return Place(next(iter(found), ()))
        around = [
            (span.end - span.start, path)
            for path, span in self._parts(self.rows[k]).items()
            if span.start <= offset <= span.end
        ]
        return Place((k, *min(around, default=(0, ()), key=lambda found: found[0])[1]))

    def pointer(self, path: Path) -> str:
        return "".join(f"/{step}" for step in path)

    def root_value(self) -> Any:
        return self

    def members(self, value: Any, naming: Sequence[str]) -> Iterator[Member]:
        """Yield the words of the header and the layers; of a layer its words, a list of names as one."""
        from irlint.text.members import Member

        if value is self:
            yield from (Member(key, key, word.text) for key, word in self.header.items())
            yield from (Member(str(k), k, row) for k, row in enumerate(self.rows))
        elif isinstance(value, LayerRow):
            given: dict[str, Any] = {"op": value.op, "name": value.name, "counts": value.counts}
            given |= {"inputs": value.inputs, "outputs": value.outputs}
            yield from (Member(key, key, part) for key, part in given.items())
            for k, word in enumerate(WORD.findall(value.params)[:MOST_ELEMENTS]):
                key, sign, rest = word.partition("=")
                yield Member(key if sign else str(k), k, rest if sign else word)

    def value_at(self, path: Path) -> Any:
        if not path or (self.row(path) is None and str(path[0]) not in self.header):
            raise LookupError(path)
        start, end = self.span(Place(path))
        return self.text[start:end]

    def write(self, place: Place, value: Any) -> tuple[Edit, ...]:
        return (Edit(self.span(place), str(value)),)

    def trouble(
        self, rule: RuleRow, start: int, end: int, message: str, title: str = "", *edits: Edit, **more: Any
    ) -> None:
        """Add a trouble; its repair is the edits, which `title` names."""
        repair = (lambda: edits) if edits else None
        self.troubles.append(Trouble(rule, Span(start, end), message, edits=repair, title=title, **more))

    def line_start(self, number: int) -> int:
        """Return where a line begins, behind a byte order mark."""
        return self.lines.starts[number] + (number == 0 and self.text.startswith("\ufeff"))

    def words_between(self, start: int, end: int) -> list[Word]:
        return [Word(m.start(), m.end(), m[0]) for m in WORD.finditer(self.text, start, end)]


_made: Callable[[type[LayerRow], tuple[Any, ...]], LayerRow] = tuple.__new__
_MOST = 3  # names that are looked at at once: most layers have 2
_FEW = {(str(a), str(b)): (a, b) for a in range(_MOST + 1) for b in range(_MOST + 1) if 0 < a + b <= _MOST}
_COUNTS = {str(number): number for number in range(100)}
_COUNT = re.compile(r"[+-]?[0-9]{1,30}|0{31}")
_GAP = re.compile(r"\s+", re.ASCII)
MOST_ELEMENTS = (
    20_000  # of an array, and parameters of a layer, with a place of its own each: one takes hundreds of bytes
)
MOST = 1_000_000  # layers, blobs, and names of one layer
_KEPT = 2  # layers whose parts are kept: that of a finding, and that of its note
Split = Callable[[str, None, int], list[str]]


def splitter(text: str) -> Split:
    """Return what splits a text into words: the method of strings, unless there is white space that only Python takes for such."""
    is_strange = (
        any(sign in text for sign in "\x1c\x1d\x1e\x1f") if text.isascii() else STRANGE.search(text) is not None
    )
    return _split if is_strange else str.split


def _split(text: str, _: None, most: int) -> list[str]:
    return _GAP.split(text.strip(SPACE), most) if text.strip(SPACE) else []


def counted(text: str) -> int | None:
    """Return how many names follow, by the text of a count; None if it is none."""
    if (value := _COUNTS.get(text)) is None and _COUNT.fullmatch(text):
        value = integer(text)
    return value if value is not None and 0 <= value <= MOST else None


def layers_of(lines: Sequence[str], first: int, split: Split) -> list[LayerRow | None]:
    """Return what `layer_of` says of each line, all at once."""
    found: list[LayerRow | None] = []
    add, known = found.append, _FEW.get
    for at, line in enumerate(lines, first):
        words = split(line, None, 4 + _MOST)
        counts = known((words[2], words[3])) if len(words) > 4 else None
        if counts and "=" not in words[0] and "=" not in words[4]:
            middle = 4 + counts[0]
            end = middle + counts[1]
            if end <= len(words) and "=" not in words[end - 1] and "=" not in words[end - 2]:
                names = tuple(words[4:middle]), tuple(words[middle:end])
                add(_made(LayerRow, (at, words[0], words[1], counts, *names, " ".join(words[end:]), 1, False, 0)))
                continue
        add(_layer_of(line, at, split))
    return _without_odd(found)


def _without_odd(rows: list[LayerRow | None]) -> list[LayerRow | None]:
    """Return layers; None for those whose parameters or type are not what they should be."""
    odd = set(filterfalse(are_parameters, {row.params for row in rows if row is not None}))
    odd.update(filter(COMMENT.match, {row.op for row in rows if row is not None}))  # layers that were taken out
    return [None if row is None or row.params in odd or row.op in odd else row for row in rows] if odd else rows


def layer_of(line: str, number: int, split: Split = str.split) -> LayerRow | None:
    """Return the layer of a line that is written as all are; None if it has to be looked at more closely."""
    layer = _layer_of(line, number, split)
    return None if layer is None or COMMENT.match(layer.op) or not are_parameters(layer.params) else layer


def has_names(line: str, split: Split) -> bool:
    """Return whether a line has as many names as its counts say, whatever follows them."""
    return _layer_of(line, 0, split) is not None


def _layer_of(line: str, number: int, split: Split) -> LayerRow | None:
    words = split(line, None, 4)
    if len(words) < 4 or (nin := counted(words[2])) is None or (nout := counted(words[3])) is None or "=" in words[0]:
        return None
    size = nin + nout
    names = split(words[4], None, size) if len(words) > 4 else []
    params = names.pop() if len(names) > size else ""
    if len(names) < size or "=" in "".join(names):
        return None
    return LayerRow(number, words[0], words[1], (nin, nout), tuple(names[:nin]), tuple(names[nin:]), params)
