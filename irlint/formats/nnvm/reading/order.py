"""Sorts the nodes of a graph so that each follows its inputs, and rewrites every index."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush

from irlint.findings import Fix
from irlint.formats.nnvm.reading.json_values import as_list
from irlint.formats.nnvm.reading.view import GraphView
from irlint.text.base import Document, Edit, Place


def reorder(view: GraphView) -> Callable[[Document], Fix | None]:
    """A fix that sorts the nodes; nothing moves that need not."""
    done: list[Fix | None] = []

    def fix(document: Document) -> Fix | None:
        if not done:
            order = _sorted(view)
            done.append(
                None
                if order is None
                else Fix("Move nodes before their uses", tuple(_edits(view, order, document)), "unsafe")
            )
        return done[0]

    return fix


def _sources(view: GraphView, index: int) -> list[int]:
    entries = view.inputs[index] if view.ops[index] != "null" else []
    found = [*(entry[0] for entry in entries), *as_list(view.originals[index].get("control_deps"))]
    return [n for n in found if isinstance(n, int) and 0 <= n < len(view.nodes)]


def _sorted(view: GraphView) -> list[int] | None:
    """The nodes in order, of those that are ready always the first in the file; None if some wait for each other."""
    count = len(view.nodes)
    waiting = [0] * count
    readers: list[list[int]] = [[] for _ in range(count)]
    for i in range(count):
        for source in set(_sources(view, i)):
            waiting[i] += 1
            readers[source].append(i)
    ready = [i for i in range(count) if not waiting[i]]
    heapify(ready)
    order = []
    while ready:
        at = heappop(ready)
        order.append(at)
        for reader in readers[at]:
            waiting[reader] -= 1
            if not waiting[reader]:
                heappush(ready, reader)
    return order if len(order) == count else None


def _edits(view: GraphView, order: list[int], document: Document) -> list[Edit]:
    new = {old: position for position, old in enumerate(order)}
    edits = []
    for old, position in new.items():
        text = _rewritten(view, old, new, document)
        span = document.span(Place(view.node_path(position)))
        if document.text[span.start : span.end] != text:
            edits.append(Edit(span, text))
    for k, entry in enumerate(view.heads):
        if new[entry[0]] != entry[0]:
            place = view.head_place(k)
            edits.append(Edit(document.span(Place((*place.path, 0))), str(new[entry[0]])))
    variables = [position for old, position in new.items() if view.ops[old] == "null"]
    if variables != view.arg_nodes:
        edits += document.write(Place((*view.path, "arg_nodes")), variables)
    rows = view.row_ptr
    if rows is not None and len(rows) == len(order) + 1:
        moved = [rows[0]]
        for old in order:
            moved.append(moved[-1] + rows[old + 1] - rows[old])
        if moved != rows:
            edits += document.write(Place((*view.path, "node_row_ptr")), moved)
    return edits


def _rewritten(view: GraphView, index: int, new: dict[int, int], document: Document) -> str:
    """A node's own text with every index in it changed."""
    path = view.node_path(index)
    start, end = document.span(Place(path))
    pieces, at, text = [], start, document.text
    sources = [((*path, "inputs", k, 0), entry[0]) for k, entry in enumerate(view.inputs[index])]
    deps = as_list(view.originals[index].get("control_deps"))
    sources += [((*path, "control_deps", k), node) for k, node in enumerate(deps)]
    for span, source in sorted((document.span(Place(place)), source) for place, source in sources):
        if source in new:
            pieces += [text[at : span.start], str(new[source])]
            at = span.end
    return "".join((*pieces, text[at:end]))
