"""Differences between two models: added and removed nodes, and changes of the others, of the outputs and of what the files say beside."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence, Set

from irlint.graph import Graph, Node
from irlint.inspection.review.across import compare
from irlint.inspection.review.difference import Difference, NodeChange, NodePair, Status, entries, held_graphs
from irlint.inspection.review.form import Form
from irlint.inspection.review.matching import GraphSide, match
from irlint.inspection.review.node_changes import (
    ModelReading,
    carried_inputs,
    model_changes,
    node_changes,
    sources,
    written_changes,
)
from irlint.inspection.weights import WeightValues
from irlint.rules.base import Model

_COUNTED = ("number", "link", "trace", "default", "renamed", "carried")  # roles of changes that are worth no line
OF_WEIGHTS = "of weights"  # whose order changed
_MANY = 2  # nodes with other names, of which no more than the half has its old name: another program named them
Found = dict[int, tuple[Node, list[NodeChange]]]


def _versions(old: ModelReading, new: ModelReading) -> list[NodeChange]:
    before, after = dict(old.versions), dict(new.versions)
    return [
        NodeChange("version", word, before.get(word), after.get(word))
        for word in {**before, **after}
        if before.get(word) != after.get(word)
    ]


def differences(old: Model, new: Model, weights: bool = False, network: bool = False) -> Difference:
    """What changed from one model to the other; across formats see `across.py`. `weights`: the values of constants are compared, too,
    where both models have them. `network`: if nodes were added or removed, it is said what both networks have in common.
    """
    if old.format != new.format:
        return compare(Form(old, weights), Form(new, weights))
    canonical = (old.operators and old.operators.name) != (new.operators and new.operators.name)
    found = _Comparison(
        ModelReading(old, canonical), ModelReading(new, canonical), WeightValues(old, new) if weights else None
    )
    graphs = deque([(old.graph, new.graph)])
    while graphs:
        for pair in found.graphs(*graphs.popleft()):
            if pair.old is not None and pair.new is not None:
                before, after = held_graphs(pair.old[1]), held_graphs(pair.new[1])
                graphs.extend((graph, after[key]) for key, graph in before.items() if key in after)
    result = found.result()
    if network and (result.added or result.removed):
        return result._replace(network=compare(Form(old, weights), Form(new, weights)).network)
    return result


class _Comparison:
    """What is found, graph by graph."""

    def __init__(self, a: ModelReading, b: ModelReading, values: WeightValues | None) -> None:
        self.a, self.b, self.values = a, b, values
        self.pairs: list[NodePair] = []
        self.outputs: list[NodeChange] = []
        self.model: list[NodeChange] = []
        self.counted: dict[str, list[NodeChange]] = {}
        self.carried: Counter[int] = (
            Counter()
        )  # constants by id() that are attributes in the other model, and how often

    def graphs(self, before: Graph, after: Graph) -> list[NodePair]:
        """Compare two graphs, and return their nodes."""
        a, b = self.a, self.b
        left, right = a.side(before), b.side(after)
        matched = self._without_chance(left.graph, right.graph, match(left, right))
        if before is a.model.graph:
            self.model += _order(before, after, matched)
        elif len(before.inputs) == len(after.inputs):  # of a body, which its node fills by their places
            given = dict(zip(before.inputs, after.inputs, strict=True))
            taken = {*given.values()}
            matched = {i: j for i, j in matched.items() if i not in given and j not in taken} | given
        within = "" if before is a.model.graph else f" of {after.name!r}" if after.name else " of a nested graph"
        ends = sources(a, b, before, after, list(before.outputs), list(after.outputs), matched)
        self.outputs += [NodeChange("output", f"{key}{within}", was, is_) for key, was, is_ in ends]
        found = list(self._pairs(left, right, matched))
        self.pairs += found
        return found

    def _without_chance(self, before: Graph, after: Graph, matched: dict[int, int]) -> dict[int, int]:
        """Return the pairs without constants of other names and values that no node of both graphs reads in one place."""
        pairs = {i: (before.nodes[i], after.nodes[j]) for i, j in matched.items()}
        renamed = {i: matched[i] for i, (node, now) in pairs.items() if self._is_renamed(node, now)}
        for node, now in pairs.values() if renamed else ():
            for was, is_ in zip(node.inputs, now.inputs, strict=False):
                if renamed.get(was[0]) == is_[0]:
                    del renamed[was[0]]
        others = {i for i in renamed if self.values is not None and self.values.distance(*pairs[i])}
        found = {i: j for i, j in matched.items() if i not in others}
        return found | (self._by_name(before, after, found) if others else {})

    def _by_name(self, before: Graph, after: Graph, found: dict[int, int]) -> dict[int, int]:
        """Return the constants without a pair that have one name."""
        old, new = self._left(self.a, before, found.keys()), self._left(self.b, after, {*found.values()})
        return {i: new[name] for name, i in old.items() if name in new}

    def _left(self, of: ModelReading, graph: Graph, known: Set[int]) -> dict[str, int]:
        """Return constants without a pair by their names."""
        constants = (node for node in graph.nodes if node.kind == "const" and node.index not in known)
        return {name: node.index for node in constants if (name := of.name(node))}

    def _is_renamed(self, node: Node, now: Node) -> bool:
        was, is_ = self.a.name(node), self.b.name(now)
        is_longer = bool(was and is_) and (was.startswith(is_) or is_.startswith(was))  # as w_compressed
        return node.kind == now.kind == "const" and was != is_ and not is_longer

    def result(self) -> Difference:
        a, b = self.a, self.b
        has_types = any(change.what == "type" for pair in self.pairs for change in pair.changes)
        versions = _versions(a, b)
        told = {(change.old, change.new) for change in versions}
        written = [one for one in model_changes(a, b) if one[2:4] not in told]
        self.model += [one for one in self._uncounted(written) if not (one.role == "type" and has_types)]

        same = sum(pair.status == "same" for pair in self.pairs)
        added, removed = entries(self.pairs, "added", b.op), entries(self.pairs, "removed", a.op)
        changed, follows = entries(self.pairs, "changed", b.op), entries(self.pairs, "follows", b.op)
        found = Difference(
            added, removed, changed, follows, self.outputs, versions, self.model, self.counted, same, self.pairs
        )
        return found._replace(unread=self.values.unread if self.values is not None else 0)

    def _pairs(self, left: GraphSide, right: GraphSide, matched: dict[int, int]) -> Iterator[NodePair]:
        """Yield the nodes of two graphs: those that are gone, new ones, and those that both have, in the order of the new graph."""
        before, after, staying = left.graph, right.graph, set(matched.values())
        found = self._found(before, after, matched)
        new = self._carried(right)
        known, back = {*matched, *self._carried(left)}, staying | new
        yield from (NodePair((before, before.nodes[i]), None, "removed") for i in left.names if i not in known)
        yield from (NodePair(None, (after, after.nodes[i]), "added") for i in right.names if i not in back)
        moved = {j for j in right.names if j not in new and (j not in staying or found[j][1])}
        has_own = (_has_own(node, after.nodes[j], changes) for j, (node, changes) in found.items())
        has_cause = any(has_own) or len(moved) > len(found) or len(known) < len(left.names)
        for j, (node, changes) in found.items():
            now = after.nodes[j]
            status = _status(node, now, changes, moved, has_cause)
            yield NodePair((before, node), (after, now), status, tuple(changes))

    def _carried(self, side: GraphSide) -> set[int]:
        """Return the constants for which all that reads them has an attribute in the other model."""
        times = ((i, self.carried[id(side.graph.nodes[i])]) for i in side.names)
        return {i for i, number in times if 0 < number == len(side.readers[i])}

    def _found(self, before: Graph, after: Graph, matched: dict[int, int]) -> Found:
        """Return by the indices of the new graph what nodes of both were, and what changed, without declared types that follow."""
        found: Found = {}
        for i, j in sorted(matched.items(), key=lambda pair: pair[1]):
            node, now = before.nodes[i], after.nodes[j]
            found[j] = node, self._changes((before, node), (after, now), matched)
        self._count_names(after, found)
        typed = {j for j, (_, changes) in found.items() if any(change.what == "type" for change in changes)}
        for j, (_, changes) in found.items():
            if j in typed or any(source[0] in typed for source in after.nodes[j].inputs):
                changes[:] = [change for change in changes if change.what != "entry" or change.role != "type"]
        return found

    def _count_names(self, after: Graph, found: Found) -> None:
        """Count new names of nodes where most have one: another program wrote the file."""
        nodes = [changes for j, (_, changes) in found.items() if after.nodes[j].kind != "var"]
        renamed = [changes for changes in nodes if any(change.what == "name" for change in changes)]
        if len(renamed) > _MANY and 2 * len(renamed) > len(nodes):
            for changes in renamed:
                self.counted.setdefault("renamed", []).extend(one for one in changes if one.what == "name")
                changes[:] = [change for change in changes if change.what != "name"]

    def _changes(self, old: tuple[Graph, Node], new: tuple[Graph, Node], matched: dict[int, int]) -> list[NodeChange]:
        """Return what differs in two nodes and is worth a line."""
        node, now = old[1], new[1]
        distance = self.values.distance(node, now) if self.values is not None else None
        found = [self._in_order(node, now, one) for one in node_changes(self.a, self.b, old, new, matched, distance)]
        self.carried.update(map(id, carried_inputs(self.a, self.b, old, new, found)))
        found += written_changes(self.a, self.b, node, now, found)
        found += self._lost(node, now) if distance is None else ()
        is_told = distance or any(change.what == "type" for change in found)
        skipped = self.values is None and node.kind != "call"
        worth = self._uncounted(found, is_compared=distance is not None, is_told=bool(is_told), is_skipped=skipped)
        return list(worth)

    def _in_order(self, node: Node, now: Node, change: NodeChange) -> NodeChange:
        """Return a change of weights as one of their order if they are the same numbers."""
        if change.what == "weights" and self.values is not None and self.values.are_transposed(node, now):
            return NodeChange("order", OF_WEIGHTS, "as before", "transposed")
        return change

    def _lost(self, node: Node, now: Node) -> Iterator[NodeChange]:
        """Yield whether one of two nodes has values and the other has none."""
        if self.values is not None and node.kind == now.kind != "var":
            there = self.values.are_there(node, now)
            if len(set(there)) > 1:
                was, is_ = ("values" if one else None for one in there)
                yield NodeChange("weights", "", was, is_)

    def _uncounted(
        self, changes: list[NodeChange], is_compared: bool = False, is_told: bool = False, is_skipped: bool = False
    ) -> Iterator[NodeChange]:
        """Yield changes that are worth a line, and count the others: numbers in names, what connects nodes, where weights are."""
        declared = [change for change in changes if change.role == "type" and None in (change.old, change.new)]
        if declared and declared[0].what == "entry":  # one of a node: which entries there are is a matter of its rank
            self.counted.setdefault("type", []).append(declared[0])
        for change in changes:
            if change in declared:
                continue
            if change.role in _COUNTED or (change.role == "data" and is_compared):
                if not (change.role == "data" and is_told):
                    self.counted.setdefault(change.role, []).append(change)
            elif not (change.role == "data" and is_skipped):
                yield change


def _order(before: Graph, after: Graph, matched: dict[int, int]) -> list[NodeChange]:
    """Return whether inputs that both graphs have are in another order."""
    there, kept = set(after.inputs), {matched.get(index) for index in before.inputs}
    old = [index for index in before.inputs if matched.get(index) in there]
    new = [index for index in after.inputs if index in kept]
    if [matched[index] for index in old] == new:
        return []
    was, now = (", ".join(graph.nodes[index].name for index in of) for graph, of in ((before, old), (after, new)))
    return [NodeChange("order", "of inputs", was, now)]


def _status(node: Node, now: Node, changes: Sequence[NodeChange], moved: Set[int], has_cause: bool) -> Status:
    """Return what became of a node; one that has other types only, and declares no others by itself, follows from another change."""
    if not changes:
        return "same"
    if any(change.what != "type" for change in changes):
        return "changed"
    if any(source[0] in moved for source in now.inputs):
        return "follows"
    return "follows" if has_cause and not _has_own(node, now, changes) else "changed"


def _has_own(node: Node, now: Node, changes: Sequence[NodeChange]) -> bool:
    """Return whether a node has changed by itself: more than the types that are inferred for it."""
    if any(change.what != "type" for change in changes):
        return True
    return bool(changes) and [value.type for value in node.outputs] != [value.type for value in now.outputs]
