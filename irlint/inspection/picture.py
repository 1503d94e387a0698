"""An n-gram table as a picture: one row per n-gram with a bar per model, in columns where there are many rows."""

from __future__ import annotations

from math import ceil, sqrt

from irlint.inspection.chart import SEPARATOR, heading, model_line, rest, texts
from irlint.inspection.ngrams import NgramRow, NgramTable
from irlint.inspection.scene import ADVANCE, Label, Rect, Scene
from irlint.text.safe import visible, width
from irlint.text.words import share

COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7a7a00", "#666666")
_MARGIN = 24
_BAR = 300  # length of the longest bar
_SIZE = 13  # of the letters
_LABEL = 100  # letters of a name that are shown at most
_TALL = 60  # rows that a column has at least where there are several


def draw(table: NgramTable, top: int) -> Scene:
    """The first rows of a table."""
    rows = table.rows[:top]
    head = _head(table)
    values = [texts(table, [row.tallies[k].value(table.by) for row in rows]) for k in range(len(table.labels))]
    label = _room(max((min(_LABEL, width(_name(row))) for row in rows), default=0))
    number = _room(max((len(text) for column in values for text in column), default=0))
    column_width = label + 10 + _BAR + 6 + number
    row_height = max(22.0, 13.0 * len(table.labels) + 7)
    columns = _columns(len(rows), row_height, column_width + 2 * _MARGIN)
    tall = ceil(len(rows) / columns)
    top_of_rows = head[-1].y + 28
    full = 2 * _MARGIN + columns * column_width + (columns - 1) * 2 * _MARGIN
    scene = Scene(max(full, *(2 * _MARGIN + item.x + item.room for item in head)), 0)
    scene.items += head
    scene.items += _legend(table, head)
    most = max((tally.value(table.by) for row in rows for tally in row.tallies), default=0)
    for at, row in enumerate(rows):
        x = _MARGIN + (at // tall) * (column_width + 2 * _MARGIN)
        y = top_of_rows + (at % tall) * row_height
        if at % tall % 2 == 0:
            scene.items.append(Rect(x - 6, y, column_width + 12, row_height, "#f4f4f4"))
        scene.items.append(Label(x + label, y + row_height / 2, _name(row), _SIZE, label, "end"))
        scene.items += _bars(table, row, [column[at] for column in values], x + label + 10, y, row_height, most, number)
    bottom = top_of_rows + tall * row_height
    if len(table.rows) > len(rows):
        text = rest(table, top)
        scene.items.append(Label(_MARGIN, bottom + 18, text, _SIZE, _room(width(text)), fill="#555555"))
        scene.width = max(scene.width, 2 * _MARGIN + _room(width(text)))
        bottom += 30
    scene.height = bottom + _MARGIN
    return scene


def _columns(rows: int, height: float, width: float) -> int:
    """In how many columns a picture of so many rows is about as wide as it is tall, none of them short."""
    return max(1, min(ceil(rows / _TALL), round(sqrt(rows * height / width))))


def _room(letters: int) -> float:
    return letters * _SIZE * ADVANCE + 1


def _name(row: NgramRow) -> str:
    return visible(SEPARATOR.join(row.gram))


def _head(table: NgramTable) -> list[Label]:
    """Title, and a line per model."""
    title = heading(table)
    found = [Label(_MARGIN, _MARGIN + 8, title, 18, width(title) * 18 * ADVANCE + 1)]
    for k in range(len(table.labels)):
        text = model_line(table, k)
        found.append(Label(_MARGIN + 20, found[-1].y + (30 if k == 0 else 20), text, _SIZE, _room(width(text))))
    return found


def _legend(table: NgramTable, head: list[Label]) -> list[Rect]:
    return [Rect(_MARGIN, text.y - 6, 12, 12, COLORS[k % len(COLORS)]) for k, text in enumerate(head[1:])]


def _bars(
    table: NgramTable, row: NgramRow, values: list[str], x: float, y: float, height: float, most: float, number: float
) -> list[Rect | Label]:
    """A bar per model, one under the other, each with its number behind it."""
    found: list[Rect | Label] = []
    thick = min(14.0, (height - 4) / len(values) - 1)
    start = y + (height - len(values) * (thick + 1) + 1) / 2
    for k, text in enumerate(values):
        value = row.tallies[k].value(table.by)
        length = _BAR * value / most if most else 0.0
        title = f"{_name(row)}: {text} ({share(value, table.totals[k])}) in {visible(table.labels[k])}"
        at = start + k * (thick + 1)
        if length:
            found.append(Rect(x, at, max(length, 1.0), thick, COLORS[k % len(COLORS)], title))
        size = _SIZE if len(values) == 1 else 11
        if row.tallies[k].count:
            found.append(Label(x + length + 6, at + thick / 2, text, size, number, fill="#444444"))
    return found
