"""One graph of a file as plain lists, an element per node: what the passes run on."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

from irlint.formats.nnvm.reading.json_values import as_dict, as_list, as_text, integers, is_entry
from irlint.text.base import Path, Place

Entry = list[int]

WRAP = 1 << 32  # indices are read into unsigned 32-bit numbers

NO_ATTRIBUTES: dict[str, str] = {}
HOLDERS = ("attrs", "attr", "param")  # what the key of a node's attributes has been called
_NODE_KEYS = frozenset(("op", "name", "inputs", *HOLDERS, "backward_source_id", "control_deps", "subgraphs"))
NESTING = frozenset(("_foreach", "_while_loop", "_cond", "_sg_mkldnn_conv", "_sg_mkldnn_fully_connected", "_CachedOp"))


class GraphView:
    """One graph. `nodes` are fit to be read: with op, name and inputs, and attributes that are texts."""

    def __init__(self, raw: dict[str, Any], path: Path, nodes: list[dict[str, Any]], originals: list[Any]) -> None:
        self.raw = raw
        self.path = path  # of the graph's object in the document
        self.nodes = nodes
        self.originals = originals  # the nodes as they stand in the file
        self.heads: list[Entry] = raw.get("heads") or []
        self.arg_nodes: list[int] = raw.get("arg_nodes") or []
        self.row_ptr: list[int] | None = raw.get("node_row_ptr")
        self.broken: set[int] = set()  # nodes whose op or inputs could not be read
        self.positions: dict[int, list[int]] = {}  # of broken nodes: where the readable entries stand
        self.head_positions: list[int] | None = None  # likewise for heads
        self.runs = True  # false if it is nested in an operator that takes no subgraphs: it is loaded, and that is all

    @cached_property
    def ops(self) -> list[str]:
        return [node["op"] for node in self.nodes]

    @cached_property
    def names(self) -> list[str]:
        return [node["name"] for node in self.nodes]

    @cached_property
    def inputs(self) -> list[list[Entry]]:
        return [node["inputs"] for node in self.nodes]

    @cached_property
    def attrs(self) -> list[dict[str, str]]:
        """What the loader makes of attrs, attr and param together."""
        return [attributes(node) for node in self.nodes]

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the inputs of all nodes."""
        return [entry for entries in self.inputs for entry in entries]

    @cached_property
    def variables(self) -> list[int]:
        return [i for i, op in enumerate(self.ops) if op == "null"]

    @cached_property
    def calls(self) -> list[tuple[int, list[Entry]]]:
        """The operators, each with its inputs; what a variable lists is not read."""
        return [(i, entries) for i, entries in enumerate(self.inputs) if self.ops[i] != "null"]

    @cached_property
    def unread(self) -> list[int]:
        """Nodes that no operator and no head reads."""
        read = {entry[0] for _, entries in self.calls for entry in entries}
        read.update(entry[0] for entry in self.heads)
        return [k for k in range(len(self.nodes)) if k not in read]

    @cached_property
    def unread_variables(self) -> dict[str, int]:
        """Unused variables by name, without those whose name is not unique."""
        unread = {k: self.names[k] for k in self.unread if self.ops[k] == "null"}
        counts = Counter(unread.values())
        return {name: k for k, name in unread.items() if counts[name] == 1}

    @cached_property
    def unread_end(self) -> list[int]:
        """The node whose value nobody reads, if it is only one: operators count first, as labels may be left over."""
        operators = [k for k in self.unread if self.ops[k] != "null"]
        found = operators or self.unread
        return found if len(found) == 1 else []

    def has(self, index: int) -> bool:
        return 0 <= index < len(self.nodes)

    def is_variable(self, index: int) -> bool:
        """Return whether an entry with this index refers to a variable."""
        return 0 <= index < len(self.nodes) and self.nodes[index]["op"] == "null"

    def node_path(self, index: int) -> Path:
        return (*self.path, "nodes", index)

    def attrs_key(self, index: int, key: str) -> str:
        """Under which of attrs, attr, param a node keeps an attribute that counts."""
        node = self.originals[index]
        return next((holder for holder in effective_keys(node) if key in node[holder]), "attrs")

    def head_place(self, k: int) -> Place:
        return Place((*self.path, "heads", self.head_positions[k] if self.head_positions else k))

    def place(self, index: int, part: str) -> Place:
        """The place of a part of a node; parts are named as in irlint.graph.Graph."""
        kind, _, key = part.partition(":")
        path = self.node_path(index)
        if kind in ("attr", "attr_key"):
            return Place((*path, self.attrs_key(index, key), key), "value" if kind == "attr" else "key")
        if kind == "input":
            at = int(key)
            positions = self.positions.get(index)
            return Place((*path, "inputs", positions[at] if positions else at))
        if kind == "attrs":
            kind = (*effective_keys(self.originals[index]), "op")[0]
        return Place(path if kind == "node" else (*path, kind))


def effective_keys(node: dict[str, Any]) -> list[str]:
    """The keys that a node's attributes come from, the one that counts first: the last of attrs and attr, then param."""
    found = [key for key in node if key in ("attrs", "attr") and isinstance(node[key], dict)][-1:]
    if isinstance(node.get("param"), dict):
        found.append("param")
    return found


def attributes(node: dict[str, Any]) -> dict[str, str]:
    """The attributes that count."""
    found: dict[str, str]
    size = len(node)
    if size == 3:
        return NO_ATTRIBUTES
    if size == 4 and "attrs" in node:
        found = node["attrs"]
        return found
    found = {}
    for holder in reversed(effective_keys(node)):
        found |= node[holder]
    return found


def view_of(raw: dict[str, Any], path: Path = ()) -> GraphView:
    """The view of a graph that its schema found right."""
    return GraphView(raw, path, raw["nodes"], raw["nodes"])


def lenient_view(raw: dict[str, Any], path: Path = ()) -> GraphView:
    """The view of a graph with mistakes in its structure: what cannot be read is left out, and its node marked as broken."""
    originals = as_list(raw.get("nodes"))
    view = GraphView({**raw, "heads": [], "arg_nodes": [], "node_row_ptr": None}, path, [], [*map(as_dict, originals)])
    view.raw = raw
    for i, node in enumerate(view.originals):
        view.nodes.append(_mended(view, i, node))
    heads = as_list(raw.get("heads"))
    view.head_positions = [k for k, entry in enumerate(heads) if is_entry(entry)]
    view.heads = [_wrapped(heads[k], len(originals)) for k in view.head_positions]
    view.arg_nodes = integers(raw.get("arg_nodes")) or []
    view.row_ptr = integers(raw.get("node_row_ptr"))
    return view


def _mended(view: GraphView, index: int, node: dict[str, Any]) -> dict[str, Any]:
    """A node with all that a node needs."""
    op, name, entries = node.get("op"), node.get("name"), node.get("inputs")
    given = as_list(entries)
    kept = [k for k, entry in enumerate(given) if is_entry(entry)]
    is_read = isinstance(op, str) and isinstance(entries, list) and len(kept) == len(given)
    if not is_read or not _NODE_KEYS.issuperset(node):  # one of the known keys may be meant by another
        view.broken.add(index)
        view.positions[index] = kept
    mended = {
        **node,
        "op": op if isinstance(op, str) else "",
        "name": name if isinstance(name, str) else "",
        "inputs": [_wrapped(given[k], len(view.originals)) for k in kept],
    }
    for holder in mended.keys() & HOLDERS:
        if isinstance(attrs := mended[holder], dict):
            mended[holder] = {
                key: value if isinstance(value, str) else as_text(value) or "" for key, value in attrs.items()
            }
        else:
            del mended[holder]
    return mended


def _wrapped(entry: list[Any], count: int) -> Entry:
    """An entry as unsigned numbers, where that makes the node one of the graph."""
    node, *rest = (int(n) for n in entry)
    return [node + WRAP if -WRAP <= node < count - WRAP else node, *rest]
