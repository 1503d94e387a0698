"""Check the lists next to the nodes: arg_nodes, node_row_ptr, heads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.wording import label, names, nodes
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import WRAP, GraphView
from irlint.text.base import Document, Place
from irlint.text.words import count as count_of


def check(view: GraphView, seen: Sweep) -> Iterator[Problem]:
    if view.arg_nodes != seen.variables and "arg_nodes" in view.raw:
        yield from _arg_nodes(view, seen.variables)
    if view.row_ptr is not None:
        if view.row_ptr != seen.row_ptr:
            yield from _row_ptr(view, seen.row_ptr, seen.totals)
    if len(view.heads) != 1:
        yield from heads(view)


def _arg_nodes(view: GraphView, variables: list[int]) -> Iterator[Problem]:

    at = Place((*view.path, "arg_nodes"))

    def fix(document: Document) -> Fix:
        return Fix("Replace `arg_nodes` with the variables in order", document.write(at, variables))

    count, wanted = len(view.nodes), set(variables)
    wrong = False
    for k, index in enumerate(view.arg_nodes):
        place = Place((*at.path, k))
        real = index + WRAP if index < 0 else index
        if not 0 <= real < count:
            wrong = True
            message = f"undefined node {index} in `arg_nodes`; the graph has {nodes(count)}"
            yield Problem(R.index_out_of_range, place, message, fix=fix)
        elif real not in wanted:
            wrong = True
            if not view.ops[real]:  # it may be a variable
                continue
            message = (
                f"expected a variable in `arg_nodes`, got node {index} ({label(view.ops[real], view.names[real])})"
            )
            related = [("defined here", view.place(real, "op"))]
            yield Problem(R.arg_nodes, place, message, view.names[real], fix, related)
    if wrong or view.broken:
        return
    listed = set(view.arg_nodes)
    missing = [i for i in variables if i not in listed]
    if missing:
        listing = names([view.names[i] for i in missing])
        what = f"missing {count_of(len(missing), 'variable')} in `arg_nodes`: {listing}"
    elif len(view.arg_nodes) != len(listed):
        what = "duplicate variable in `arg_nodes`"
    else:
        what = "`arg_nodes` is not in increasing order"
    # mxnet 1.9.1 loads and runs lists that are short, doubled or out of order; it only wants variables in range
    message = f"{what}; MXNet ignores the list, other readers use it"
    yield Problem(R.arg_nodes, _key(at), message, fix=fix, severity=Severity.WARNING)


def _key(at: Place) -> Place:
    return Place(at.path, "key")


def _row_ptr(view: GraphView, right: list[int] | None, totals: list[int | None]) -> Iterator[Problem]:

    # mxnet 1.9.1 ignores the list, whatever it holds; TVM 0.9.0 indexes memory by it
    rows = view.row_ptr
    assert rows is not None
    at = Place((*view.path, "node_row_ptr"))
    fix = None
    if right is not None:

        def fix(document: Document) -> Fix:
            return Fix("Replace `node_row_ptr` with the computed values", document.write(at, right))

    def problem(place: Place, what: str, repairable: bool = True) -> Problem:
        message = f"{what}; MXNet ignores it, other readers use it"
        return Problem(R.node_row_ptr, place, message, fix=fix if repairable else None, severity=Severity.WARNING)

    wanted = len(view.nodes) + 1
    if len(rows) != wanted:
        what = f"expected {count_of(wanted, 'number')} in `node_row_ptr` for {count_of(len(view.nodes), 'node')}, got {len(rows)}"
        yield problem(_key(at), what)
        return
    if rows[0] != 0:
        yield problem(Place((*at.path, 0)), f"expected 0 as the first number of `node_row_ptr`, got {rows[0]}")
        return
    for i, ((begin, end), total) in enumerate(zip(pairwise(rows), totals, strict=True)):
        width = end - begin
        if width == total and width > 0:
            continue
        if width <= 0:
            what = f"`node_row_ptr` does not increase at node {i} ({view.names[i]!r}), which has outputs"
            yield problem(Place((*at.path, i + 1)), what)
            return
        if total is not None:
            who = label(view.ops[i], view.names[i])
            what = f"expected {count_of(total, 'output')} of {who} in `node_row_ptr`, got {width}"
            yield problem(Place((*at.path, i + 1)), what)
            return


def heads(view: GraphView) -> Iterator[Problem]:

    if not view.heads:
        if isinstance(heads := view.raw.get("heads"), list) and not heads:
            # mxnet 1.9.1 loads it as a symbol without outputs
            message = "the graph has no outputs: `heads` is empty"
            yield Problem(R.empty_model, Place((*view.path, "heads")), message, severity=Severity.ERROR)
        return
    first: dict[tuple[int, int], int] = {}
    for k, entry in enumerate(view.heads):
        key = (entry[0], entry[1])
        if key in first and 0 <= entry[0] < len(view.names):
            message = f"{view.names[entry[0]]!r} is listed twice as an output"
            related = [("first listed here", view.head_place(first[key]))]
            yield Problem(R.duplicate_head, view.head_place(k), message, related=related)
        first.setdefault(key, k)
