"""From a listing's lines to a graph; what is wrong with ids and references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from irlint.findings import Fix, Problem, Severity
from irlint.formats.glacier.codes import R
from irlint.formats.glacier.layout import Layout, ListingCall, layout_of
from irlint.formats.glacier.number_problems import number_problems
from irlint.formats.glacier.numbering import align
from irlint.formats.glacier.order import roots
from irlint.formats.glacier.places import by_parts
from irlint.formats.glacier.vocabulary import vocabulary
from irlint.graph import Graph, Node, Source
from irlint.rules.base import Model
from irlint.rules.pass_cache import PassCache
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.listing import ListingDocument
from irlint.text.listing_line import ListingRow

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
    rows, remembered = document.rows, model.memory
    last = [item for row in rows[-1:] for item in row.inputs if isinstance(item, int)]
    last = remembered.once("last inputs", last, lambda: last)
    meant, faults = remembered.alike("numbering", rows, last, _same_id, lambda: align([row.id for row in rows], last))
    meant = remembered.once("ids", meant, lambda: meant)  # the same list as before, if it is equal
    yield from number_problems(document, faults, meant)
    model.operators = vocabulary(_operators(rows, remembered))
    graph = model.graph
    layout = layout_of(rows, meant, remembered)
    calls = remembered.each("calls", rows, layout, layout.call)
    graph.nodes, graph.inputs = _nodes(layout, calls, remembered), list(layout.names.values())
    graph.locate, graph.locate_output = _locate, lambda k: Place(graph.nodes[graph.outputs[k].node].path)
    odd = [(row, call) for row in remembered.picked("odd calls", calls, _odd) if (call := calls[row]) is not None]
    for row, call in odd:
        if document.rows[row].broken:
            model.silent.add(id(call.node))
        yield from _undefined(document, row, call, layout)
    troubled = any(trouble.rule != R.comment for trouble in document.troubles)
    model.extra["faulty"] = bool(faults) or troubled or any(call.torn for _, call in odd)
    model.extra["kinds"] = layout.kinds | ({"Call"} if _any_reference(document) else set())
    for row, span in document.extras:
        yield _type_problem(document, row, span)
    outputs, sinks = remembered.alike("results", graph.nodes, layout, _same_inputs, lambda: _results(graph))
    graph.outputs = outputs.copy()
    model.extra["sinks"] = sinks
    model.extra["quoted"] = {name for name in layout.names if name.isdecimal()}


def _same_id(old: ListingRow, new: ListingRow) -> bool:
    return old.id == new.id


def _same_inputs(old: Node, new: Node) -> bool:
    return old.inputs == new.inputs


def _odd(calls: Sequence[ListingCall | None]) -> list[int]:
    return [row for row, call in enumerate(calls) if call is not None and call.odd]


def _operators(rows: list[ListingRow], memory: PassCache) -> set[str]:
    """The operators that are named."""

    def revise(before: list[ListingRow], found: Counter[str]) -> Counter[str] | None:
        indices = memory.changed(before, rows)
        if indices is None:
            return None
        counts = found.copy()
        counts.subtract(before[k].op for k in indices)
        counts.update(rows[k].op for k in indices)
        return +counts

    return {op for op in memory.revised("operators", rows, lambda: Counter([row.op for row in rows]), revise) if op}


def _nodes(layout: Layout, calls: list[ListingCall | None], memory: PassCache) -> list[Node]:
    def revise(before: tuple[Layout, list[ListingCall | None]], found: list[Node]) -> list[Node] | None:
        indices = memory.changed(before[1], calls) if before[0] is layout else None
        if indices is None:
            return None
        nodes = found.copy()
        for k in indices:
            if (call := calls[k]) is not None:
                nodes[call.node.index] = call.node
        return nodes

    return memory.revised("nodes", (layout, calls), lambda: layout.nodes(calls), revise)


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
