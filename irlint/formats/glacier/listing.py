"""From a listing's lines to a graph; what is wrong with ids and references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.findings import Fix, Problem, Severity
from irlint.formats.glacier.layout import CONSTANT, CallLayout, WrittenCall, complete, unread
from irlint.formats.glacier.numbering import align
from irlint.formats.glacier.renumber import number_problems
from irlint.formats.glacier.results import roots
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import state_of
from irlint.formats.glacier.vocabulary import vocabulary
from irlint.graph import Node, Source
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.listing.document import ListingDocument
from irlint.text.listing.line import ListingRow

_PARTS = {"name": "id", "op": "op", "node": "op", "attrs": "inputs"}


def read(model: Model, document: ListingDocument) -> Iterator[Problem]:
    """Fill model.graph; report wrong numbering and references to undefined nodes."""
    rows, graph, state = document.rows, model.graph, state_of(model)
    if not rows and not document.troubles:
        message = "the listing has no nodes (an id, an operator, a list of inputs)"
        yield Problem(R.empty_model, Place(()), message, severity=Severity.ERROR)
    meant, faults = align([row.id for row in rows], [item for row in rows[-1:] for item in row.references])
    yield from number_problems(document, faults, meant)
    model.operators = vocabulary({row.op for row in rows if row.op})
    calls = _calls(meant, rows)
    layout = CallLayout(graph.nodes, calls, _leaf)
    complete(model, calls, {(number,) for number, row in enumerate(rows) if row.broken}, _PARTS, "op")
    yield from _undefined(layout)
    yield from (_type_problem(document, row, span) for row, span in document.extras)
    found = roots(graph)
    graph.outputs = list(map(Source, found))
    state.sinks = unread(graph, found)
    is_troubled = {trouble.rule for trouble in document.troubles} - {R.comment}
    state.faulty = bool(faults or layout.odd or is_troubled)
    state.quoted = set(filter(str.isdecimal, layout.names))


def _calls(meant: Sequence[int | None], rows: Sequence[ListingRow]) -> list[WrittenCall]:
    lines = enumerate(zip(meant, rows, strict=True))
    return [(id_, row.op, row.inputs, (number,)) for number, (id_, row) in lines if id_ is not None]


def _leaf(index: int, name: str, path: Path, position: int) -> Node:
    op, kind = (CONSTANT, "const") if name == CONSTANT else ("var", "var")
    return Node(index, name, op, (*path, "inputs", position), kind=kind)


def _undefined(layout: CallLayout) -> Iterator[Problem]:
    """Report references to ids that no line has, unless a gap in the numbering explains them."""
    last = max(layout.index_of, default=-1)
    for node, position, item, is_undefined in layout.odd:
        if is_undefined and item is not None and item > last:
            what = f"undefined node {item} in the inputs of node {node.name} ({node.op})"
            at = Place((*node.path, "inputs", position))
            yield Problem(R.undefined_reference, at, f"{what}; the last id is {last}", node.name)


def _type_problem(document: ListingDocument, row: int, span: Span) -> Problem:
    line = document.rows[row]
    text = document.text[span.start : span.end]
    message = f"unexpected type `{text}` on a call; only variables and constants have a dtype and a shape"

    def fix(document: Document) -> Fix:
        start = document.span(Place((row, "inputs"))).end
        return Fix(f"Remove `{text}`", (Edit(Span(start, span.end), ""),), "unsafe")

    return Problem(R.type_on_call, span, message, str(line.id), fix)
