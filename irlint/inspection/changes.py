"""Differences between two models: added and removed nodes, and changes of the others and of the outputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any, Literal

from irlint.formats.base import all_formats
from irlint.graph import Graph, Node, Source
from irlint.inspection import markers
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.matching import GraphSide, match
from irlint.inspection.types import type_lookup, type_text
from irlint.inspection.weights import WeightValues
from irlint.operators import Attribute
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.floats import spelled

_NONE = object()  # in the place of an attribute that a node does not have
Status = Literal["same", "added", "removed", "changed", "follows"]


class NodeChange(NamedTuple):
    """One thing that changed: "operator", "name", "attribute", "weights", "input", "type", "output" or "version"; `key` identifies one of
    several. None where there was nothing, or is nothing left."""

    what: str
    key: str
    old: str | None
    new: str | None
    attribute: Attribute | None = None  # one whose name does not say what it means


class ChangedNode(NamedTuple):
    """A node that was added, removed or changed; the name and operator are the new ones where it has both."""

    name: str
    op: str
    changes: tuple[NodeChange, ...] = ()


class NodePair(NamedTuple):
    """A node before and after, each with its graph; None where there was none, or is none left."""

    old: tuple[Graph, Node] | None
    new: tuple[Graph, Node] | None
    status: Status
    changes: tuple[NodeChange, ...] = ()


class Difference(NamedTuple):
    added: list[ChangedNode]
    removed: list[ChangedNode]
    changed: list[ChangedNode]  # by themselves
    follows: list[ChangedNode]  # as a consequence: only the types of their outputs
    outputs: list[NodeChange]
    versions: list[NodeChange]  # of operators, which the files declare
    same: int  # nodes that are what they were
    pairs: list[NodePair]

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed or self.follows or self.outputs or self.versions)


class _Reading:
    """The view of one model for the comparison."""

    def __init__(self, model: Model, foreign: bool, canonical: bool) -> None:
        """`foreign`: the other model is of another format; `canonical`: its operators come from another table."""
        self.model, self.foreign = model, foreign
        names = CanonicalNames(model)
        self.op: Callable[[Node], str] = names.of if canonical else lambda node: node.op
        self.kind: Callable[[Node], str] = names.kind_of if foreign else lambda node: node.kind
        self.type_of = type_lookup(model)

    def side(self, graph: Graph) -> GraphSide:
        return GraphSide(graph, self.same, self.alike, self.name, markers(graph) if self.foreign else set())

    def same(self, node: Node) -> tuple[str, ...]:
        if self.foreign:
            return self.alike(node)
        return (*self.alike(node), *(f"{key}={value!r}" for key, value in sorted(_plain(node).items())))

    def alike(self, node: Node) -> tuple[str, ...]:
        kind = self.kind(node)
        return ("leaf",) if self.foreign and kind != "call" else (kind, self.op(node))

    def name(self, node: Node) -> str:
        """Return a node's name; a call's id in a listing is its position, not its name."""
        return node.name if node.kind != "call" or all_formats()[self.model.format].names_calls else ""

    def attribute(self, node: Node, key: str) -> Attribute | None:
        """Return an attribute whose name does not say what it means."""
        operator = self.model.operator(node)
        found = operator.attributes.get(key) if operator else None
        return found if found is not None and found.label else None

    def entry(self, node: Node, changes: tuple[NodeChange, ...] = ()) -> ChangedNode:
        return ChangedNode(node.name, self.op(node), changes)

    def source(self, graph: Graph, source: Source) -> str | None:
        if source[0] < 0:
            return None
        node = graph.nodes[source[0]]
        name = node.name or node.op
        return f"{name}:{source[1]}" if source[1] else name


def _plain(node: Node) -> dict[str, Any]:
    """Return the attributes that are not graphs: the nodes of those are compared one by one."""
    if not node.graphs:
        return node.attrs
    held = {id(graph) for graph in node.graphs}
    return {
        key: value
        for key, value in node.attrs.items()
        if not any(id(one) in held for one in (value if isinstance(value, tuple) else (value,)))
    }


def _versions(old: Model, new: Model) -> list[NodeChange]:
    before, after = (dict(all_formats()[model.format].versions(model)) for model in (old, new))
    return [
        NodeChange("version", word, before.get(word), after.get(word))
        for word in {**before, **after}
        if before.get(word) != after.get(word)
    ]


def differences(old: Model, new: Model, weights: bool = False) -> Difference:
    """What changed from one model to the other. Across formats operators go by canonical names, and attributes, which have
    no common names, are left out. `weights`: the values of constants are compared, too, where both models have them.
    """
    foreign = old.format != new.format
    canonical = foreign or (old.operators and old.operators.name) != (new.operators and new.operators.name)
    a, b = _Reading(old, foreign, canonical), _Reading(new, foreign, canonical)
    values = WeightValues(old, new) if weights else None
    pairs: list[NodePair] = []
    outputs: list[NodeChange] = []
    graphs = deque([(old.graph, new.graph)])
    while graphs:
        before, after = graphs.popleft()
        left, right = a.side(before), b.side(after)
        matched = match(left, right, names_first=not foreign)
        if before is old.graph:
            sources = list(before.outputs), list(after.outputs)
            outputs += [NodeChange("output", *rest) for rest in _sources(a, b, before, after, *sources, matched)]
        for pair in _pairs(a, b, left, right, matched, values):
            pairs.append(pair)
            if pair.old is not None and pair.new is not None:
                graphs.extend(zip(pair.old[1].graphs, pair.new[1].graphs, strict=False))

    def entries(status: Status) -> list[ChangedNode]:
        of, key = (a, "old") if status == "removed" else (b, "new")
        return [of.entry(getattr(pair, key)[1], pair.changes) for pair in pairs if pair.status == status]

    same = sum(pair.status == "same" for pair in pairs)
    lists = (entries("added"), entries("removed"), entries("changed"), entries("follows"))
    return Difference(*lists, outputs, [] if foreign else _versions(old, new), same, pairs)


def _pairs(
    a: _Reading, b: _Reading, left: GraphSide, right: GraphSide, matched: dict[int, int], values: WeightValues | None
) -> Iterator[NodePair]:
    """Yield the nodes of two graphs: those that are gone, new ones, and those that both have, in the order of the new graph."""
    before, after, staying = left.graph, right.graph, set(matched.values())
    yield from (NodePair((before, before.nodes[i]), None, "removed") for i in left.names if i not in matched)
    yield from (NodePair(None, (after, after.nodes[i]), "added") for i in right.names if i not in staying)
    found: dict[int, tuple[Node, tuple[NodeChange, ...]]] = {}
    for i, j in sorted(matched.items(), key=lambda pair: pair[1]):
        node, now = before.nodes[i], after.nodes[j]
        changes = tuple(_changes(a, b, (before, node), (after, now), matched))
        if values is not None and values.differ(node, now):
            changes = (NodeChange("weights", "", None, None), *changes)
        found[j] = node, changes
    moved = {j for j in right.names if j not in staying or found[j][1]}
    for j, (node, changes) in found.items():
        now = after.nodes[j]
        yield NodePair((before, node), (after, now), _status(now, changes, moved), changes)


def _status(node: Node, changes: Sequence[NodeChange], moved: Set[int]) -> Status:
    """Return what became of a node; one whose inputs have changed, and only its types, follows."""
    if not changes:
        return "same"
    only_types = all(change.what == "type" for change in changes)
    return "follows" if only_types and any(source[0] in moved for source in node.inputs) else "changed"


def _changes(
    a: _Reading, b: _Reading, old: tuple[Graph, Node], new: tuple[Graph, Node], pairs: dict[int, int]
) -> Iterator[NodeChange]:
    (before, node), (after, now) = old, new
    if a.alike(node) != b.alike(now):
        yield NodeChange("operator", "", a.op(node), b.op(now))
    if not a.foreign:
        if a.name(node) != b.name(now):
            yield NodeChange("name", "", node.name, now.name)
        had, has = _plain(node), _plain(now)
        for key in dict.fromkeys((*had, *has)):
            was, is_ = had.get(key, _NONE), has.get(key, _NONE)
            if was != is_:
                old_new = tuple(None if value is _NONE else spelled(value) for value in (was, is_))
                yield NodeChange(
                    "attribute", key, old_new[0], old_new[1], b.attribute(now, key) or a.attribute(node, key)
                )
    inputs = _sources(a, b, before, after, list(node.inputs), list(now.inputs), pairs)
    yield from (NodeChange("input", *rest) for rest in inputs)
    for k in range(min(len(node.outputs), len(now.outputs))):
        was_type, is_type = a.type_of(before, node, k), b.type_of(after, now, k)
        if any(None not in (was, is_) and was != is_ for was, is_ in zip(was_type, is_type, strict=True)):
            yield NodeChange("type", str(k) if k else "", type_text(was_type), type_text(is_type))


def _sources(
    a: _Reading, b: _Reading, before: Graph, after: Graph, old: list[Source], new: list[Source], pairs: dict[int, int]
) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the positions where two lists of sources differ, with both sources."""
    for k in range(max(len(old), len(new))):
        was, is_ = old[k] if k < len(old) else None, new[k] if k < len(new) else None
        meant = None if was is None else (pairs.get(was[0], -2) if was[0] >= 0 else -1, was[1])
        if meant != (None if is_ is None else tuple(is_)):
            yield str(k), was and a.source(before, was), is_ and b.source(after, is_)
