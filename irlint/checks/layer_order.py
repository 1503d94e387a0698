"""The fix that moves a layer so that each is below those whose values it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irlint.findings import Fix
from irlint.text.base import Document, Edit, Span
from irlint.text.layers.document import Layer, LayerDocument
from irlint.text.words import count


def moving(reader: int, producer: int, has_weights: Callable[[Layer], bool]) -> Callable[[Document], Fix | None]:
    """Return a fix that moves the reader below the producer, or else the producer above the reader, with the layers that it needs."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, LayerDocument)
        rows = document.rows
        passed = rows[reader : producer + 1]
        if any(row.lines > 1 or row.skip or row.broken for row in passed):
            return None
        moved, at = [rows[reader]], producer + 1
        if _reads(rows[reader + 1 : producer], rows[reader]):
            moved, at = _needed(passed), reader
        if (at == reader and moved[0] is rows[reader]) or (at == len(rows) and not document.text.endswith("\n")):
            return None
        lines = "".join(document.text[slice(*document.text_of(row))] + document.newline for row in moved)
        target = document.lines.starts[rows[at].line] if at < len(rows) else document.whole_lines(rows[-1]).end
        edits = (Edit(Span(target, target), lines), *(Edit(document.whole_lines(row), "") for row in moved))
        # Weights are read in the order of the layers: to move a layer past others that have some changes what each gets.
        here = set(map(id, moved))
        kept = [row for row in passed if id(row) not in here]
        weighted = any(map(has_weights, moved)) and any(map(has_weights, kept))
        what = f"{moved[-1].op} {moved[-1].name!r}"
        if len(moved) > 1:
            what = f"{what} and {count(len(moved) - 1, 'layer')} that it needs"
        return Fix(f"Move {what}", tuple(sorted(edits)), "unsafe" if weighted else "safe")

    return fix


def _needed(rows: Sequence[Layer]) -> list[Layer]:
    """Return the last layer, behind those that it needs."""
    wanted, found = set[str](), list[Layer]()
    for row in reversed(rows):
        if not found or not wanted.isdisjoint(row.outputs):
            found.append(row)
            wanted.update(row.inputs)
    return found[::-1]


def _reads(readers: list[Layer], *sources: Layer) -> bool:
    outputs = {name for row in sources for name in row.outputs}
    return any(name in outputs for row in readers for name in row.inputs)
