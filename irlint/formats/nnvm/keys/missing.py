"""Keys and entries that a graph lacks or spells wrong, where the rest of it tells what they were."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

from irlint.findings import Fix, Safety
from irlint.operators import table
from irlint.text.base import Document, Path, Place
from irlint.text.json.document import JsonDocument
from irlint.text.numbers import decimal
from irlint.tools.names import FreeNames

Repair = Callable[[Document], "Fix | None"]

_LISTS = ("inputs", "control_deps", "subgraphs")
_OBJECTS = ("attrs", "attr", "param")


def restored(graph: Any, path: Path, key: str) -> Repair | None:
    """The repair for a key that an object at a path (from the graph on) lacks."""
    if not isinstance(graph, dict) or not isinstance(nodes := graph.get("nodes"), list):
        return None
    if not all(isinstance(node, dict) for node in nodes):
        return None
    if not path:
        return _of_graph(path, nodes, key)
    if len(path) == 2 and path[0] == "nodes" and isinstance(path[1], int):
        return _of_node(graph, nodes, path, key)
    return None


def _of_graph(path: Path, nodes: list[dict[str, Any]], key: str) -> Repair | None:
    if key == "arg_nodes" and all(isinstance(node.get("op"), str) for node in nodes):
        return _member(path, key, [k for k, node in enumerate(nodes) if node["op"] == "null"], "safe")
    if key == "node_row_ptr" and (counts := [_outputs(node) for node in nodes]) and None not in counts:
        return _member(path, key, [0, *accumulate(count for count in counts if count is not None)], "safe")
    return _heads(path, nodes) if key == "heads" else None


def _heads(path: Path, nodes: list[dict[str, Any]]) -> Repair | None:
    """The repair for missing heads: what nothing uses."""
    entries = [entry for node in nodes for entry in _entries(node)]
    read = {entry[0] for entry in entries if entry and isinstance(entry[0], int)}
    unread = [[k, 0, 0] for k in range(len(nodes)) if k not in read and nodes[k].get("op") != "null"]
    return _member(path, "heads", unread, "unsafe") if unread else None


def _entries(node: dict[str, Any]) -> list[list[Any]]:
    """The inputs of a node, as far as they are lists; one that is none is an empty one."""
    inputs = node.get("inputs")
    return [entry if isinstance(entry, list) else [] for entry in inputs] if isinstance(inputs, list) else []


def _outputs(node: dict[str, Any]) -> int | None:
    """How many values a node of a TVM graph has."""
    if node.get("op") == "null":
        return 1
    attrs = node.get("attrs")
    count = attrs.get("num_outputs") if isinstance(attrs, dict) else None
    return decimal(count, 5) if isinstance(count, str) else None


def _of_node(graph: dict[str, Any], nodes: list[dict[str, Any]], path: Path, key: str) -> Repair | None:
    index = int(path[1])
    node, variables = nodes[index], graph.get("arg_nodes")
    if key == "inputs" and node.get("op") == "null":
        return _member(path, key, [], "safe")
    if key == "op" and node.get("inputs") == [] and isinstance(variables, list) and index in variables:
        return _member(path, key, "null", "safe")
    if key == "name":
        taken = {str(other.get("name")) for other in nodes}
        name = role_of(nodes, index)
        return _member(path, key, FreeNames(taken).like(name) if name in taken else name, "unsafe")
    return None


def role_of(nodes: list[dict[str, Any]], index: int) -> str:
    """A name for a node without one: of its operator, or after the reader of a variable and what it is to it."""
    node = nodes[index]
    if node.get("op") != "null":
        return f"{node.get('op', 'node')}{index}".lower()
    for reader in nodes[index + 1 :]:
        found = [k for k, entry in enumerate(_entries(reader)) if entry[:1] == [index]]
        if found and isinstance(name := reader.get("name"), str):
            roles = ARGUMENTS.get(str(reader.get("op")), ())
            return f"{name}_{roles[found[0]]}" if found[0] < len(roles) and found[0] else f"data{index}"
    return f"data{index}"


_BATCH_NORM = ("data", "gamma", "beta", "moving_mean", "moving_var")
ARGUMENTS = {
    **dict.fromkeys(("Convolution", "Deconvolution", "FullyConnected", "Embedding"), ("data", "weight", "bias")),
    "BatchNorm": _BATCH_NORM,
    **dict.fromkeys(("LayerNorm", "InstanceNorm", "GroupNorm"), _BATCH_NORM[:3]),
}


def respelled(graph: Any, path: Path, found: Any) -> Repair | None:
    """The repair for a value of the wrong kind at a path (from the graph on)."""
    if not isinstance(graph, dict) or not isinstance(nodes := graph.get("nodes"), list):
        return None
    node = nodes[path[1]] if len(path) > 2 and path[0] == "nodes" and isinstance(path[1], int) else None
    if len(path) == 3 and (found in ("", None) or found == [] or found == {}):
        return _emptied(path, node if isinstance(node, dict) else {}, found)
    if type(found) is int and 0 <= found < len(nodes) and (siblings := _siblings(graph, path, node)) is not None:
        return _entry(nodes, path, found, siblings)
    if isinstance(found, str) and _is_node_id(path):
        named = [k for k, other in enumerate(nodes) if isinstance(other, dict) and other.get("name") == found]
        return _value(path, named[0], "safe") if len(named) == 1 else None
    return None


def _emptied(path: Path, node: dict[str, Any], found: Any) -> Repair | None:
    """The repair for an empty value of a node's key that holds attributes or a list."""
    key = path[2]
    if key in _OBJECTS and node:
        if any(node.get(other) for other in _OBJECTS if other != key):
            return _without(path)  # the node has attributes under another key
        return _value(path, {}, "safe" if found is not None or _has_no_attributes(node) else "unsafe")
    if key in _LISTS:
        is_sure = bool(node) and (node.get("op") == "null" or key != "inputs")
        return _value(path, [], "safe" if is_sure else "unsafe")
    return None


def _siblings(graph: dict[str, Any], path: Path, node: Any) -> list[Any] | None:
    """The list of entries in which a path points at one."""
    if len(path) == 4 and path[2] == "inputs" and isinstance(node, dict) and isinstance(node["inputs"], list):
        found: list[Any] = node["inputs"]
        return found
    return graph["heads"] if len(path) == 2 and path[0] == "heads" else None


def _entry(nodes: list[Any], path: Path, found: int, siblings: list[Any]) -> Repair:
    """A node's position in the place of an entry, or an entry without brackets around it."""
    entries = [entry for entry in siblings if isinstance(entry, list)]
    if not entries and len(siblings) in (2, 3) and siblings[1:] == [0] * (len(siblings) - 1):
        return _value(path[:-1], [siblings], "unsafe")
    size = len(entries[0]) if entries and len(entries[0]) in (2, 3) else 3
    is_sure = (bool(entries) or len(siblings) == 1) and _has_one_output(nodes[found])
    return _value(path, [found, 0, 0][:size], "safe" if is_sure else "unsafe")


def _has_no_attributes(node: dict[str, Any]) -> bool:
    """Return whether nothing can be lost with the attributes of a node; MXNet refuses many an operator without them at bind."""
    found = [table(name).get(str(node.get("op"))) for name in ("mxnet", "nnvm")]
    known = [operator for operator in found if operator is not None]
    return node.get("op") == "null" or (bool(known) and not any(operator.attributes for operator in known))


def _has_one_output(node: Any) -> bool:
    if not isinstance(node, dict) or not isinstance(op := node.get("op"), str):
        return False
    operator = table("mxnet").get(op)
    return op == "null" or (operator is not None and [port.kind for port in operator.outputs] == ["required"])


def _is_node_id(path: Path) -> bool:
    in_entry = path[-1] == 0 and (path[-3:-2] == ("inputs",) or path[:1] == ("heads",))
    return in_entry or (len(path) == 2 and path[0] == "arg_nodes")


def _member(path: Path, key: str, value: Any, safety: Safety) -> Repair:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Insert `{key}`", document.insert_member(path, key, document.dump(value)), safety)

    return fix


def _without(path: Path) -> Repair:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Remove key `{path[-1]}`", document.remove(path), "unsafe")

    return fix


def _value(path: Path, value: Any, safety: Safety) -> Repair:
    return lambda document: Fix(
        f"Replace with `{JsonDocument.dump(value)}`", document.write(Place(path), value), safety
    )
