"""Differences between two forms of a network, in two formats: what is left of both without what converters change."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext

from irlint.dryrun.lazy import np
from irlint.graph import Node
from irlint.inspection.ends import end_changes
from irlint.inspection.review.difference import Difference, Network, NodeChange, NodePair, Rewritten, Status, entries
from irlint.inspection.review.form import Form, FormGraph
from irlint.inspection.review.form_changes import Pairing, gap, moved, outputs, settings
from irlint.inspection.review.layers.weight_marks import Marked, same_weights
from irlint.inspection.review.matching import match_reduced
from irlint.inspection.review.reduced import Body
from irlint.inspection.review.rerun.same_results import computing_others
from irlint.inspection.review.rerun.written_settings import written
from irlint.inspection.review.rewritten import rewritten
from irlint.inspection.review.roles import RECURRENT
from irlint.inspection.rounding import ALIKE, EXACT, coarser
from irlint.text.words import count

_OF_ENDS = ("name", "type")  # changes of an input


def compare(old: Form, new: Form) -> Difference:
    """Return what two forms of a network have in common, and what not."""
    with np.errstate(all="ignore") if old.weights or new.weights else nullcontext():
        return _compared(old, new)


def _compared(old: Form, new: Form) -> Difference:
    found = _FormComparison(old, new)
    graphs = deque([(Body(old.model.graph), Body(new.model.graph))])
    while graphs:
        before, after = graphs.popleft()
        for pair in found.graphs(before, after):
            if pair.old is not None and pair.new is not None:
                inner = found.a.bodies(before, pair.old[1]), found.b.bodies(after, pair.new[1])
                graphs.extend(zip(*inner, strict=False))
    return found.result()


class _FormComparison:
    def __init__(self, a: Form, b: Form) -> None:
        self.a, self.b = a, b
        self.pairs: list[NodePair] = []
        self.rewritten: list[Rewritten] = []
        self.outputs: list[NodeChange] = []
        self.layers: dict[str, list[int]] = {}  # see Network
        self.is_foreign = a.model.format != b.model.format
        self.inputs, self.ends = end_changes(a.model, b.model) if self.is_foreign else ({}, [])
        self.rounding = EXACT
        self.unknown = 0  # layers of both whose weights are not compared

    def graphs(self, before: Body, after: Body) -> list[NodePair]:
        """Compare two graphs, and return the pairs of their nodes."""
        a, b = FormGraph(self.a, before), FormGraph(self.b, after)
        layers = same_weights(a.marked(), b.marked())
        pairs = match_reduced(a.side, b.side, layers)
        told = rewritten(a.reduced, b.reduced, pairs)
        if inner := _layers_within(a, b, told):
            pairs = match_reduced(a.side, b.side, pairs | inner)
            told = rewritten(a.reduced, b.reduced, pairs)
        parts: list[Rewritten] = []
        for group in told:
            if _are_one(a, b, group):
                pairs.update((i.index, j.index) for i, j in zip(group.old, group.new, strict=True))
            else:
                parts.append(group)
        self.rewritten += parts
        self._count(a, b, pairs, parts)
        pairing = Pairing(a, b, pairs, {j: i for i, j in pairs.items()})
        if before.graph is self.a.model.graph:
            self.outputs += outputs(pairing, _places(parts))
        others = computing_others(pairing, parts) if self.is_foreign else {}
        found = [*_alone(pairing, parts), *self._both(pairing, layers, others), *_otherwise(pairing, others)]
        self.pairs += found
        return found

    def _both(self, pairing: Pairing, layers: Mapping[int, int], others: Collection[int]) -> Iterator[NodePair]:
        """Yield the nodes that both forms have, in the order of the new one."""
        a, b = pairing.a, pairing.b
        apart = _scaled_apart(a, pairing.pairs) | _rescaled(pairing), _scaled_apart(b, pairing.back)
        for j, i in sorted(pairing.back.items()):
            ours, theirs = a.graph.nodes[i], b.graph.nodes[j]
            is_apart = i in apart[0] or j in apart[1]
            changes = [*self._weights(a, b, i, j, is_apart), *settings(pairing, i, j)]
            if i in a.reduced.inputs and j in b.reduced.inputs:
                changes += self.inputs.pop(j, ()) if b.graph is self.b.model.graph else ()
            elif i not in layers and a.reduced.what(ours) != b.reduced.what(theirs):
                changes.insert(0, NodeChange("operator", "", ours.op, theirs.op))
            if not ours.graphs:  # in some formats bodies read values of the graph around them without an input
                changes += moved(pairing, i, j)
            if i in others and not changes:
                changes.append(NodeChange("results", "", *written(pairing, i, j)))
            status: Status = "changed" if changes else "same"
            yield NodePair((a.graph, ours), (b.graph, theirs), status, tuple(changes))

    def _weights(self, a: FormGraph, b: FormGraph, i: int, j: int, is_apart: bool) -> list[NodeChange]:
        if i not in a.layers or j not in b.layers:
            return []
        rounding = coarser(a.rounding[i], b.rounding[j])
        limit = min(rounding.limit, ALIKE) if a.rounding[i] == b.rounding[j] else rounding.limit
        is_unknown = RECURRENT.intersection((a.reduced.what(a.graph.nodes[i]),)) and a.layers[i].gates is None
        gap = None if is_unknown else a.layers[i].distance(b.layers[j], rounding)
        if gap is None:
            if sizes := _other_sizes(a, b, i, j):
                return [NodeChange("weights", "", *sizes)]
            self.unknown += a.counts(i)
        elif gap > (limit if a.layers[i].factors is None else rounding.added_up.limit):  # these are computed
            if not is_apart:
                return [NodeChange("weights", "", None, None)]
            self.unknown += a.counts(i)
        else:
            self.rounding = coarser(self.rounding, rounding)
        return []

    def _count(self, a: FormGraph, b: FormGraph, pairs: dict[int, int], told: Sequence[Rewritten]) -> None:
        """Count layers. Those of a part with other operators are the same if both parts hold the same weights."""
        found = set(pairs), set(pairs.values())
        for group in told:
            ours, theirs = a.weights(group.old), b.weights(group.new)
            known = same_weights(
                {k: Marked(mark) for k, (_, mark) in enumerate(ours)},
                {k: Marked(mark) for k, (_, mark) in enumerate(theirs)},
            )
            if len(known) == len(ours) == len(theirs):
                found[0].update(index for index, _ in ours)
                found[1].update(index for index, _ in theirs)
        for part, place in ((a, 0), (b, 1)):
            for index in filter(part.counts, sorted(part.reduced.layers)):
                row = self.layers.setdefault(part.reduced.what(part.graph.nodes[index]), [0, 0, 0, 0])
                row[place] += 1
                row[place + 2] += index in found[place]

    def result(self) -> Difference:
        removed = entries(self.pairs, "removed", self.a.names.of)
        added = entries(self.pairs, "added", self.b.names.of)
        changed = entries(self.pairs, "changed", self.b.names.of)
        same = sum(pair.status == "same" for pair in self.pairs)
        apart = [pair for pair in self.pairs if any(change.what == "weights" for change in pair.changes)]
        only_ends = sum(all(change.what in _OF_ENDS for change in entry.changes) for entry in changed)
        self.ends += [change for changes in self.inputs.values() for change in changes]
        network = Network(
            self.layers,
            self.rounding if self.a.weights and self.b.weights else None,
            self.unknown,
            apart,
            len(changed) - only_ends - len(apart) + len(self.outputs),
            (len(removed), len(added)),
            same + len(changed),
            self.rewritten,
            only_ends + len(self.ends),
        )
        return Difference(added, removed, changed, [], self.outputs, [], self.ends, {}, same, self.pairs, network, True)


def _are_one(a: FormGraph, b: FormGraph, group: Rewritten) -> bool:
    """Return whether the nodes in one place are the same operators, or single ones without weights that count."""
    ours, theirs = ([part.reduced.what(node) for node in nodes] for part, nodes in ((a, group.old), (b, group.new)))
    return ours == theirs or (len(ours) == len(theirs) == 1 and not a.counts(group.old[0].index))


def _other_sizes(a: FormGraph, b: FormGraph, i: int, j: int) -> tuple[str, str] | None:
    """Return how many weights two layers of one operator have, if these are known and not as many."""
    marks = a.layers[i].weight, b.layers[j].weight
    if None in marks or a.reduced.what(a.graph.nodes[i]) != b.reduced.what(b.graph.nodes[j]):
        return None
    counts = [count(mark.elements, "number") for mark in marks if mark is not None]
    return (counts[0], counts[1]) if counts[0] != counts[1] else None


def _layers_within(a: FormGraph, b: FormGraph, told: Sequence[Rewritten]) -> dict[int, int]:
    """Return the layers of rewritten parts that are alike: both parts have as many of them."""
    found: dict[int, int] = {}
    for group in told:
        ours, theirs = (_by_kind(part, nodes) for part, nodes in ((a, group.old), (b, group.new)))
        for kind, indices in ours.items():
            if len(indices) == len(theirs.get(kind, ())):
                found.update(zip(indices, theirs[kind], strict=True))
    return found


def _by_kind(part: FormGraph, nodes: Sequence[Node]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    for node in nodes:
        if part.counts(node.index):
            found.setdefault(part.alike(node), []).append(node.index)
    return found


def _rescaled(pairing: Pairing) -> set[int]:
    """Return the old nodes that only scale and shift, in both forms but otherwise, and the layers that read them: a converter makes a scale
    in front of a layer a part of its weights and leaves the shift."""
    a, b, pairs, _ = pairing
    found = {i for i in a.reduced.affine if pairs.get(i) in b.reduced.affine and gap(pairing, i) != 0}
    after = {k: {source[0] for source in sources} for k, sources in a.reduced.sources.items()}
    readers = {k for k, read in after.items() if not found.isdisjoint(read)}
    layers = {k for k in readers & a.reduced.layers & pairs.keys() if gap(pairing, k)}
    others = set[int]().union(*(after[k] for k in readers - layers))
    return layers | (found - others) if layers else set()


def _scaled_apart(part: FormGraph, known: Mapping[int, int]) -> set[int]:
    """Return the nodes that only others without a partner read, which scale or shift, and those that read such nodes: in the other form
    these may be a part of them."""
    alone = {index for index in part.reduced.affine if index not in known}
    found: dict[int, bool] = {source[0]: False for source in part.reduced.outputs()}
    after = set[int]()
    for index, sources in part.reduced.sources.items():
        found.update((source[0], found.get(source[0], True) and index in alone) for source in sources)
        after.update([index] if any(source[0] in alone for source in sources) else [])
    return after | {index for index, is_apart in found.items() if is_apart}


def _alone(pairing: Pairing, parts: Sequence[Rewritten]) -> Iterator[NodePair]:
    """Yield the nodes that one form has alone, but for those of parts that are another way to compute the same."""
    a, b, told = pairing.a, pairing.b, _places(parts)
    for i in a.side.names:
        if i not in pairing.pairs and id(a.graph.nodes[i]) not in told:
            yield NodePair((a.graph, a.graph.nodes[i]), None, "removed")
    for j in b.side.names:
        if j not in pairing.back and id(b.graph.nodes[j]) not in told:
            yield NodePair(None, (b.graph, b.graph.nodes[j]), "added")


def _otherwise(pairing: Pairing, others: Mapping[int, int]) -> Iterator[NodePair]:
    """Yield the last nodes of parts with other operators that compute something else."""
    a, b = pairing.a.graph, pairing.b.graph
    for i, j in others.items():
        if i not in pairing.pairs:
            change = NodeChange("results", "", a.nodes[i].op, b.nodes[j].op)
            yield NodePair((a, a.nodes[i]), (b, b.nodes[j]), "changed", (change,))


def _places(told: Sequence[Rewritten]) -> set[int]:
    return {id(node) for group in told for node in (*group.old, *group.new)}
