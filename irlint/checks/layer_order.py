"""The fix that moves a layer so that each is below those whose values it reads."""

from __future__ import annotations

from collections.abc import Callable

from irlint.findings import Fix
from irlint.text.base import Document, Edit, Span
from irlint.text.layers import Layer, LayerDocument


def moving(reader: int, producer: int, has_weights: Callable[[Layer], bool]) -> Callable[[Document], Fix | None]:
    """Return a fix that moves the reader below the producer, or else the producer above the reader."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, LayerDocument)
        rows = document.rows
        between = rows[reader + 1 : producer]
        if not _reads(between, rows[reader]):
            moved, at = rows[reader], producer + 1
        elif not _reads([rows[producer]], *rows[reader:producer]):
            moved, at = rows[producer], reader
        else:
            return None
        passed = rows[reader : producer + 1]
        if any(row.lines > 1 or row.skip or row.broken for row in passed):
            return None
        start, end = document.text_of(moved)
        line = document.text[start:end] + document.newline
        if at == len(rows) and not document.text.endswith("\n"):
            return None
        target = document.lines.starts[rows[at].line] if at < len(rows) else document.whole_lines(rows[-1]).end
        edits = (Edit(document.whole_lines(moved), ""), Edit(Span(target, target), line))
        # Weights are read in the order of the layers: to move a layer past others that have some changes what each gets.
        weighted = has_weights(moved) and any(has_weights(row) for row in passed if row is not moved)
        return Fix(f"Move {moved.op} {moved.name!r}", tuple(sorted(edits)), "unsafe" if weighted else "safe")

    return fix


def _reads(readers: list[Layer], *sources: Layer) -> bool:
    outputs = {name for row in sources for name in row.outputs}
    return any(name in outputs for row in readers for name in row.inputs)
