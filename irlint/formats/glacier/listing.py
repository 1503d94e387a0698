"""From a listing's lines to a graph; what is wrong with ids and references."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.glacier.codes import R
from irlint.formats.glacier.layout import Layout, ListingCall
from irlint.formats.glacier.number_problems import number_problems
from irlint.formats.glacier.numbering import align
from irlint.formats.glacier.order import roots
from irlint.formats.glacier.places import by_parts
from irlint.formats.glacier.sessions import state_of
from irlint.formats.glacier.vocabulary import vocabulary
from irlint.graph import Graph, Source
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.listing.document import ListingDocument

_locate = by_parts({"name": "id", "op": "op", "node": "op", "attrs": "inputs"}, "op")


def read(model: Model, document: ListingDocument) -> Iterator[Problem]:
    """Fill model.graph; report wrong numbering and references to undefined nodes."""
    if not document.rows and not document.troubles:
        yield Problem(
            R.empty_model,
            Place(()),
            "the listing has no nodes (an id, an operator, a list of inputs)",
            severity=Severity.ERROR,
        )
    rows = document.rows
    last = [item for row in rows[-1:] for item in row.inputs if isinstance(item, int)]
    meant, faults = align([row.id for row in rows], last)
    yield from number_problems(document, faults, meant)
    model.operators = vocabulary({row.op for row in rows if row.op})
    graph = model.graph
    layout = Layout(meant, rows)
    calls = list(map(layout.call, range(len(rows)), rows))
    graph.nodes, graph.inputs = layout.nodes(calls), list(layout.names.values())
    graph.locate, graph.locate_output = _locate, lambda k: Place(graph.nodes[graph.outputs[k].node].path)
    odd = [(row, call) for row, call in enumerate(calls) if call is not None and call.odd]
    for row, call in odd:
        if document.rows[row].broken:
            model.silent.add(id(call.node))
        yield from _undefined(document, row, call, layout)
    troubled = any(trouble.rule != R.comment for trouble in document.troubles)
    state = state_of(model)
    state.faulty = bool(faults) or troubled or any(call.torn for _, call in odd)
    state.kinds = layout.kinds | ({"Call"} if _any_reference(document) else set())
    for row, span in document.extras:
        yield _type_problem(document, row, span)
    graph.outputs, state.sinks = _results(graph)
    state.quoted = {name for name in layout.names if name.isdecimal()}


def _any_reference(document: ListingDocument) -> bool:
    return any(isinstance(item, int) for row in document.rows for item in row.inputs)


def _results(graph: Graph) -> tuple[list[Source], list[int]]:
    """Return the graph's outputs, and which of them no node uses."""
    found = roots(graph)
    read_by_some = {source[0] for node in graph.nodes for source in node.inputs}
    return [Source(index) for index in found], [index for index in found if index not in read_by_some]


def _undefined(document: ListingDocument, row: int, call: ListingCall, layout: Layout) -> Iterator[Problem]:
    """Report references to ids that no line has, unless a gap in the numbering explains them."""
    node = call.node
    for position in call.undefined:
        item = document.rows[row].inputs[position]
        if isinstance(item, int) and item > layout.last:
            message = (
                f"undefined node {item} in the inputs of node {node.name} ({node.op}); the last id is {layout.last}"
            )
            yield Problem(R.undefined_reference, Place((*node.path, "inputs", position)), message, node.name)


def _type_problem(document: ListingDocument, row: int, span: Span) -> Problem:
    line = document.rows[row]
    text = document.text[span.start : span.end]
    message = f"unexpected type `{text}` on a call; only variables and constants have a dtype and a shape"

    def fix(document: Document) -> Fix:
        start = document.span(Place((row, "inputs"))).end
        return Fix(f"Remove `{text}`", (Edit(Span(start, span.end), ""),), "unsafe")

    return Problem(R.type_on_call, span, message, str(line.id), fix)
