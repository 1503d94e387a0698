"""Differences between two models: added and removed nodes, and changes of the others and of the outputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from irlint.flat.canonical import CanonicalNames
from irlint.flat.matching import GraphSide, match
from irlint.flat.summary import known
from irlint.flat.view import markers
from irlint.formats.base import all_formats
from irlint.graph import Graph, Node, Source, Type
from irlint.records import NamedTuple
from irlint.rules.base import Model


class NodeChange(NamedTuple):
    """One thing that changed: "operator", "name", "attribute", "input", "type" or "output"; `key` identifies one of several.
    None where there was nothing, or is nothing left."""

    what: str
    key: str
    old: str | None
    new: str | None


class ChangedNode(NamedTuple):
    """A node that was added, removed or changed; the name and operator are the new ones where it has both."""

    name: str
    op: str
    changes: tuple[NodeChange, ...] = ()


class Difference(NamedTuple):
    added: list[ChangedNode]
    removed: list[ChangedNode]
    changed: list[ChangedNode]
    outputs: list[NodeChange]
    same: int  # nodes that are what they were

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed or self.outputs)


class _Reading:
    """The view of one model for the comparison."""

    def __init__(self, model: Model, foreign: bool, canonical: bool) -> None:
        """`foreign`: the other model is of another format; `canonical`: its operators come from another table."""
        self.model, self.foreign = model, foreign
        names = CanonicalNames(model)
        self.op: Callable[[Node], str] = names.of if canonical else lambda node: node.op
        self.kind: Callable[[Node], str] = names.kind_of if foreign else lambda node: node.kind
        self.type_of = known(model)

    def side(self, graph: Graph) -> GraphSide:
        return GraphSide(graph, self.same, self.alike, self.name, markers(graph) if self.foreign else set())

    def same(self, node: Node) -> tuple[str, ...]:
        if self.foreign:
            return self.alike(node)
        return (*self.alike(node), *(f"{key}={value!r}" for key, value in sorted(node.attrs.items())))

    def alike(self, node: Node) -> tuple[str, ...]:
        kind = self.kind(node)
        return ("leaf",) if self.foreign and kind != "call" else (kind, self.op(node))

    def name(self, node: Node) -> str:
        """Return a node's name; a call's id in a listing is its position, not its name."""
        return node.name if node.kind != "call" or all_formats()[self.model.format].names_calls else ""

    def entry(self, node: Node, changes: tuple[NodeChange, ...] = ()) -> ChangedNode:
        return ChangedNode(node.name, self.op(node), changes)

    def source(self, graph: Graph, source: Source) -> str | None:
        if source[0] < 0:
            return None
        node = graph.nodes[source[0]]
        name = node.name or node.op
        return f"{name}:{source[1]}" if source[1] else name


def differences(old: Model, new: Model) -> Difference:
    """What changed from one model to the other. Across formats operators go by canonical names, and attributes, which have
    no common names, are left out."""
    foreign = old.format != new.format
    canonical = foreign or (old.operators and old.operators.name) != (new.operators and new.operators.name)
    a, b = _Reading(old, foreign, canonical), _Reading(new, foreign, canonical)
    found = Difference([], [], [], [], 0)
    same = 0
    graphs = deque([(old.graph, new.graph)])
    while graphs:
        before, after = graphs.popleft()
        left, right = a.side(before), b.side(after)
        pairs = match(left, right, names_first=not foreign)
        staying = set(pairs.values())
        found.removed.extend(a.entry(before.nodes[i]) for i in left.names if i not in pairs)
        found.added.extend(b.entry(after.nodes[i]) for i in right.names if i not in staying)
        for i, j in sorted(pairs.items(), key=lambda pair: pair[1]):
            node, now = before.nodes[i], after.nodes[j]
            changes = tuple(_changes(a, b, (before, node), (after, now), pairs))
            same += not changes
            if changes:
                found.changed.append(b.entry(now, changes))
            graphs.extend(zip(node.graphs, now.graphs, strict=False))
        if before is old.graph:
            sources = list(before.outputs), list(after.outputs)
            found.outputs.extend(NodeChange("output", *rest) for rest in _sources(a, b, before, after, *sources, pairs))
    return found._replace(same=same)


def _changes(
    a: _Reading, b: _Reading, old: tuple[Graph, Node], new: tuple[Graph, Node], pairs: dict[int, int]
) -> Iterator[NodeChange]:
    (before, node), (after, now) = old, new
    if a.alike(node) != b.alike(now):
        yield NodeChange("operator", "", a.op(node), b.op(now))
    if not a.foreign:
        if a.name(node) != b.name(now):
            yield NodeChange("name", "", node.name, now.name)
        for key in dict.fromkeys((*node.attrs, *now.attrs)):
            was, is_ = node.attrs.get(key), now.attrs.get(key)
            if was != is_ or (key in node.attrs) != (key in now.attrs):
                yield NodeChange("attribute", key, _shown(node.attrs, key), _shown(now.attrs, key))
    inputs = _sources(a, b, before, after, list(node.inputs), list(now.inputs), pairs)
    yield from (NodeChange("input", *rest) for rest in inputs)
    for k in range(min(len(node.outputs), len(now.outputs))):
        was_type, is_type = a.type_of(before, node, k), b.type_of(after, now, k)
        known_both = was_type[0] and is_type[0] and was_type[0] != is_type[0]
        if known_both or (was_type[1] is not None and is_type[1] is not None and was_type[1] != is_type[1]):
            yield NodeChange("type", str(k) if k else "", _type(was_type), _type(is_type))


def _sources(
    a: _Reading, b: _Reading, before: Graph, after: Graph, old: list[Source], new: list[Source], pairs: dict[int, int]
) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the positions where two lists of sources differ, with both sources."""
    for k in range(max(len(old), len(new))):
        was, is_ = old[k] if k < len(old) else None, new[k] if k < len(new) else None
        meant = None if was is None else (pairs.get(was[0], -2) if was[0] >= 0 else -1, was[1])
        if meant != (None if is_ is None else tuple(is_)):
            yield str(k), was and a.source(before, was), is_ and b.source(after, is_)


def _shown(attributes: dict[str, Any], key: str) -> str | None:
    return str(attributes[key]) if key in attributes else None


def _type(type_: Type) -> str:
    shape = "" if type_.shape is None else "[" + ", ".join("?" if d is None else str(d) for d in type_.shape) + "]"
    return " ".join(part for part in (type_.dtype, shape) if part)
