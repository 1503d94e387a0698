"""What the benchmarks print: tables in Markdown, read as they are in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from measure import Spent, middle, ratio


class Table(NamedTuple):
    title: str
    text: str  # what was measured, in a sentence or two
    head: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    after: str = ""


def render(table: Table) -> str:
    rows = [table.head, *table.rows]
    widths = [max(len(row[k]) for row in rows) for k in range(len(table.head))]

    def line(cells: Iterable[str]) -> str:
        first, *rest = zip(cells, widths, strict=True)
        return "| " + " | ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]) + " |"

    marks = [f"{'-' * widths[0]}", *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    parts = [f"## {table.title}", table.text, "\n".join([line(table.head), line(marks), *map(line, table.rows)])]
    return "\n\n".join([*parts, *([table.after] if table.after else [])]) + "\n"


PEERS = ("irlint against", "CPU s", "its CPU s", "CPU ratio", "wall ratio", "peak MB", "its peak MB", "asked")


def peer(title: str, ours: Sequence[Spent], theirs: Sequence[Spent], asked: str = "") -> tuple[str, ...]:
    """irlint beside one peer; ratios below 1 say that irlint takes less."""
    a, b = middle(ours), middle(theirs)
    return (
        title,
        seconds(a.cpu),
        seconds(b.cpu),
        f"{ratio(ours, theirs):.2f}",
        f"{ratio(ours, theirs, 'wall'):.2f}",
        megabytes(a.peak),
        megabytes(b.peak),
        asked,
    )


def seconds(value: float) -> str:
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def megabytes(value: float) -> str:
    return f"{value / 1e6:.0f}"
