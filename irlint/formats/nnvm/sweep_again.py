"""The sweep of a graph of which an edit changed few nodes."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from irlint.formats.nnvm.examine import Examiner
from irlint.formats.nnvm.hidden import VariableCheck
from irlint.formats.nnvm.sweep import Sweep, are_unique, has_odd_heads
from irlint.formats.nnvm.view import GraphView, attributes

if TYPE_CHECKING:
    from irlint.rules.pass_cache import PassCache

FEW = 3  # names that are quicker searched than put into a set with all others


def sweep_again(
    before: Sweep, view: GraphView, examiner: Examiner, variable: VariableCheck, memory: PassCache
) -> Sweep | None:
    """What `sweep` finds, from what it found before; None where nodes came, went, or became variables or operators."""
    old = before.view
    indices = memory.changed(old.nodes, view.nodes)
    if indices is None or view.broken or old.broken:
        return None
    pairs = [(i, old.nodes[i], view.nodes[i]) for i in indices]
    if any((a["op"] == "null") != (b["op"] == "null") for _, a, b in pairs):
        return None
    view.succeed(old, indices)
    result = Sweep(view)
    result.suspects, result.special, result.odd = before.suspects, before.special, before.odd
    result.variables, result.ops = before.variables, before.ops
    result.totals, result.examined = before.totals.copy(), before.examined.copy()
    result.has_wired_variable, result.types = before.has_wired_variable, before.types
    for i, _, node in pairs:
        _look(result, i, node, examiner, variable)
    if "row_ptr" in before.__dict__ and all(result.totals[i] == before.totals[i] for i in indices):
        result.row_ptr = before.row_ptr
    if any(a["op"] != b["op"] for _, a, b in pairs):
        result.ops = set(view.ops) - {"null"}
    if any(a["op"] == "null" for _, a, _ in pairs):
        result.has_wired_variable = any(view.inputs[i] for i in result.variables)
    if any(_types_depend(a) != _types_depend(b) for _, a, b in pairs):
        result.types = object()
    moved = view.heads != old.heads or any(a["inputs"] != b["inputs"] for _, a, b in pairs)
    result.all_used = (
        _all_used(view, result.has_wired_variable)
        if moved or result.has_wired_variable != before.has_wired_variable
        else before.all_used
    )
    result.odd_heads = has_odd_heads(view)
    renamed = [b["name"] for _, a, b in pairs if a["name"] != b["name"]]
    if before.unique_names and len(renamed) <= FEW:
        result.unique_names = all(name and view.names.count(name) == 1 for name in renamed)
    else:
        result.unique_names = are_unique(set(view.names), view) if renamed else before.unique_names
    return result


def _types_depend(node: dict[str, Any]) -> Any:
    """What of a node the types of values depend on; the name of a variable leads to an array of parameters."""
    return node["op"], node["op"] == "null" and node["name"], node["inputs"], attributes(node)


def _look(result: Sweep, index: int, node: dict[str, Any], examiner: Examiner, variable: VariableCheck) -> None:
    op, entries, attrs = node["op"], node["inputs"], attributes(node)
    result.odd = _with(result.odd, index, len(node) != 3 and (len(node) != 4 or "attrs" not in node))
    if op == "null":
        result.suspects = _with(result.suspects, index, bool(entries or (attrs and variable(attrs))))
        return
    special = any(entry[0] >= index or entry[1] or entry[0] < 0 for entry in entries)
    result.special = _with(result.special, index, special)
    found = result.examined[index] = examiner(op, len(entries), attrs)
    result.totals[index] = None if found is None else found.outputs.total
    result.suspects = _with(result.suspects, index, found is None or bool(found.issues))


def _all_used(view: GraphView, has_wired_variable: bool) -> bool:
    listed = zip(view.ops, view.inputs, strict=True)
    used = {entry[0] for op, entries in listed if op != "null" for entry in entries}
    used.update(entry[0] for entry in view.heads)
    return len(used) == len(view.nodes) and not has_wired_variable


def _with(indices: list[int], index: int, belongs: bool) -> list[int]:
    """Increasing indices with one more or one less, if need be."""
    at = bisect_left(indices, index)
    if (indices[at : at + 1] == [index]) == belongs:
        return indices
    return [*indices[:at], index, *indices[at:]] if belongs else [*indices[:at], *indices[at + 1 :]]
