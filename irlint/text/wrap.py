"""Text and tables in lines that fit the terminal, counted in cells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate

from irlint.text.safe import Command, visible, width

GAP = "  "
_CODE = 30  # letters of code in backticks, or of a list, that is not broken
NARROW = 8  # cells that a column keeps, however narrow the terminal is
PROSE = 40  # cells that sentences need next to other columns

_NUMBERS = re.compile(r"([\[{])([-+0-9.eE, ]{40,})(?=[\]}])")  # a list of numbers; each sign is looked at once
_KEPT, _MANY = 2, 8  # numbers that are shown of a list with so many


def folded(line: str) -> str:
    """Return a line with long lists of numbers cut to the first few: {0.5,-0.25,...}."""
    return _NUMBERS.sub(_folded, line)


def _folded(match: re.Match[str]) -> str:
    parts = match[2].split(",")
    return match[0] if len(parts) < _MANY else f"{match[1]}{','.join(parts[:_KEPT])},..."


def wrap(text: str, columns: int | None, taken: int = 0, indent: str = "") -> list[str]:
    """Break a text that is safe to show at its blanks, so that no line is wider than `columns` unless a word is.

    `taken`: cells that something else takes on the first line; all others begin with the indent. No word is ever broken, and none
    that a CI system would obey at the beginning of a line is put there.
    """
    if columns is None or taken + width(text) <= columns:
        return [text]
    lines: list[str] = []
    line, used = "", taken
    for word in _words(text):
        size = width(word)
        is_first = len(line.strip()) < (1 if lines else 2) and (
            lines or taken <= len(indent)
        )  # after a mark such as `~`, too
        if used + size > columns and not is_first and not word.startswith("::"):
            lines.append(line.rstrip())
            line, used = indent, len(indent)
        line += f"{word} "
        used += size + 1
    return [*lines, line.rstrip()]


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text; those of short code and of short lists stay together."""
    held: list[str] = []
    for word in text.split(" "):
        held.append(word)
        together = " ".join(held)
        if together.count("`") % 2 == 0 and together.count("[") <= together.count("]"):
            yield together
            held = []
        elif len(together) > _CODE:
            yield from held
            held = []
    yield from held


def fitted(lines: Iterable[str], columns: int | None) -> Iterator[str]:
    """Return wrapped lines that are safe to show; continuation lines are indented by four more cells."""
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip(" ")) + 4)
        if isinstance(line, Command) and columns is not None and width(line) > columns:
            yield from wrap(line.before.rstrip(), columns, indent=indent)
            yield indent + line.command
        else:
            yield from wrap(line, columns, indent=indent)


def table(
    rows: Sequence[Sequence[str]], columns: int | None = None, right: Collection[int] = (), has_prose: bool = False
) -> list[str]:
    """Align rows in columns, those listed as `right` at their ends; all text is made safe to show.

    In a narrow terminal, a cell of the last column that does not fit goes below its row. If the other columns do not fit either, the
    widest ones shrink, and text after a cell that is too long for its column continues below it. With `has_prose` the last column
    holds sentences: it alone is wrapped, or moves below the others as a whole.
    """
    cells = [[visible(text) for text in row] for row in rows]
    sizes = [max(width(row[k]) for row in cells) for k in range(len(cells[0]))]
    room = None if columns is None else columns - len(GAP) * (len(sizes) - 1)
    if room is not None and not has_prose and sum(sizes[:-1]) > room:
        sizes = _limited(sizes, room)
    starts = [0, *accumulate(size + len(GAP) for size in sizes[:-1])]
    if columns is not None and has_prose and sizes[-1] > columns - starts[-1] < PROSE:
        starts[-1] = starts[1]
    return [line for row in cells for line in _lines([*zip(row, starts, sizes, strict=True)], right, columns)]


def _limited(sizes: list[int], room: int) -> list[int]:
    """The widths of columns, of which the widest are cut to a common limit so that all fit."""
    ordered = sorted(sizes)
    for k, size in enumerate(ordered):
        limit = (room - sum(ordered[:k])) // (len(ordered) - k)
        if size > limit:
            return [min(size, max(limit, NARROW)) for size in sizes]
    return sizes


_BELOW = 2 * GAP  # before a cell on a line of its own


def _longest(text: str) -> int:
    """Return the cells of the longest word."""
    return max(map(width, text.split(" ")))


def _lines(cells: Sequence[tuple[str, int, int]], right: Collection[int], columns: int | None) -> list[str]:
    """A row of cells, each with where its column starts and how wide that is."""
    lines, line = [], ""
    for k, (text, start, size) in enumerate(cells):
        if line and width(line) + len(GAP) > start:
            lines.append(line)
            line = ""
        is_last = k == len(cells) - 1
        if line and columns is not None and not is_last and start + width(text) > columns:
            *above, text = wrap(text, columns - len(_BELOW))
            lines += [line, *(_BELOW + part for part in above)]
            line, start = "", len(_BELOW)
        line += " " * (start - width(line) + (max(0, size - width(text)) if k in right else 0))
        if is_last and columns is not None and start + _longest(text) > columns:
            lines += [*filter(str.strip, [line]), *wrap(_BELOW + text, columns, indent=_BELOW)]
        elif is_last:
            first, *others = wrap(text, columns, start, " " * start)
            lines += [line + first, *others]
        else:
            line += text
    return [found.rstrip() for found in lines]
