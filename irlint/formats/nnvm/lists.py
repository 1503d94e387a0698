"""The lists beside the nodes: arg_nodes, node_row_ptr, heads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.sweep import Sweep
from irlint.formats.nnvm.view import WRAP, View
from irlint.text.base import Document, Place


def check(view: View, seen: Sweep) -> Iterator[Problem]:
    if view.arg_nodes != seen.variables and "arg_nodes" in view.raw:
        yield from _arg_nodes(view, seen.variables)
    if view.row_ptr is not None:
        if view.row_ptr != seen.row_ptr:
            yield from _row_ptr(view, seen.row_ptr, seen.totals)
    if len(view.heads) != 1:
        yield from heads(view)


def _arg_nodes(view: View, variables: list[int]) -> Iterator[Problem]:

    at = Place((*view.path, "arg_nodes"))

    def fix(document: Document) -> Fix:
        return Fix("List the variables in order", document.write(at, variables))

    count, wanted = len(view.nodes), set(variables)
    wrong = False
    for k, index in enumerate(view.arg_nodes):
        place = Place((*at.path, k))
        real = index + WRAP if index < 0 else index
        if not 0 <= real < count:
            wrong = True
            there = (
                f"there is no node {index}; the nodes are numbered 0 to {count - 1}" if count else "there are no nodes"
            )
            message = f"arg_nodes: {there}"
            yield Problem(R.index_out_of_range, place, message, fix=fix)
        elif real not in wanted:
            wrong = True
            if not view.ops[real]:  # whether it is a variable cannot be told
                continue
            message = f"arg_nodes lists node {index}, which is {view.ops[real]} {view.names[real]!r} and no variable"
            related = [("this is it", view.place(real, "op"))]
            yield Problem(R.arg_nodes, place, message, view.names[real], fix, related)
    if wrong or view.broken:
        return
    listed = set(view.arg_nodes)
    missing = [i for i in variables if i not in listed]
    if missing:
        names = ", ".join(repr(view.names[i]) for i in missing[:3]) + (", ..." if len(missing) > 3 else "")
        what = f"lacks {len(missing)} of the {len(variables)} variables ({names})"
    elif len(view.arg_nodes) != len(listed):
        what = "lists a variable twice"
    else:
        what = "is not in increasing order"
    # mxnet 1.9.1 loads and runs lists that are short, doubled or out of order; it only wants variables in range
    message = f"arg_nodes {what}; MXNet works the list out by itself, other readers take it as it stands"
    yield Problem(R.arg_nodes, _key(at), message, fix=fix, severity=Severity.WARNING)


def _key(at: Place) -> Place:
    return Place(at.path, "key")


def _row_ptr(view: View, right: list[int] | None, totals: list[int | None]) -> Iterator[Problem]:

    # mxnet 1.9.1 ignores the list, whatever it holds; TVM 0.9.0 indexes memory by it
    rows = view.row_ptr
    assert rows is not None
    at = Place((*view.path, "node_row_ptr"))
    fix = None
    if right is not None:

        def fix(document: Document) -> Fix:
            return Fix("Count the outputs again", document.write(at, right))

    def problem(place: Place, what: str, repairable: bool = True) -> Problem:
        message = f"node_row_ptr {what}; MXNet does not read it, other readers take it as it stands"
        return Problem(R.node_row_ptr, place, message, fix=fix if repairable else None, severity=Severity.WARNING)

    wanted = len(view.nodes) + 1
    if len(rows) != wanted:
        yield problem(_key(at), f"has {len(rows)} numbers; {len(view.nodes)} nodes need {wanted}")
        return
    if rows[0] != 0:
        yield problem(Place((*at.path, 0)), f"begins with {rows[0]} instead of 0")
        return
    for i, ((begin, end), total) in enumerate(zip(pairwise(rows), totals, strict=True)):
        width = end - begin
        if width == total and width > 0:
            continue
        if width <= 0:
            yield problem(Place((*at.path, i + 1)), f"does not grow at node {i} ({view.names[i]!r}), which has outputs")
            return
        if total is not None:
            kind = "variable" if view.ops[i] == "null" else view.ops[i]
            what = f"gives {kind} {view.names[i]!r} {width} output{'s' * (width != 1)}; it has {total}"
            yield problem(Place((*at.path, i + 1)), what)
            return


def heads(view: View) -> Iterator[Problem]:

    if not view.heads:
        if isinstance(heads := view.raw.get("heads"), list) and not heads:
            # mxnet 1.9.1 loads it as a symbol without outputs
            message = "the graph hands out nothing: heads is empty"
            yield Problem(R.empty_model, Place((*view.path, "heads")), message, severity=Severity.ERROR)
        return
    first: dict[tuple[int, int], int] = {}
    for k, entry in enumerate(view.heads):
        key = (entry[0], entry[1])
        if key in first and 0 <= entry[0] < len(view.names):
            message = f"{view.names[entry[0]]!r} is handed out twice"
            related = [("it is handed out here first", view.head_place(first[key]))]
            yield Problem(R.duplicate_head, view.head_place(k), message, related=related)
        first.setdefault(key, k)
