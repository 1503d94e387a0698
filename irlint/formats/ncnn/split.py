"""The fix that inserts Split layers: one for each blob that several layers read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat

from irlint.findings import Fix
from irlint.graph import Node, Source
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.layers.document import Layer, LayerDocument
from irlint.text.words import count

Readers = Sequence[tuple[Node, int]]


_MOST = 64  # Splits that one fix inserts: each finding shows the whole fix


def inserting(wanted: Sequence[tuple[Source, Readers]], *, renamed: bool) -> Iterator[Callable[[Document], Fix | None]]:
    """Yield for each blob the fix that inserts a Split below the layer that defines it. As every such fix sets the same counts, blobs
    share one. `renamed`: the readers get new names; else they have the names of the Split's outputs already."""
    for k in range(0, len(wanted), _MOST):
        some = wanted[k : k + _MOST]
        yield from repeat(_insertion(some, renamed), len(some))


def _insertion(wanted: Sequence[tuple[Source, Readers]], renamed: bool) -> Callable[[Document], Fix | None]:
    made: list[tuple[Document, Fix | None]] = []

    def fix(document: Document) -> Fix | None:
        if not made or made[0][0] is not document:
            made[:] = [(document, insert(document))]
        return made[0][1]

    def insert(document: Document) -> Fix | None:
        assert isinstance(document, LayerDocument)
        rows = document.rows
        if (document.count("layers") or 0) < len(rows):
            return None  # what is inserted would push other layers out
        names = {name for row in rows for name in (row.name, *row.outputs)}
        edits: list[Edit] = []
        splits = added = 0
        for source, readers in wanted:
            blob = rows[source.node].outputs[source.output]
            outputs = [rows[node.index].inputs[k] for node, k in readers]
            if renamed:
                outputs = [_free(f"{blob}_splitncnn_{j}", names) for j in range(len(readers))]
                edits += [
                    Edit(document.span(Place((node.index, "inputs", k))), name)
                    for (node, k), name in zip(readers, outputs, strict=True)
                ]
            elif len(set(outputs)) < len(outputs):
                continue
            edits.append(_below(document, rows[source.node], _line(_free(f"split_{blob}", names), blob, outputs)))
            splits, added = splits + 1, added + len(outputs)
        if not splits:
            return None
        for which, number in (
            ("layers", len(rows) + splits),
            ("blobs", sum(len(row.outputs) for row in rows) + added),
        ):
            if which in document.header:
                edits.append(Edit(document.span(Place((which,))), str(number)))
        title = "Insert Split" if splits == 1 else f"Insert {count(splits, 'Split')}"
        return Fix(title, tuple(sorted(edits)))

    return fix


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _line(name: str, blob: str, outputs: list[str]) -> str:
    return f"{'Split':<24} {name:<24} 1 {len(outputs)} {blob} {' '.join(outputs)}"


def _below(document: LayerDocument, row: Layer, line: str) -> Edit:
    end = document.text_of(row).end
    return Edit(Span(end, end), document.newline + line)
