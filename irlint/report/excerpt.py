"""The lines around a span, cut to the size of a screen: cheap even if a file is one line of many megabytes."""

from __future__ import annotations

from irlint.records import NamedTuple
from irlint.text.base import Lines, Span

WIDTH = 120  # cells of source text that a report shows of a line
LONGEST = 4_000  # characters of a line that are folded to see what of it fits
CONTEXT = 2  # lines before and after
HEAD, TAIL = 4, 2  # of a span of many lines, so many of the first and of the last are shown

new = tuple.__new__  # a named tuple, for half of what it costs to call its class


class ExcerptRow(NamedTuple):
    """A line or a piece of it; `start` and `end` delimit the mark, -1: none."""

    number: int
    text: str
    start: int = -1
    end: int = -1
    more_before: bool = False
    more_after: bool = False


class ExcerptPart(NamedTuple):
    """Consecutive short lines; a part of one of them is marked."""

    number: int  # of the first
    texts: tuple[str, ...]
    marked: int  # which of them
    start: int
    end: int

    def rows(self) -> Rows:
        rows = [ExcerptRow(self.number + k, text) for k, text in enumerate(self.texts)]
        rows[self.marked] = rows[self.marked]._replace(start=self.start, end=self.end)
        return tuple(rows)


Rows = tuple[ExcerptRow, ...]
Excerpt = ExcerptPart | Rows


def piece(text: str, span: Span, number: int, context: int = CONTEXT) -> ExcerptPart | None:
    """Return the rows of `cut` faster, in a text with LF line breaks only; None unless the span is within one line, as
    told by its number, and that line and those around it are short."""
    start, end = span
    window = (context + 1) * (WIDTH + 1)
    top = start - window
    above = text[max(0, top) : start].rsplit("\n", context + 1)
    below = text[start : start + window].split("\n", context + 1)
    if len(above) == context + 2:
        del above[0]
    elif top > 0:
        return None
    if len(below) == context + 2:
        del below[-1]
    elif start + window < len(text):
        return None
    column, marked = len(above[-1]), len(above) - 1
    if end - start > len(below[0]):
        return None
    above[-1] += below[0]
    texts = above + below[1:]
    if max(map(len, texts)) > WIDTH:
        return None
    while marked and not texts[0].strip():
        del texts[0]
        marked -= 1
    while marked < len(texts) - 1 and not texts[-1].strip():
        del texts[-1]
    return new(ExcerptPart, (number - marked, tuple(texts), marked, column, column + end - start))


def cut(lines: Lines, span: Span, context: int = CONTEXT) -> Rows:
    """Return the rows that show a span: its lines, without the middle ones if they are many, and some around it."""
    # an end behind a line's end still belongs to that line
    first, last = (at.line for at in lines.positions(span.start, max(span.start, span.end - 1)))
    numbers = [*range(max(1, first - context), first), *_marked(first, last)]
    numbers += range(last + 1, min(last + context, lines.count) + 1)
    rows = [_row(lines, number, span, first <= number <= last) for number in numbers]
    return tuple(_without_blank_ends(rows))


def _marked(first: int, last: int) -> list[int]:
    if last - first < HEAD + TAIL:
        return list(range(first, last + 1))
    return [*range(first, first + HEAD), *range(last - TAIL + 1, last + 1)]


def _row(lines: Lines, number: int, span: Span, marked: bool) -> ExcerptRow:
    begin, end = _bounds(lines, number)
    if not marked:
        text, is_cut = lines.text[begin : min(end, begin + LONGEST)], end > begin + LONGEST
        if len(text) > WIDTH:
            from irlint.text.wrap import folded

            text = folded(text)
        return ExcerptRow(number, text[: WIDTH + 1], more_after=is_cut or len(text) > WIDTH + 1)
    start, stop = min(max(span.start, begin), end), min(max(span.end, begin), end)
    left, right = max(begin, start - WIDTH), min(end, start + 2 * WIDTH)
    piece = lines.text[left:right]
    return ExcerptRow(number, piece, start - left, min(stop, right) - left, left > begin, right < end)


def _bounds(lines: Lines, number: int) -> Span:
    """Return where a line begins and ends, without its line break and a byte order mark."""
    text, begin = lines.text, lines.start(number)
    is_last = number == lines.count
    end = len(text) if is_last else lines.start(number + 1)
    if not is_last:
        end -= 2 if text.startswith("\r\n", end - 2) and end - 2 >= begin else 1
    if number == 1 and text.startswith("\ufeff"):
        begin = 1
    return Span(begin, max(begin, end))


def _without_blank_ends(rows: list[ExcerptRow]) -> list[ExcerptRow]:
    """Remove blank lines around the marked ones."""

    def idle(row: ExcerptRow) -> bool:
        return row.start < 0 and not row.text.strip()

    while idle(rows[0]):
        del rows[0]
    while idle(rows[-1]):
        del rows[-1]
    return rows
