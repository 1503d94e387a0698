"""One graph of a file as plain lists, an element per node: what the passes run on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from irlint.text.base import Path, Place

Entry = list[int]

_WRAP = 1 << 32  # indices are read into unsigned 32-bit numbers

_NOTHING: dict[str, str] = {}
_ATTRIBUTE_KEYS = ("attrs", "attr", "param")


@dataclass
class View:
    path: Path  # of the graph's object in the document
    raw: dict[str, Any]
    nodes: list[dict[str, Any]]
    ops: list[str]
    names: list[str]
    inputs: list[list[Entry]]
    attrs: list[dict[str, str]]  # what the loader makes of attrs, attr and param together
    heads: list[Entry]
    arg_nodes: list[int]
    row_ptr: list[int] | None
    odd: list[int]  # nodes with more than op, name, inputs and attrs
    broken: set[int] = field(default_factory=set)  # nodes whose op or inputs could not be read
    positions: dict[int, list[int]] = field(default_factory=dict)  # of broken nodes: where the readable entries stand
    head_positions: list[int] | None = None  # likewise for heads

    def node_path(self, index: int) -> Path:
        return (*self.path, "nodes", index)

    def attrs_key(self, index: int, key: str) -> str:
        """Under which of attrs, attr, param a node keeps an attribute that counts."""
        node = self.nodes[index]
        for name in effective_keys(node):
            if key in node[name]:
                return name
        return "attrs"

    def head_place(self, k: int) -> Place:
        return Place((*self.path, "heads", self.head_positions[k] if self.head_positions else k))

    def place(self, index: int, part: str) -> Place:
        """The place of a part of a node; parts are named as in irlint.graph.Graph."""
        path = self.node_path(index)
        kind, _, key = part.partition(":")
        if kind == "attr" or kind == "attr_key":
            holder = self.attrs_key(index, key)
            return Place((*path, holder, key), "value" if kind == "attr" else "key")
        if kind == "input":
            at = int(key)
            where = self.positions.get(index)
            return Place((*path, "inputs", where[at] if where else at))
        if kind == "attrs":
            holders = effective_keys(self.nodes[index])
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


def effective_attrs(node: dict[str, Any]) -> dict[str, str]:
    keys = effective_keys(node)
    if len(keys) == 1:
        found: dict[str, str] = node[keys[0]]
        return found
    merged: dict[str, str] = {}
    for key in reversed(keys):
        merged.update(node[key])
    return merged


def view_of(raw: dict[str, Any], path: Path = ()) -> View:
    """The view of a graph that its schema found right."""
    nodes = raw["nodes"]
    attrs = [node.get("attrs", _NOTHING) for node in nodes]
    odd = [i for i, node in enumerate(nodes) if len(node) > 4 or (len(node) == 4 and "attrs" not in node)]
    for i in odd:
        attrs[i] = effective_attrs(nodes[i])
    return View(
        path,
        raw,
        nodes,
        [node["op"] for node in nodes],
        [node["name"] for node in nodes],
        [node["inputs"] for node in nodes],
        attrs,
        raw["heads"],
        raw["arg_nodes"],
        raw.get("node_row_ptr"),
        odd,
    )


def lenient_view(raw: dict[str, Any], path: Path = ()) -> View:
    """The view of a graph with mistakes in its structure: what cannot be read is left out, and its node marked as broken."""
    listed = raw.get("nodes")
    count = len(listed) if isinstance(listed, list) else 0
    nodes: list[dict[str, Any]] = []
    inputs: list[list[Entry]] = []
    broken: set[int] = set()
    positions: dict[int, list[int]] = {}
    for i, node in enumerate(listed if isinstance(listed, list) else []):
        if not isinstance(node, dict):
            nodes.append({})
            inputs.append([])
            broken.add(i)
            continue
        nodes.append(node)
        entries = node.get("inputs")
        kept = [k for k, entry in enumerate(entries) if _is_entry(entry)] if isinstance(entries, list) else []
        inputs.append([_wrapped(entries[k], count) for k in kept] if isinstance(entries, list) else [])
        if not isinstance(entries, list) or len(kept) != len(entries) or not isinstance(node.get("op"), str):
            broken.add(i)
            positions[i] = kept
    listed_heads = raw.get("heads")
    heads = list(enumerate(listed_heads)) if isinstance(listed_heads, list) else []
    return View(
        path,
        raw,
        nodes,
        [op if isinstance(op := node.get("op"), str) else "" for node in nodes],
        [name if isinstance(name := node.get("name"), str) else "" for node in nodes],
        inputs,
        [_texts(effective_attrs(node)) for node in nodes],
        [_wrapped(entry, count) for _, entry in heads if _is_entry(entry)],
        _integers(raw.get("arg_nodes")) or [],
        _integers(raw.get("node_row_ptr")),
        list(range(len(nodes))),
        broken,
        positions,
        [k for k, entry in heads if _is_entry(entry)],
    )


def _is_number(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def _is_entry(value: Any) -> bool:
    return isinstance(value, list) and len(value) in (2, 3) and all(map(_is_number, value))


def _wrapped(entry: list[Any], count: int) -> Entry:
    """An entry as unsigned numbers, where that makes the node one of the graph."""
    node, *rest = (int(n) for n in entry)
    return [node + _WRAP if node < 0 and 0 <= node + _WRAP < count else node, *rest]


def _integers(value: Any) -> list[int] | None:
    return [int(n) for n in value] if isinstance(value, list) and all(map(_is_number, value)) else None


def _texts(attrs: dict[str, Any]) -> dict[str, str]:
    return {key: value if isinstance(value, str) else as_text(value) or "" for key, value in attrs.items()}


def as_text(value: Any) -> str | None:
    """A JSON value as the family writes it in attributes: "64", "True", "(1, 1)"; None if it has no such form."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, int):
        return str(value)
    if value is None:
        return "None"
    if isinstance(value, list) and all(isinstance(v, (int, float, list)) for v in value):
        texts = [as_text(v) for v in value]
        if None not in texts:
            inner = ", ".join(t for t in texts if t)
            return f"({inner},)" if len(texts) == 1 else f"({inner})"
    return None
