"""One graph of a file as plain lists, an element per node: what the passes run on."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from irlint.text.base import Path, Place

Entry = list[int]

WRAP = 1 << 32  # indices are read into unsigned 32-bit numbers

NO_ATTRIBUTES: dict[str, str] = {}
_NODE_KEYS = frozenset(
    ("op", "name", "inputs", "attrs", "attr", "param", "backward_source_id", "control_deps", "subgraphs")
)
_ATTRIBUTE_KEYS = ("attrs", "attr", "param")
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
    def unread(self) -> list[int]:
        """Nodes that no operator and no head reads."""
        used = bytearray(len(self.nodes))
        operators = (entries for op, entries in zip(self.ops, self.inputs, strict=True) if op != "null")
        for entries in (self.heads, *operators):
            for entry in entries:
                if 0 <= entry[0] < len(used):
                    used[entry[0]] = 1
        return [k for k, is_used in enumerate(used) if not is_used]

    @cached_property
    def unread_variables(self) -> dict[str, int]:
        """Unused variables by name, without those whose name is not unique."""
        found: dict[str, int] = {}
        several = set()
        for k in self.unread:
            if self.ops[k] == "null" and found.setdefault(self.names[k], k) != k:
                several.add(self.names[k])
        return {name: k for name, k in found.items() if name not in several}

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
        if "attr" not in node and "param" not in node:
            return "attrs"
        for name in effective_keys(node):
            if key in node[name]:
                return name
        return "attrs"

    def head_place(self, k: int) -> Place:
        return Place((*self.path, "heads", self.head_positions[k] if self.head_positions else k))

    def place(self, index: int, part: str) -> Place:
        """The place of a part of a node; parts are named as in irlint.graph.Graph."""
        kind, _, key = part.partition(":")
        if kind == "attr" or kind == "attr_key":
            holder = self.attrs_key(index, key)
            return Place((*self.path, "nodes", index, holder, key), "value" if kind == "attr" else "key")
        path = self.node_path(index)
        if kind == "input":
            at = int(key)
            where = self.positions.get(index)
            return Place((*path, "inputs", where[at] if where else at))
        if kind == "attrs":
            holders = effective_keys(self.originals[index])
            return Place((*path, holders[0])) if holders else Place((*path, "op"))
        if kind == "node":
            return Place(path)
        return Place((*path, kind))


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
    keys = effective_keys(node)
    if len(keys) == 1:
        found = node[keys[0]]
    else:
        found = {}
        for key in reversed(keys):
            found.update(node[key])
    return found


def view_of(raw: dict[str, Any], path: Path = ()) -> GraphView:
    """The view of a graph that its schema found right."""
    return GraphView(raw, path, raw["nodes"], raw["nodes"])


def lenient_view(raw: dict[str, Any], path: Path = ()) -> GraphView:
    """The view of a graph with mistakes in its structure: what cannot be read is left out, and its node marked as broken."""
    listed = raw.get("nodes")
    originals = listed if isinstance(listed, list) else []
    count = len(originals)
    readable = [node if isinstance(node, dict) else {} for node in originals]
    view = GraphView({**raw, "heads": [], "arg_nodes": [], "node_row_ptr": None}, path, [], readable)
    view.raw = raw
    for i, node in enumerate(originals):
        view.nodes.append(_mended(view, i, node, count))
    found = raw.get("heads")
    heads = [(k, entry) for k, entry in enumerate(found) if _is_entry(entry)] if isinstance(found, list) else []
    view.head_positions = [k for k, _ in heads]
    view.heads = [_wrapped(entry, count) for _, entry in heads]
    view.arg_nodes = _integers(raw.get("arg_nodes")) or []
    view.row_ptr = _integers(raw.get("node_row_ptr"))
    return view


def _mended(view: GraphView, index: int, node: Any, count: int) -> dict[str, Any]:
    """A node with all that a node needs."""
    if not isinstance(node, dict):
        view.broken.add(index)
        return {"op": "", "name": "", "inputs": []}
    op, name, entries = node.get("op"), node.get("name"), node.get("inputs")
    kept = [k for k, entry in enumerate(entries) if _is_entry(entry)] if isinstance(entries, list) else []
    if not isinstance(entries, list) or len(kept) != len(entries) or not isinstance(op, str):
        view.broken.add(index)
        view.positions[index] = kept
    if not _NODE_KEYS.issuperset(node):
        view.broken.add(index)  # one of the known keys may be meant
        view.positions.setdefault(index, kept)
    mended = {
        **node,
        "op": op if isinstance(op, str) else "",
        "name": name if isinstance(name, str) else "",
        "inputs": [_wrapped(entries[k], count) for k in kept] if isinstance(entries, list) else [],
    }
    for key in _ATTRIBUTE_KEYS:
        if key in mended:
            if isinstance(mended[key], dict):
                mended[key] = _texts(mended[key])
            else:
                del mended[key]
    return mended


def _is_number(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def _is_entry(value: Any) -> bool:
    return isinstance(value, list) and len(value) in (2, 3) and all(map(_is_number, value))


def _wrapped(entry: list[Any], count: int) -> Entry:
    """An entry as unsigned numbers, where that makes the node one of the graph."""
    node, *rest = (int(n) for n in entry)
    return [node + WRAP if node < 0 and 0 <= node + WRAP < count else node, *rest]


def _integers(value: Any) -> list[int] | None:
    return [int(n) for n in value] if isinstance(value, list) and all(map(_is_number, value)) else None


_DEEPEST = 8  # lists in lists that an attribute may be


def _texts(attrs: dict[str, Any]) -> dict[str, str]:
    return {key: value if isinstance(value, str) else as_text(value) or "" for key, value in attrs.items()}


def as_text(value: Any, depth: int = 0) -> str | None:
    """A JSON value as the family writes it in attributes: "64", "True", "(1, 1)"; None if it has no such form."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, int):
        return str(value)
    if value is None:
        return "None"
    if isinstance(value, list) and depth < _DEEPEST and all(isinstance(v, (int, float, list)) for v in value):
        texts = [as_text(v, depth + 1) for v in value]
        if None not in texts:
            inner = ", ".join(t for t in texts if t)
            return f"({inner},)" if len(texts) == 1 else f"({inner})"
    return None
