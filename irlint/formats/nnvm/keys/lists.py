"""Check the lists next to the nodes: arg_nodes, node_row_ptr, heads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.passes.wording import label, names, nodes
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import WRAP, GraphView
from irlint.formats.nnvm.rules import R
from irlint.text.base import Document, Place
from irlint.text.words import count


def check(view: GraphView, seen: Sweep) -> Iterator[Problem]:
    """Yield what is wrong with the lists of a symbol, by what the nodes say."""
    if view.arg_nodes != seen.variables and "arg_nodes" in view.raw:
        yield from _arg_nodes(view, seen.variables)
    if view.row_ptr is not None and view.row_ptr != seen.row_ptr:
        yield from _row_ptr(view, seen.row_ptr, seen.totals)
    if len(view.heads) != 1:
        yield from heads(view)


def _arg_nodes(view: GraphView, variables: list[int]) -> Iterator[Problem]:
    path = (*view.path, "arg_nodes")

    def fix(document: Document) -> Fix:
        return Fix("Replace `arg_nodes` with the variables in order", document.write(Place(path), variables))

    known = set(variables)
    real = [index + WRAP if index < 0 else index for index in view.arg_nodes]
    strangers = [(k, index) for k, index in enumerate(real) if index not in known]
    for k, index in strangers:
        if not 0 <= index < len(view.nodes):
            message = f"undefined node {view.arg_nodes[k]} in `arg_nodes`; the graph has {nodes(len(view.nodes))}"
            yield Problem(R.index_out_of_range, Place((*path, k)), message, fix=fix)
        elif view.ops[index]:  # else it may be a variable
            name = view.names[index]
            message = (
                f"expected a variable in `arg_nodes`, got node {view.arg_nodes[k]} ({label(view.ops[index], name)})"
            )
            related = [("defined here", view.place(index, "op"))]
            yield Problem(R.arg_nodes, Place((*path, k)), message, name, fix, related)
    if not strangers and not view.broken:
        # mxnet 1.9.1 loads and runs lists that are short, doubled or out of order; it only wants variables in range
        message = f"{_disorder(view, variables)}; MXNet ignores the list, other readers use it"
        yield Problem(R.arg_nodes, Place(path, "key"), message, fix=fix, severity=Severity.WARNING)


def _disorder(view: GraphView, variables: list[int]) -> str:
    """Return what is wrong with a list of variables only."""
    listed = set(view.arg_nodes)
    if missing := [view.names[i] for i in variables if i not in listed]:
        return f"missing {count(len(missing), 'variable')} in `arg_nodes`: {names(missing)}"
    if len(view.arg_nodes) != len(listed):
        return "duplicate variable in `arg_nodes`"
    return "`arg_nodes` is not in increasing order"


def _row_ptr(view: GraphView, right: list[int] | None, totals: list[int | None]) -> Iterator[Problem]:
    def fix(document: Document) -> Fix:
        edits = document.write(Place((*view.path, "node_row_ptr")), right)
        return Fix("Replace `node_row_ptr` with the computed values", edits)

    def told(index: int, width: int) -> str:
        return f"{count(width, 'output')} of {label(view.ops[index], view.names[index])}"

    # mxnet 1.9.1 ignores the list, whatever it holds; TVM 0.9.0 indexes memory by it
    if (wrong := wrong_row(view, totals, told)) is not None:
        at, what = wrong
        message = f"{what}; MXNet ignores it, other readers use it"
        yield Problem(R.node_row_ptr, at, message, fix=fix if right is not None else None, severity=Severity.WARNING)


def wrong_row(
    view: GraphView, widths: Sequence[int | None], told: Callable[[int, int], str]
) -> tuple[Place, str] | None:
    """Return the first thing that is wrong with node_row_ptr. `widths`: how many outputs each node has, where that is known, and
    `told` names them.
    """
    rows, path, size = view.row_ptr or [], (*view.path, "node_row_ptr"), len(view.nodes)
    if len(rows) != size + 1:
        numbers = f"{count(size + 1, 'number')} in `node_row_ptr` for {count(size, 'node')}"
        return Place(path, "key"), f"expected {numbers}, got {len(rows)}"
    if rows[0] != 0:
        return Place((*path, 0)), f"expected 0 as the first number of `node_row_ptr`, got {rows[0]}"
    for i, ((begin, end), width) in enumerate(zip(pairwise(rows), widths, strict=True)):
        at = Place((*path, i + 1))
        if end <= begin:
            return at, f"`node_row_ptr` does not increase at node {i} ({view.names[i]!r}), which has outputs"
        if width not in (None, end - begin):
            return at, f"expected {told(i, width)} in `node_row_ptr`, got {end - begin}"
    return None


def heads(view: GraphView) -> Iterator[Problem]:
    """Report a graph without outputs, and outputs that are listed twice."""
    if view.raw.get("heads") == []:
        # mxnet 1.9.1 loads it as a symbol without outputs
        message = "the graph has no outputs: `heads` is empty"
        yield Problem(R.empty_model, Place((*view.path, "heads")), message, severity=Severity.ERROR)
    first: dict[tuple[int, int], int] = {}
    for k, (node, output, *_) in enumerate(view.heads):
        before = first.setdefault((node, output), k)
        if before != k and 0 <= node < len(view.names):
            message = f"{view.names[node]!r} is listed twice as an output"
            related = [("first listed here", view.head_place(before))]
            yield Problem(R.duplicate_head, view.head_place(k), message, related=related)
