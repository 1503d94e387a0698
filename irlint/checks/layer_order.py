"""The fix that moves a layer so that each is below those whose values it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irlint.findings import Fix
from irlint.text.base import Document, Edit, Span
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.words import count


def moving(reader: int, producer: int, has_weights: Callable[[LayerRow], bool]) -> Callable[[Document], Fix | None]:
    """Return a fix that moves the reader below the producer, or else the producer above the reader, with the layers that it needs."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, LayerDocument)
        rows = document.rows
        passed = rows[reader : producer + 1]
        if any(row.lines > 1 or row.skip or row.broken for row in passed):
            return None
        moved, at = [passed[0]], producer + 1
        if not {name for row in passed[1:-1] for name in row.inputs}.isdisjoint(passed[0].outputs):
            moved, at = _needed(passed), reader
        if moved[0] is passed[0] and at == reader:  # each needs the other
            return None
        if at == len(rows) and not document.text.endswith("\n"):
            return None
        # Weights are read in the order of the layers: to move a layer past others that have some changes what each gets.
        weighted = set(map(id, filter(has_weights, passed)))
        is_safe = weighted.isdisjoint(map(id, moved)) or weighted.issubset(map(id, moved))
        return Fix(_title(moved), _edits(document, moved, at), "safe" if is_safe else "unsafe")

    return fix


def _needed(rows: Sequence[LayerRow]) -> list[LayerRow]:
    """Return the last layer, behind those that it needs."""
    found, wanted = [rows[-1]], set(rows[-1].inputs)
    for row in reversed(rows[:-1]):
        if not wanted.isdisjoint(row.outputs):
            found.append(row)
            wanted.update(row.inputs)
    return found[::-1]


def _title(moved: Sequence[LayerRow]) -> str:
    others = f" and {count(len(moved) - 1, 'layer')} that it needs" if len(moved) > 1 else ""
    return f"Move {moved[-1].op} {moved[-1].name!r}{others}"


def _edits(document: LayerDocument, moved: Sequence[LayerRow], at: int) -> tuple[Edit, ...]:
    """Return the edits that move layers to the line of the layer `at`, which may be after the last."""
    rows = document.rows
    lines = "".join(document.text[slice(*document.text_of(row))] + document.newline for row in moved)
    target = document.lines.starts[rows[at].line] if at < len(rows) else document.whole_lines(rows[-1]).end
    return tuple(sorted([Edit(Span(target, target), lines), *(Edit(document.whole_lines(row), "") for row in moved)]))
