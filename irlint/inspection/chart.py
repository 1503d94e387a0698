"""An n-gram table for the terminal: numbers, bars, names."""

from __future__ import annotations

from irlint.inspection.ngrams import NgramTable
from irlint.text.safe import visible, width
from irlint.text.words import counts, share, times
from irlint.text.wrap import fitted, wrap

SEPARATOR = " > "
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_GAP, _INDENT = "  ", "    "
_NAME = 32  # columns that names have beside the numbers, if any is so long
_BAR = 3  # columns of the shortest bars
USUAL = 80  # columns of a terminal


def lines(table: NgramTable, top: int, columns: int | None, plain: bool = False) -> list[str]:
    """The table's first rows, in at most so many columns; None: the bars as on a usual terminal, the names on one line."""
    shown = table.rows[:top]
    found = [heading(table), *(model_line(table, k) for k in range(len(table.labels)))]
    found = [*fitted(found, columns)]
    if not shown:
        return found
    names = [visible(SEPARATOR.join(row.gram)) for row in shown]
    cells = _cells(table, top, columns, min(max(map(width, names)), _NAME), plain)
    found.append("")
    if len(table.labels) > 1:
        found.append(
            _GAP.join(_fitted(visible(label), width(cells[k][0])) for k, label in enumerate(table.labels)).rstrip()
        )
    start = sum(width(cell[0]) + len(_GAP) for cell in cells)
    is_below = columns is not None and columns - start < min(max(map(width, names)), _NAME)
    for at, name in enumerate(names):
        numbers = _GAP.join(cell[at] for cell in cells)
        if is_below:
            found += [numbers.rstrip(), *wrap(_INDENT + name, columns, 0, _INDENT)]
            continue
        first, *others = wrap(name, columns, start, " " * start)
        found += [f"{numbers}{_GAP}{first}", *others]
    if len(table.rows) > top:
        found.append(rest(table, top))
    return found


def _cells(table: NgramTable, top: int, columns: int | None, name: int, plain: bool) -> list[list[str]]:
    """Return the cells of each model, with bars as long as there is room for beside a name; none if there is little."""
    count, shown = len(table.labels), table.rows[:top]
    most = max(tally.value(table.by) for row in shown for tally in row.tallies)
    size = max(6, min(40, ((columns or USUAL) - 40) // count - 20))
    found = [_column(table, k, top, size, most, plain) for k in range(count)]
    lack = sum(width(cells[0]) + len(_GAP) for cells in found) + name - (columns or USUAL)
    if columns is None or lack <= 0:
        return found
    size -= -(-lack // count)
    return [_column(table, k, top, size if size >= _BAR else 0, most, plain) for k in range(count)]


def rest(table: NgramTable, top: int) -> str:
    """A line for the rows that are not shown."""
    left = table.rows[top:]
    sums = [sum(row.tallies[k].value(table.by) for row in left) for k in range(len(table.labels))]
    amounts = [f"{text} ({share(v, t)})" for text, v, t in zip(texts(table, sums), sums, table.totals, strict=True)]
    return f"and {len(left):,} more: {', '.join(amounts)}"


def model_line(table: NgramTable, k: int) -> str:
    """A line on one model."""
    different = sum(row.tallies[k].count > 0 for row in table.rows)
    return f"{visible(table.labels[k])}: {texts(table, [table.totals[k]])[0]} in total, {different:,} different"


def heading(table: NgramTable) -> str:
    what = "operators" if table.n == 1 else f"{table.n}-grams of operators"
    way = "in order" if table.along == "order" else "along edges"
    return f"{what} {way}, by {table.by}"


def texts(table: NgramTable, values: list[float]) -> list[str]:
    return counts(values) if table.by == "count" else times(values)


def _column(table: NgramTable, k: int, top: int, size: int, most: float, plain: bool) -> list[str]:
    """Of one model, for each row: number, share, bar."""
    values = [row.tallies[k].value(table.by) for row in table.rows[:top]]
    numbers = texts(table, values)
    shares = [share(value, table.totals[k]) for value in values]
    wide, wider = max(map(len, numbers)), max(map(len, shares))
    gap = _GAP if size else ""
    return [
        f"{number:>{wide}}{_GAP}{part:>{wider}}{gap}{_bar(value / most if most else 0, size, plain)}"
        if row.tallies[k].count
        else " " * (wide + wider + size + len(_GAP) + len(gap))
        for number, part, value, row in zip(numbers, shares, values, table.rows, strict=False)
    ]


def _bar(part: float, size: int, plain: bool) -> str:
    if plain:
        return ("#" * (max(round(part * size), part > 0) if size else 0)).ljust(size)
    eighths = max(round(part * size * 8), part > 0) if size else 0
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()).ljust(size)


def _fitted(text: str, size: int) -> str:
    """The end of a label that is too long, which is where file names differ."""
    while width(text) > size:
        text = "…" + text[2:]
    return text + " " * (size - width(text))
