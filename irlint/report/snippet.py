"""A place in a file as people see it: its address, the lines around it, and marks under the very token."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.records import NamedTuple
from irlint.report import cells
from irlint.report.excerpt import Excerpt, Piece, Row, Rows
from irlint.report.terminal import Terminal


class Pen(NamedTuple):
    """What a mark is drawn with."""

    terminal: Terminal
    mark: str
    color: str

    def draw(self, text: str) -> str:
        return self.terminal.style(self.color, text)


def snippet(pen: Pen, address: str, excerpt: Excerpt) -> list[str]:
    """Its lines; the address is safe to show."""
    if not isinstance(excerpt, Piece):
        return list(_snippet(pen, address, excerpt))
    return _plain(pen, address, excerpt) or list(_snippet(pen, address, excerpt.rows()))


def _plain(pen: Pen, address: str, piece: Piece) -> list[str] | None:
    """What `_snippet` draws, for less: of lines of which each is shown as it is; else None."""
    first, texts, marked, start, end = piece
    if not cells.is_plain("".join(texts)):
        return None
    on, off = pen.terminal.codes("blue")
    gutter = len(str(first + len(texts) - 1))
    blank = " " * gutter
    margin = f"{on}{blank} |{off}"
    lines = [f"{blank}{on}-->{off} {address}", margin]
    if len(str(first)) == gutter:
        lines += [f"{on}{number} |{off} {text}".rstrip() for number, text in enumerate(texts, first)]
    else:
        lines += [f"{on}{number:>{gutter}} |{off} {text}".rstrip() for number, text in enumerate(texts, first)]
    lines.insert(marked + 3, f"{margin} {' ' * start}{pen.draw(pen.mark * max(1, end - start))}")
    lines.append(margin)
    return lines


def _snippet(pen: Pen, address: str, excerpt: Rows) -> Iterator[str]:
    gutter = len(str(excerpt[-1].number))
    style = pen.terminal.style
    margin = style("blue", f"{'':{gutter}} |")
    yield f"{'':{gutter}}{style('blue', '-->')} {address}"
    yield margin
    marked = [row for row in excerpt if row.start >= 0]
    expected = excerpt[0].number
    for row in excerpt:
        if row.number > expected:
            yield style("blue", f"{'...':<{gutter + 3}}") + pen.draw("|")
        expected = row.number + 1
        number = style("blue", f"{row.number:>{gutter}} |")
        if row.start < 0 and len(marked) == 1:
            yield f"{number} {cells.line(row).text}".rstrip()
            continue
        lines = _single(pen, row) if len(marked) == 1 else _multiple(pen, row, row is marked[0], row is marked[-1])
        for index, line in enumerate(lines):
            yield f"{margin if index else number} {line}".rstrip()
    yield margin


def _single(pen: Pen, row: Row) -> Iterator[str]:
    line = cells.line(row)
    yield line.text
    yield " " * line.start + pen.draw(pen.mark * max(1, line.end - line.start))


def _multiple(pen: Pen, row: Row, is_first: bool, is_last: bool) -> Iterator[str]:
    """A row of a mark that goes on over several lines: a rail at the left leads from its beginning to its end."""
    line = cells.line(row)
    if row.start < 0:
        yield f"  {line.text}"
    elif is_first and not line.text[: line.start].strip():
        yield f"{pen.draw('/')} {line.text}"
    elif is_first:
        yield f"  {line.text}"
        yield " " + pen.draw("_" * (line.start + 1) + pen.mark)
    else:
        yield f"{pen.draw('|')} {line.text}"
        if is_last:
            yield pen.draw("|" + "_" * max(1, line.end) + pen.mark)
