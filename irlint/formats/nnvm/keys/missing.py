"""Keys, entries and brackets that a graph lacks or spells wrong, where the rest of it tells what they were."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

from irlint.checks.fault import Repair
from irlint.findings import Fix
from irlint.formats.nnvm.reading.json_values import as_dict, as_list, value_at
from irlint.formats.nnvm.reading.view import HOLDERS, lenient_view
from irlint.operators import table
from irlint.text.base import Document, Path, Place
from irlint.text.json.document import JsonDocument
from irlint.text.numbers import decimal
from irlint.tools.names import FreeNames

_LISTS = ("inputs", "control_deps", "subgraphs")
_NODE = ("op", "param", "name", "attrs", "inputs", "backward_source_id", "attr", "subgraphs")
_GRAPH = ("nodes", "arg_nodes", "node_row_ptr", "heads", "attrs")
_LOOKED_AT = 64  # nodes, for the order of their keys


# Where a key is missing


def gap(graph: Any, path: Path, key: str) -> Place | None:
    """Return the place in front of which, or behind which, a key is missing in the object at a path."""
    found, outer = value_at(graph, path), value_at(graph, path[:-1])
    order = _order(outer, found, key) if isinstance(outer, list) else _GRAPH
    if key not in order:
        return None
    at = order.index(key)
    for behind in order[at + 1 :]:
        if behind in found:
            return Place((*path, behind), "key")
    for before in reversed(order[:at]):
        if before in found:
            return _end((*path, before), found[before])
    return None


def _order(nodes: list[Any], node: dict[str, Any], key: str) -> tuple[str, ...]:
    """Return the keys of a node of this file that has the key and all others, else as MXNet writes them."""
    wanted = {*node, key}
    return next((tuple(other) for other in nodes[:_LOOKED_AT] if wanted <= as_dict(other).keys()), _NODE)


def _end(path: Path, value: Any) -> Place:
    """Return the last part of a value that may take several lines."""
    while isinstance(value, (dict, list)) and value:
        step = next(reversed(value)) if isinstance(value, dict) else len(value) - 1
        path, value = (*path, step), value[step]
    return Place(path)


# What its value was


def restored(graph: Any, path: Path, key: str) -> Repair | None:
    """Return the repair for a key that an object at a path (from the graph on) lacks."""
    nodes = as_dict(graph).get("nodes")
    if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
        return None
    if not path:
        return _of_graph(nodes, key)
    return _of_node(graph, nodes, path, key) if len(path) == 2 and path[0] == "nodes" else None


def _of_graph(nodes: list[dict[str, Any]], key: str) -> Repair | None:
    if key == "arg_nodes" and all(isinstance(node.get("op"), str) for node in nodes):
        return _member((), key, [k for k, node in enumerate(nodes) if node["op"] == "null"], True)
    if key == "node_row_ptr":
        counts: list[Any] = [_outputs(node) for node in nodes]
        return _member((), key, [0, *accumulate(counts)], True) if counts and None not in counts else None
    if key == "heads":
        view = lenient_view({"nodes": nodes})
        unread = [[k, 0, 0] for k in view.unread if view.ops[k] != "null"]  # what nothing uses
        return _member((), key, unread, False) if unread else None
    return None


def _entries(node: dict[str, Any]) -> list[list[Any]]:
    """Return the inputs of a node, as far as they are lists; one that is none is an empty one."""
    return [*map(as_list, as_list(node.get("inputs")))]


def _outputs(node: dict[str, Any]) -> int | None:
    """Return how many values a node of a TVM graph has."""
    if node.get("op") == "null":
        return 1
    count = as_dict(node.get("attrs")).get("num_outputs")
    return decimal(count, 5) if isinstance(count, str) else None


def _of_node(graph: dict[str, Any], nodes: list[dict[str, Any]], path: Path, key: str) -> Repair | None:
    index = int(path[1])
    node = nodes[index]
    if key == "inputs" and node.get("op") == "null":
        return _member(path, key, [], True)
    if key == "op" and node.get("inputs") == [] and index in as_list(graph.get("arg_nodes")):
        return _member(path, key, "null", True)
    if key == "name":
        taken = {str(other.get("name")) for other in nodes}
        name = role_of(nodes, index)
        return _member(path, key, FreeNames(taken).like(name) if name in taken else name, False)
    return None


def role_of(nodes: list[dict[str, Any]], index: int) -> str:
    """Return a name for a node without one: of its operator, or after the reader of a variable and what it is to it."""
    op = nodes[index].get("op", "node")
    if op != "null":
        return f"{op}{index}".lower()
    for reader in nodes[index + 1 :]:
        found = [k for k, entry in enumerate(_entries(reader)) if entry[:1] == [index]]
        if found and isinstance(name := reader.get("name"), str):
            roles = ARGUMENTS.get(str(reader.get("op")), ())
            return f"{name}_{roles[found[0]]}" if 0 < found[0] < len(roles) else f"data{index}"
    return f"data{index}"


_BATCH_NORM = ("data", "gamma", "beta", "moving_mean", "moving_var")
ARGUMENTS = {
    **dict.fromkeys(("Convolution", "Deconvolution", "FullyConnected", "Embedding"), ("data", "weight", "bias")),
    "BatchNorm": _BATCH_NORM,
    **dict.fromkeys(("LayerNorm", "InstanceNorm", "GroupNorm"), _BATCH_NORM[:3]),
}


# What a value of the wrong kind was


def respelled(graph: Any, path: Path, found: Any) -> Repair | None:
    """Return the repair for a value of the wrong kind at a path (from the graph on)."""
    nodes = as_dict(graph).get("nodes")
    if not isinstance(nodes, list):
        return None
    if len(path) == 3 and found in ("", None, [], {}):
        return _emptied(path, as_dict(value_at(nodes, path[1:2])) if path[0] == "nodes" else {}, found)
    if type(found) is int and 0 <= found < len(nodes) and (siblings := _siblings(graph, path)):
        return _entry(nodes, path, found, siblings)
    if isinstance(found, str) and _is_node_id(path):
        named = [k for k, other in enumerate(nodes) if as_dict(other).get("name") == found]
        return value_repair(path, named[0], True) if len(named) == 1 else None
    return None


def _emptied(path: Path, node: dict[str, Any], found: Any) -> Repair | None:
    """Return the repair for an empty value of a node's key that holds attributes or a list."""
    key = path[2]
    if key in HOLDERS and node:
        if any(node.get(holder) for holder in HOLDERS):
            return _without(path)  # the node has attributes under another key
        return value_repair(path, {}, found is not None or _has_no_attributes(node))
    return value_repair(path, [], node.get("op") == "null" or key != "inputs") if key in _LISTS else None


def _siblings(graph: dict[str, Any], path: Path) -> list[Any]:
    """Return the list of entries in which a path points at one; empty if it does not."""
    is_input = len(path) == 4 and path[2] == "inputs"
    is_head = len(path) == 2 and path[0] == "heads"
    return as_list(value_at(graph, path[:-1])) if is_input or is_head else []


def _entry(nodes: list[Any], path: Path, found: int, siblings: list[Any]) -> Repair:
    """Return the repair for a node's position in the place of an entry, or for an entry without brackets around it."""
    entries = [entry for entry in siblings if isinstance(entry, list)]
    if not entries and siblings[1:] in ([0], [0, 0]):
        return value_repair(path[:-1], [siblings], False)
    size = 2 if entries and len(entries[0]) == 2 else 3
    is_sure = (bool(entries) or len(siblings) == 1) and _has_one_output(nodes[found])
    return value_repair(path, [found, 0, 0][:size], is_sure)


def _has_no_attributes(node: dict[str, Any]) -> bool:
    """Return whether nothing can be lost with the attributes of a node; MXNet refuses many an operator without them at bind."""
    found = [table(name).get(str(node.get("op"))) for name in ("mxnet", "nnvm")]
    return node.get("op") == "null" or {bool(operator.attributes) for operator in found if operator} == {False}


def _has_one_output(node: Any) -> bool:
    op = as_dict(node).get("op")
    operator = table("mxnet").get(str(op))
    return op == "null" or (operator is not None and [port.kind for port in operator.outputs] == ["required"])


def _is_node_id(path: Path) -> bool:
    in_entry = path[-1] == 0 and (path[-3:-2] == ("inputs",) or path[:1] == ("heads",))
    return in_entry or (len(path) == 2 and path[0] == "arg_nodes")


def restored_entries(items: list[Any]) -> list[list[Any]] | None:
    """Return a list of entries with the brackets around each again ([49, 0, [54, 0]] was [[49, 0], [54, 0]]), if there is one way
    to put them; None if nothing is lost so.

    Entries of a file are all of two numbers, or all of three. Numbers that do not make whole entries were lost otherwise.
    """
    sizes = {len(item) for item in items if isinstance(item, list)}
    if sizes not in ({2}, {3}):
        return None
    size, found, run = sizes.pop(), list[list[Any]](), list[int]()
    for item in [*items, []]:
        if type(item) is int:
            run.append(item)
        elif len(run) % size or not isinstance(item, list):
            return None
        else:
            found += [*(run[k : k + size] for k in range(0, len(run), size)), item]
            run = []
    return found[:-1]


def has_run(items: list[Any]) -> bool:
    """Return whether numbers follow each other next to entries: each alone is not the position of a node."""
    kinds = [type(item) for item in items]
    return list in kinds and (int, int) in pairwise(kinds)


# How a repair is written


def _member(path: Path, key: str, value: Any, is_safe: bool) -> Repair:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        edits = document.insert_member(path, key, document.dump(value))
        return Fix(f"Insert `{key}`", edits, "safe" if is_safe else "unsafe")

    return fix


def _without(path: Path) -> Repair:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Remove key `{path[-1]}`", document.remove(path), "unsafe")

    return fix


def value_repair(path: Path, value: Any, is_safe: bool = True, title: str = "") -> Repair:
    """Return a repair that writes a value."""
    what = title or f"Replace with `{JsonDocument.dump(value)}`"
    return lambda document: Fix(what, document.write(Place(path), value), "safe" if is_safe else "unsafe")
