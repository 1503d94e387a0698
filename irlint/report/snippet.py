"""A place in a file: its address, the lines around it, and marks under the token."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.report import cells
from irlint.report.excerpt import Excerpt, ExcerptPart, ExcerptRow, Rows
from irlint.report.terminal import Terminal
from irlint.text.words import count

TYPE_CHECKING = False

if TYPE_CHECKING:
    from irlint.report.fix_lines import FixLines


class Pen:
    """The characters and styles of a mark."""

    def __init__(self, terminal: Terminal, mark: str, color: str) -> None:
        self.terminal, self.mark = terminal, mark
        self.on, self.off = terminal.codes(color)
        self.gutter = 0
        self.numbers = range(0)  # those of as many digits as the gutter has
        self.arrow = self.margin = ""
        self.frame = cells.WIDE

    def draw(self, text: str) -> str:
        return f"{self.on}{text}{self.off}"

    def make_room(self, number: int) -> None:
        """Return a gutter as wide as a line's number."""
        if number in self.numbers:
            return
        gutter = self.gutter = len(str(number))
        self.numbers = range(10 ** (gutter - 1), 10**gutter)
        if self.terminal.columns is not None:
            self.frame = cells.frame(self.terminal.columns - gutter - len(" | "))
        style = self.terminal.style
        self.arrow = f"{'':{gutter}}{style('blue', '-->')}"
        self.margin = style("blue", f"{'':{gutter}} |")


def snippet(pen: Pen, address: str, excerpt: Excerpt) -> list[str]:
    """Return the lines of a snippet; the address is safe to show."""
    if not excerpt:
        pen.make_room(1)
        return [f"{pen.arrow} {address}"]
    if not isinstance(excerpt, ExcerptPart):
        return list(_snippet(pen, address, excerpt))
    return _plain(pen, address, excerpt) or list(_snippet(pen, address, excerpt.rows()))


def _plain(pen: Pen, address: str, piece: ExcerptPart) -> list[str] | None:
    """What `_snippet` draws, for less: of lines shown as they are, but for tabs, whose numbers are equally long; else None."""
    first, texts, marked, start, end = piece
    last = first + len(texts) - 1
    pen.make_room(last)
    if first not in pen.numbers:
        return None
    shown = "".join(texts)
    if "\t" in shown:
        wider = len(cells.TAB) - 1
        before, marks = texts[marked][:start].count("\t"), texts[marked][:end].count("\t")
        start, end = start + wider * before, end + wider * marks
        texts = tuple([text.replace("\t", cells.TAB) for text in texts])
        shown = "".join(texts)
    if not cells.is_plain(shown) or max(map(len, texts)) > pen.frame.whole:
        return None
    on, off = pen.terminal.codes("blue")
    bar = f" |{off} "
    lines, number = [f"{pen.arrow} {address}", pen.margin], first
    for text in texts:
        lines.append(f"{on}{number}{bar}{text}".rstrip())
        number += 1
    lines.insert(marked + 3, f"{pen.margin} {' ' * start}{pen.on}{pen.mark * (end - start or 1)}{pen.off}")
    lines.append(pen.margin)
    return lines


def _snippet(pen: Pen, address: str, excerpt: Rows) -> Iterator[str]:
    pen.make_room(excerpt[-1].number)
    style, gutter, margin = pen.terminal.style, pen.gutter, pen.margin
    yield f"{pen.arrow} {address}"
    yield margin
    marked = [row for row in excerpt if row.start >= 0]
    expected = excerpt[0].number
    for row in excerpt:
        if row.number > expected:
            yield style("blue", f"{'...':<{gutter + 3}}") + pen.draw("|")
        expected = row.number + 1
        number = style("blue", f"{row.number:>{gutter}} |")
        if row.start < 0 and len(marked) == 1:
            yield f"{number} {cells.line(row, pen.frame).text}".rstrip()
            continue
        lines = _single(pen, row) if len(marked) == 1 else _multiple(pen, row, row is marked[0], row is marked[-1])
        for index, line in enumerate(lines):
            yield f"{margin if index else number} {line}".rstrip()
    yield margin


def fixed(pen: Pen, change: FixLines) -> Iterator[str]:
    """Yield the lines of a snippet of what a fix changes."""
    pen.make_room(max(line.row.number for line in change.lines))
    style, last = pen.terminal.style, 0
    for sign, row in change.lines:
        if last and sign == "-" and row.number > last + 1:
            yield style("blue", f"{'...':<{pen.gutter}}")
        last = row.number
        color = "removed" if sign == "-" else "added"
        line = cells.line(row, pen.frame if pen.frame is cells.WIDE else pen.frame.without(2))
        shown = line.text.rstrip()  # before it is colored, as no space is seen within an escape sequence
        text = shown[: line.start] + style(color, shown[line.start : line.end]) + shown[line.end :]
        number = style("blue", f"{row.number:>{pen.gutter}}")
        yield f"{number} {style(color, sign)} {text}".rstrip()
    if change.more:
        yield style("blue", f"{'...':<{pen.gutter}}") + f" and {count(change.more, 'more change')}"


def _single(pen: Pen, row: ExcerptRow) -> Iterator[str]:
    line = cells.line(row, pen.frame)
    yield line.text
    yield " " * line.start + pen.draw(pen.mark * max(1, line.end - line.start))


def _multiple(pen: Pen, row: ExcerptRow, is_first: bool, is_last: bool) -> Iterator[str]:
    """Return a row of a mark over several lines: a rail at the left connects its beginning and end."""
    line = cells.line(row, pen.frame if pen.frame is cells.WIDE else pen.frame.without(2))
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
