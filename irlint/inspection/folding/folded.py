"""Which changes between two versions of a model are those of an optimizer: constants that were computed before, nodes that do nothing,
scales that became a part of the weights in front of them. The nodes around them compute what they did."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import zip_longest
from typing import Any

from irlint.dryrun.dims import compatible
from irlint.dryrun.infer import order_of
from irlint.dryrun.lazy import np
from irlint.formats.base import all_formats
from irlint.graph import Node, Source
from irlint.inspection.folding.folded_graph import FoldedGraph, huge
from irlint.inspection.folding.regions import Region, is_smooth, region, same
from irlint.inspection.folding.value_numbers import value_numbers
from irlint.inspection.review.difference import NodePair
from irlint.inspection.review.form import Form
from irlint.inspection.review.reduced import Body
from irlint.inspection.review.roles import SHAPED
from irlint.inspection.review.weight_marks import HUGE, same_weights
from irlint.inspection.rounding import EXACT, coarser
from irlint.records import NamedTuple
from irlint.rules.base import Model

_TURNS = 6  # times that it is asked whether what follows outputs the same after all


class _Both(NamedTuple):
    """A node that both versions have, in one pair of graphs."""

    pair: NodePair
    old: Node
    new: Node


class Folding:
    """Two versions of a model, and which of their nodes are the same."""

    def __init__(self, old: Model, new: Model, pairs: Sequence[NodePair], others: Set[int] = frozenset()) -> None:
        """`others`: id() of pairs of constants other than weights that have other values."""
        has_weights = not any(huge(model, graph) for model in (old, new) for graph in model.graph.walk())
        self.forms = Form(old, has_weights), Form(new, has_weights)
        self.others = others
        format_ = all_formats()[new.format]
        self.is_one_version = format_.versions(old) == format_.versions(new)
        self.pairs: dict[int, list[NodePair]] = {}  # by id() of their graphs
        for pair in pairs:
            graph = (pair.new or pair.old or (old.graph, None))[0]
            self.pairs.setdefault(id(graph), []).append(pair)

    def unexplained(self, found: Sequence[NodePair]) -> list[NodePair]:
        """Return those of the nodes that changed, or are new or gone, that an optimizer does not explain."""
        a, b = self.forms
        with np.errstate(all="ignore"):
            left = [(FoldedGraph(a, Body(a.model.graph)), FoldedGraph(b, Body(b.model.graph)))]
            result: list[NodePair] = []
            known: set[int] = set()
            while left:
                old, new = left.pop()
                graphs = {id(old.graph), id(new.graph)}
                known |= graphs
                own = [pair for index in graphs for pair in self.pairs.get(index, ())]
                one = _GraphFolding(old, new, own, self.others, self.is_one_version)
                result += one.unexplained([pair for pair in found if _graphs_of(pair) & graphs])
                if not all(_graphs_of(pair) & known for pair in found) or any(map(_holds_graphs, found)):
                    left += one.bodies()
        return [*result, *(pair for pair in found if not _graphs_of(pair) & known)]


def _graphs_of(pair: NodePair) -> set[int]:
    return {id(one[0]) for one in (pair.old, pair.new) if one is not None}


def _holds_graphs(pair: NodePair) -> bool:
    return any(one is not None and bool(one[1].graphs) for one in (pair.old, pair.new))


class _GraphFolding:
    """A graph of both versions."""

    def __init__(
        self, old: FoldedGraph, new: FoldedGraph, pairs: Sequence[NodePair], others: Set[int], is_one_version: bool
    ) -> None:
        self.is_one_version = is_one_version
        self.old, self.new, self.others = old, new, others
        self.pairs = pairs
        self.doubtful: set[int] = set()
        self.both = list(self._in_both(pairs))
        self.matched = {one.old.index: one.new.index for one in self.both}
        self.layers = {i: j for i, j in self._same_layers() if self.matched.get(i) == j}
        self.old.absorb(self.layers)
        self.new.absorb(self.layers.values())

    def bodies(self) -> Iterator[tuple[FoldedGraph, FoldedGraph]]:
        """Yield the graphs of nodes that both versions have."""
        back = {j: i for i, j in self.matched.items()}
        for one in self.both:
            if one.old.graphs and one.new.graphs:
                ours = self.old.inner(one.old, {i: i for i in self.matched})
                yield from zip(ours, self.new.inner(one.new, back), strict=False)

    def _in_both(self, pairs: Sequence[NodePair]) -> Iterator[_Both]:
        for pair in pairs:
            if pair.old is not None and pair.new is not None and not is_folded(pair) and id(pair) not in self.others:
                old, new = pair.old[1], pair.new[1]
                if self.old.outside.get(old.index) == self.new.outside.get(new.index):
                    yield _Both(pair, old, new)

    def _same_layers(self) -> Iterator[tuple[int, int]]:
        """Yield layers that are the same with what scales and shifts their results."""
        a, b = self.old, self.new
        for i, j in same_weights(a.marked(), b.marked()).items():
            one, other = a.layers[i], b.layers[j]
            is_known = bool(one.folded and other.folded) and one.offset is not None and other.offset is not None
            gap = one.distance(other, coarser(a.rounding[i], b.rounding[j])) if is_known else None
            if gap is not None and gap <= EXACT.limit and not (one.others or other.others):
                yield i, j

    def unexplained(self, found: Sequence[NodePair]) -> list[NodePair]:
        """Return those of the nodes of these graphs that changed, or are new or gone, that an optimizer does not explain."""
        kept, moved = self._kept({id(pair) for pair in found})
        known = {id(one.pair) for one in self.both}
        alone = [*(pair for pair in found if id(pair) not in known), *(one.pair for one in moved)]
        return list(self._blamed(kept, alone))

    def _blamed(self, kept: Sequence[_Both], alone: Sequence[NodePair]) -> Iterator[NodePair]:
        """Yield what other results come from: of each part of the graph that outputs other values, the nodes that are new or gone, or that
        compute something else by themselves; if there are none, the node at its end."""
        causes = self._causes(kept, alone)
        edited = self._edited(kept)
        yield from (one.pair for one in kept if one.old.index in edited)
        changed = {one.old.index for one in kept} - edited
        failing: dict[int, list[NodePair]] = {}  # ends that output other values, and why
        left: dict[int, list[NodePair]] = {}
        for turn in range(_TURNS):
            shifted = self._shifted(changed) | failing.keys()
            found = self._regions(set() if turn else changed, shifted, failing.keys())
            parts = {end: part for end, part in found if end not in edited}
            passed = same([part for part in parts.values() if not turn or is_smooth(part)])
            left = {end: causes(end, part, failing) for end, part in parts.items() if id(part) not in passed}
            ends = _open(left.keys(), failing.keys(), parts)
            failing = {k: why for k, why in failing.items() if k not in parts} | left
            left = {end: why for end, why in left.items() if end in ends}
            if not left:
                return
        yield from {id(pair): pair for why in left.values() for pair in why}.values()

    def _causes(
        self, kept: Sequence[_Both], alone: Sequence[NodePair]
    ) -> Callable[[int, Region, Mapping[int, list[NodePair]]], list[NodePair]]:
        """Return a function that returns why a part outputs other values: what is new or gone in it or changed by itself, or why a part
        inside it does."""
        gone = {k: pair for pair in alone if pair.old is not None and not self._is_known(k := pair.old[1].index, False)}
        new = {k: pair for pair in alone if pair.new is not None and not self._is_known(k := pair.new[1].index, True)}
        own = {one.old.index: one.pair for one in kept if self._is_other(one)}
        pairs = {one.old.index: one.pair for one in self.both}

        def causes(end: int, part: Region, failing: Mapping[int, list[NodePair]]) -> list[NodePair]:
            inside = [pair for k in part.old.nodes if k != end for pair in failing.get(k, ())]
            found = [each[k] for each in (gone, own) for k in part.old.nodes if k in each]
            found += [new[k] for k in part.new.nodes if k in new]
            return inside or found or ([pairs[end]] if end in pairs else [])

        return causes

    def _edited(self, kept: Sequence[_Both]) -> set[int]:
        """Return the nodes that compute something else and read what they did: somebody changed them. A converter writes an attribute in
        another way for another version."""
        edited = (one for one in kept if self.is_one_version and self._is_other(one) and not self._apart(one))
        return {one.old.index for one in edited}

    def _is_known(self, index: int, is_new: bool) -> bool:
        """Return whether a node of one version does nothing, or is computed in the other one under another name."""
        version, other = (self.new, self.old) if is_new else (self.old, self.new)
        return version.is_idle(index) or other.has(version, index)

    def _shifted(self, changed: Set[int]) -> set[int]:
        """Return the old nodes of pairs whose values cannot be compared, as they are in another layout."""
        back = {one.new.index: one for one in self.both}
        found: set[int] = set()
        for j in order_of(self.new.graph):
            one = back.get(j)
            if one is not None and self.matched.get(one.old.index) == j:
                is_after = one.old.index in changed or any(source[0] in found for source in one.old.inputs)
                if is_after and not self._may_be_alike(one):
                    found.add(one.old.index)
        return found

    def _may_be_alike(self, one: _Both) -> bool:
        old, new = self.old.type(Source(one.old.index)), self.new.type(Source(one.new.index))
        if None not in (old.dtype, new.dtype) and old.dtype != new.dtype:
            return False
        if old.shape is None or new.shape is None:
            return True
        return len(old.shape) == len(new.shape) and all(map(compatible, old.shape, new.shape))

    def _ends(
        self, changed: Set[int], shifted: Set[int], failing: Set[int]
    ) -> Iterator[tuple[int, tuple[Source, Source], int]]:
        """Yield values of both versions of which it is asked whether they are the same: by the old node, or a number below 0 for an output,
        the values, and how many of the node there are."""
        steady = {i: j for i, j in self.matched.items() if i not in shifted}
        ours = _after(self.old, shifted, steady.keys())
        theirs = _after(self.new, {self.matched[i] for i in shifted if i in self.matched}, {*steady.values()})
        for one in self.both:
            i, j = one.old.index, one.new.index
            is_after = any(source[0] in ours for source in one.old.inputs) or any(
                k in theirs for k, _ in one.new.inputs
            )
            may_be = self.matched.get(i) == j and (i in steady or i in failing)
            if may_be and one.old.kind == "call" and (is_after or i in changed):
                yield i, (Source(i), Source(j)), min(len(one.old.outputs), len(one.new.outputs))
        for k, (a, b) in enumerate(zip(self.old.graph.outputs, self.new.graph.outputs, strict=False)):
            was, now = self.old.origin(Source(*a)), self.new.origin(Source(*b))
            is_after = a[0] in ours or b[0] in theirs
            if was[0] >= 0 <= now[0] and (is_after or not self._meet(Source(*a), Source(*b))):
                yield -1 - k, (was, now), 1

    def _regions(self, changed: Set[int], shifted: Set[int], failing: Set[int]) -> Iterator[tuple[int, Region]]:
        """Yield the ends of parts that may output other values, each with its part."""
        steady = {i: j for i, j in self.matched.items() if i not in shifted}
        back, named = {j: i for i, j in steady.items()}, {self.old.numbers[i]: i for i in steady}

        def known(version: FoldedGraph, other: FoldedGraph, names: Mapping[int, int], source: Source) -> Hashable:
            origin = version.origin(source)
            for one in (origin, source):
                name = names.get(one[0], named.get(version.numbers.get(one[0], -1)))
                if name is not None:
                    return "both", name, one[1]
            return (version.numbers[origin[0]], origin[1]) if other.has(version, origin[0]) else None

        names = (
            partial(known, self.old, self.new, {i: i for i in steady}),
            partial(known, self.new, self.old, back),
        )
        for end, ends, outputs in self._ends(changed, shifted, failing):
            yield end, region(ends, outputs, (self.old, self.new), names)

    def _kept(self, found: Set[int]) -> tuple[list[_Both], list[_Both]]:
        """Return the nodes of both versions that compute something else, and pairs of nodes of which one is another node in the other
        version, so that their names mean nothing. `found`: id() of the pairs that changed."""
        for is_new, version in ((False, self.old), (True, self.new)):
            version.find_idle(self._unpaired(is_new))
            version.read_all()
        self._number()
        moved = [one for one in self.both if one.old.kind == "call" and self._is_moved(one)]
        for one in moved:
            del self.matched[one.old.index]
        staying = [one for one in self.both if one.old.index in self.matched]
        self._doubt(found)
        fed = (one for one in staying if one.old.index in self.old.fed or one.new.index in self.new.fed)
        asked = [one for one in fed if id(one.pair) in found or self._reads_other(one)]
        return [one for one in asked if not self._is_same(one)], moved

    def _unpaired(self, is_new: bool) -> Iterator[int]:
        """Yield the calls of one version in whose place the other has none, or another operator."""
        for pair in self.pairs:
            one = pair.new if is_new else pair.old
            is_other = None in (pair.old, pair.new) or any(change.what == "operator" for change in pair.changes)
            if is_other and one is not None and one[1].kind == "call":
                yield one[1].index

    def _is_moved(self, one: _Both) -> bool:
        numbers = self.old.numbers[one.old.index], self.new.numbers[one.new.index]
        is_known = self.old.has(self.new, one.new.index) or self.new.has(self.old, one.old.index)
        return numbers[0] != numbers[1] and is_known

    def _number(self) -> None:
        """Number the values of both versions."""
        known: dict[Hashable, int] = {}
        both = {i: (i, j) for i, j in self.matched.items()}
        back = {j: (i, j) for i, j in self.matched.items()}
        layers = {i: (i, j) for i, j in self.layers.items()}
        there = {j: pair for pair in layers.values() for j in pair[1:]}
        self.old.numbers = value_numbers(self.old, {**both, **self.old.outside}, layers, known)
        self.new.numbers = value_numbers(self.new, {**back, **self.new.outside}, there, known)

    def _reads_other(self, one: _Both) -> bool:
        """Return whether a node reads what only one version computes."""
        old, new = one.old.inputs, one.new.inputs
        if len(old) != len(new):
            return True
        pairs = zip(old, new, strict=True)
        return any(i >= 0 and (self.matched.get(i) != j or i in self.doubtful) for (i, _), (j, _) in pairs)

    def _doubt(self, found: Set[int]) -> None:
        """Find the calls that depend on no input, and may have other values."""
        pairs = {one.old.index: id(one.pair) for one in self.both}
        for index in order_of(self.old.graph):
            node = self.old.graph.nodes[index]
            if node.kind == "call" and index not in self.old.fed:
                is_changed = index not in self.matched or pairs.get(index) in found
                others = (k for k, _ in node.inputs if k >= 0 and k not in self.matched)
                if is_changed or any(True for _ in others) or any(k in self.doubtful for k, _ in node.inputs):
                    self.doubtful.add(index)

    def _places(self, one: _Both) -> list[tuple[Source, Source]]:
        """Return what two nodes read; of layers that are the same without their weights."""
        is_layer = self.layers.get(one.old.index) == one.new.index
        old, new = self.old.sources(one.old, is_layer), self.new.sources(one.new, is_layer)
        return list(zip_longest(old, new, fillvalue=Source(-1)))

    def _is_same(self, one: _Both) -> bool:
        """Return whether a node computes what it did."""
        is_one = self.old.numbers[one.old.index] == self.new.numbers[one.new.index]
        return is_one or (not self._is_other(one) and not self._apart(one))

    def _is_other(self, one: _Both) -> bool:
        """Return whether a node computes something else, whatever it reads."""
        known = self.old.computation(one.old), self.new.computation(one.new)
        if known[0] is not None and known[1] is not None and known[0].what == known[1].what:
            return False
        whats = {change.what for change in one.pair.changes}
        return "operator" in whats or ("attribute" in whats and not self._is_shaped(one))

    def _is_shaped(self, one: _Both) -> bool:
        """Return whether all that a node does to its data is to give them a shape, which is the same."""
        return self.new.form.names.of(one.new) in SHAPED and self._same_type(one.old.index, one.new.index)

    def _apart(self, one: _Both) -> list[tuple[Source, Source]]:
        """Return what two nodes read that is not the same, and counts."""
        places = self._places(one)
        return [place for place in (places[:1] if self._is_shaped(one) else places) if not self._meet(*place)]

    def _same_type(self, i: int, j: int) -> bool:
        """Return whether two nodes are known to have the same type, so that what says it may be said in another way. One length that
        became any is what it was for what was read before."""
        (dtype, shape), (new_dtype, new_shape) = self.old.type(Source(i)), self.new.type(Source(j))
        if dtype != new_dtype or shape is None or new_shape is None or len(shape) != len(new_shape):
            return False
        others = [pair for pair in zip(shape, new_shape, strict=True) if pair[0] != pair[1]]
        is_known = all(isinstance(dim, (int, str)) for dim in shape)
        return is_known and len(others) <= 1 and all(isinstance(p, int) and not isinstance(q, int) for p, q in others)

    def _meet(self, one: Source, other: Source) -> bool:
        """Return whether two values are the same: of the same nodes, or of the same numbers."""
        is_pair = self.matched.get(one[0]) == other[0] and one[0] not in self.doubtful
        if is_pair and one[0] >= 0 <= min(one[1], other[1]) and one[1] == other[1]:
            return True
        one, other = (
            source if source[1] < 0 else side.origin(source) for side, source in ((self.old, one), (self.new, other))
        )
        if one[0] < 0 or other[0] < 0:
            return one[0] < 0 and other[0] < 0
        if one[1] < 0 or other[1] < 0:
            return _equal(self.old.values.get(one), self.new.values.get(other))
        is_one = (self.matched.get(one[0]) == other[0] and one[0] not in self.doubtful) or self.old.numbers.get(
            one[0]
        ) == self.new.numbers.get(other[0], -1)
        if is_one and one[1] == other[1]:
            return True
        return _equal(self.old.values.get(one), self.new.values.get(other))


def _equal(was: Any, now: Any) -> bool:
    """Return whether two constants are equal but for rounding."""
    if was is None or now is None or isinstance(was, tuple) or isinstance(now, tuple):
        return isinstance(was, tuple) and isinstance(now, tuple) and was == now
    if was.shape != now.shape or was.dtype.kind != "f" or now.dtype.kind != "f":
        return bool(np.array_equal(was, now))
    sizes = np.abs(was[(was != 0) & (np.abs(was) < HUGE)])
    usual = float(np.median(sizes)) if sizes.size else 0.0  # others are masks
    return bool(np.isclose(was, now, rtol=EXACT.limit, atol=EXACT.limit * usual, equal_nan=True).all())


def is_folded(pair: NodePair) -> bool:
    """Return whether a constant has the name of what a node computed, or the other way around."""
    return pair.old is not None and pair.new is not None and {pair.old[1].kind, pair.new[1].kind} == {"call", "const"}


def _after(version: FoldedGraph, nodes: Set[int], known: Collection[int]) -> set[int]:
    """Return some nodes, and those that read them or one another, but for those that both versions have."""
    found = set(nodes)
    for index in order_of(version.graph) if nodes else ():
        if index not in known and any(source[0] in found for source in version.graph.nodes[index].inputs):
            found.add(index)
    return found


def _open(failed: Collection[int], before: Collection[int], parts: Mapping[int, Region]) -> set[int]:
    """Return the ends that output other values, of which it is not known that all that reads them outputs the same. Ends from `before` are
    inside the parts of what reads them; an output has no readers."""
    stack = [end for end in failed if end < 0 or end not in before]
    found: set[int] = set()
    while stack:
        if (end := stack.pop()) not in found:
            found.add(end)
            stack += [k for k in parts[end].old.nodes if k in failed]
    return found
