"""The lines around a span, cut to what a screen can show: cheap even where a file is one line of many megabytes."""

from __future__ import annotations

from irlint.records import NamedTuple
from irlint.text.base import Lines, Span

WIDTH = 120  # cells of source text that a report shows of a line
CONTEXT = 2  # lines before and after
HEAD, TAIL = 4, 2  # of a span of many lines, so many of the first and of the last are shown


class Row(NamedTuple):
    """A line, or the piece of it that matters; `start` and `end` delimit what is marked in it, -1: nothing."""

    number: int
    text: str
    start: int = -1
    end: int = -1
    more_before: bool = False
    more_after: bool = False


Excerpt = tuple[Row, ...]


def cut(lines: Lines, span: Span, context: int = CONTEXT) -> Excerpt:
    """The rows that show a span: its own lines, the middle ones left out if they are many, and some around it."""
    # an end behind a line's end still belongs to that line
    first, last = (at.line for at in lines.positions(span.start, max(span.start, span.end - 1)))
    if first == last and (rows := _plain(lines, span, first, context)):
        return tuple(rows if rows[0].text.strip() and rows[-1].text.strip() else _without_blank_ends(rows))
    numbers = [*range(max(1, first - context), first), *_marked(first, last)]
    numbers += range(last + 1, min(last + context, len(lines.starts)) + 1)
    rows = [_row(lines, number, span, first <= number <= last) for number in numbers]
    return tuple(_without_blank_ends(rows))


def _plain(lines: Lines, span: Span, line: int, context: int) -> list[Row] | None:
    """The rows of a span in one line, cut out together, where all are short and end with LF; else None."""
    first, after = max(1, line - context), line + context
    begin = lines.starts[first - 1]
    end = lines.starts[after] - 1 if after < len(lines.starts) else len(lines.text)
    if end - begin > WIDTH * (2 * context + 1):
        return None
    piece = lines.text[begin:end]
    texts = piece.split("\n")
    if max(map(len, texts)) > WIDTH or "\r" in piece or (first == 1 and piece.startswith("\ufeff")):
        return None
    rows = list(map(Row, range(first, first + len(texts)), texts))
    at = span.start - lines.starts[line - 1]
    text = texts[line - first]
    rows[line - first] = Row(line, text, min(at, len(text)), min(at + span.end - span.start, len(text)))
    return rows


def _marked(first: int, last: int) -> list[int]:
    if last - first < HEAD + TAIL:
        return list(range(first, last + 1))
    return [*range(first, first + HEAD), *range(last - TAIL + 1, last + 1)]


def _row(lines: Lines, number: int, span: Span, marked: bool) -> Row:
    begin, end = _bounds(lines, number)
    if not marked:
        return Row(number, lines.text[begin : min(end, begin + WIDTH + 1)], more_after=end > begin + WIDTH + 1)
    start, stop = min(max(span.start, begin), end), min(max(span.end, begin), end)
    left, right = max(begin, start - WIDTH), min(end, start + 2 * WIDTH)
    piece = lines.text[left:right]
    return Row(number, piece, start - left, min(stop, right) - left, left > begin, right < end)


def _bounds(lines: Lines, number: int) -> Span:
    """Where a line begins and ends, without its line end and without a byte order mark; nothing is copied."""
    text, starts = lines.text, lines.starts
    begin = starts[number - 1]
    end = starts[number] if number < len(starts) else len(text)
    if number < len(starts):
        end -= 2 if text.startswith("\r\n", end - 2) and end - 2 >= begin else 1
    if number == 1 and text.startswith("\ufeff"):
        begin = 1
    return Span(begin, max(begin, end))


def _without_blank_ends(rows: list[Row]) -> list[Row]:
    """Blank lines around the marked ones show nothing."""

    def idle(row: Row) -> bool:
        return row.start < 0 and not row.text.strip()

    while idle(rows[0]):
        del rows[0]
    while idle(rows[-1]):
        del rows[-1]
    return rows
