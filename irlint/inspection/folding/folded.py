"""Which changes between two versions of a model are those of an optimizer: constants that were computed before, nodes that do nothing,
scales that became a part of the weights in front of them. The nodes around them compute what they did."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, partial

from irlint.dryrun.dims import compatible
from irlint.dryrun.infer import order_of
from irlint.dryrun.lazy import np
from irlint.formats.base import all_formats
from irlint.graph import Node, Source
from irlint.inspection.folding.beginnings import passed_over, revalued
from irlint.inspection.folding.folded_graph import FoldedGraph, huge
from irlint.inspection.folding.part import Key, Known, Region, is_one_kind, region
from irlint.inspection.folding.regions import is_smooth, same
from irlint.inspection.folding.same_values import Both, SameValues
from irlint.inspection.review.difference import Difference, NodePair
from irlint.inspection.review.form import Form
from irlint.inspection.review.reduced import Body
from irlint.inspection.review.roles import SELECTING
from irlint.inspection.types import remembering
from irlint.rules.base import Model

_TURNS = 6  # times that it is asked whether what follows outputs the same after all


class Folding:
    """Two versions of a model, and which of their nodes are the same."""

    def __init__(
        self,
        old: Model,
        new: Model,
        compared: Difference,
        others: Set[int] = frozenset(),
        calling: Set[int] = frozenset(),
    ) -> None:
        """`others`: id() of pairs of constants other than weights that have other values; `calling`: of calls of other functions."""
        has_weights = not any(huge(model, graph) for model in (old, new) for graph in model.graph.walk())
        self.forms = Form(old, has_weights), Form(new, has_weights)
        self.others, self.calling = others, calling
        self.tested: set[int] = set()  # id() of constants whose readers output the same all the same
        format_ = all_formats()[new.format]
        self.is_one_version = format_.versions(old) == format_.versions(new)
        self.has_other_ends = bool(compared.outputs)  # of any graph
        self.pairs: dict[int, list[NodePair]] = {}  # by id() of their graphs
        for pair in compared.pairs:
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
                one = _GraphFolding(old, new, own, self.others, self.calling, self.is_one_version)
                result += one.unexplained([pair for pair in found if _graphs_of(pair) & graphs])
                self.tested |= one.tested_constants()
                is_whole = all(_graphs_of(pair) & known for pair in found) and not any(map(_holds_graphs, found))
                if not is_whole or self.has_other_ends:
                    left += one.bodies()
        return [*result, *(pair for pair in found if not _graphs_of(pair) & known)]


def _graphs_of(pair: NodePair) -> set[int]:
    return {id(one[0]) for one in (pair.old, pair.new) if one is not None}


def _holds_graphs(pair: NodePair) -> bool:
    return any(one is not None and bool(one[1].graphs) for one in (pair.old, pair.new))


class _GraphFolding(SameValues):
    """What an optimizer did to a graph."""

    @cached_property
    def _told(self) -> dict[Key, bool]:
        """Whether parts that have been run output the same."""
        return {}

    def tested_constants(self) -> set[int]:
        """Return id() of the constants that are only read in parts that output the same."""
        graph = self.new.graph
        read = {k for _, k in self.tested if k >= 0 and graph.nodes[k].kind == "const"}
        users = graph.consumers() if read else []
        return {id(graph.nodes[k]) for k in read if all((user, k) in self.tested for user in users[k])}

    def bodies(self) -> Iterator[tuple[FoldedGraph, FoldedGraph]]:
        """Yield the graphs of nodes that both versions have."""
        back = {j: i for i, j in self.matched.items()}
        for one in self.both:
            if one.old.graphs and one.new.graphs:
                ours = self.old.inner(one.old, {i: i for i in self.matched})
                yield from zip(ours, self.new.inner(one.new, back), strict=False)

    def unexplained(self, found: Sequence[NodePair]) -> list[NodePair]:
        """Return those of the nodes of these graphs that changed, or are new or gone, that an optimizer does not explain."""
        kept, moved = self._kept({id(pair) for pair in found})
        known = {id(one.pair) for one in self.both}
        alone = [*(pair for pair in found if id(pair) not in known), *(one.pair for one in moved)]
        return list(self._blamed(kept, alone))

    def _blamed(self, kept: Sequence[Both], alone: Sequence[NodePair]) -> Iterator[NodePair]:
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
            parts = self._parts(set() if turn else changed, shifted, failing.keys(), edited)
            failed = self._failing(parts, shifted, is_first=not turn)
            left = {end: causes(end, part, failing) for end, part in failed.items()}
            ends = _open(left.keys(), failing.keys(), parts)
            failing = {k: why for k, why in failing.items() if k not in parts} | left
            left = {end: left[end] for end in ends}
            if not left:
                return
        yield from {id(pair): pair for why in left.values() for pair in why}.values()

    def _parts(self, changed: Set[int], shifted: Set[int], failing: Set[int], edited: Set[int]) -> dict[int, Region]:
        """Return the parts that may output other values, by their ends, but for nodes that somebody changed."""
        found = self._regions(changed, shifted, failing, self._names(self._steady(shifted)))
        return {end: part for end, part in found if end not in edited}

    def _failing(self, parts: Mapping[int, Region], shifted: Set[int], is_first: bool) -> dict[int, Region]:
        """Return the parts that output other values, also if they begin further above."""
        failed = self._failed(parts, is_first)
        longer = dict(self._longer(failed, self._names(self._steady(shifted))))
        return {end: part for end, part in failed.items() if end not in longer} | self._failed(longer, True)

    def _steady(self, shifted: Set[int]) -> dict[int, int]:
        return {i: j for i, j in self.matched.items() if i not in shifted}

    def _failed(self, parts: Mapping[int, Region], is_first: bool) -> dict[int, Region]:
        """Return the parts that output other values. What reads others may hide that if its results are not floating-point numbers."""
        known = {end: one.key for end, one in parts.items()}
        asked = [one for end, one in parts.items() if known[end] not in self._told and (is_first or is_smooth(one))]
        passed = same(asked)
        self._told |= {one.key: id(one) in passed for one in asked}
        for one in asked:
            if id(one) in passed:
                self._test(one.new.nodes)
        return {end: one for end, one in parts.items() if not self._told.get(known[end])}

    def _longer(self, parts: Mapping[int, Region], names: tuple[Known, Known]) -> Iterator[tuple[int, Region]]:
        """Yield the parts that may output the same if they begin further above."""
        constants = revalued(self.pairs)
        for end, part in parts.items():
            if past := passed_over(part, names[0], constants):
                yield end, region(part.ends, part.outputs, part.versions, names, past)

    def _test(self, nodes: Iterable[int]) -> None:
        """Take note of the constants that nodes read which output the same; runs see only some rows of tables."""
        graph = self.new.graph
        for k in nodes:
            selects = self.new.form.names.of(graph.nodes[k]) in SELECTING
            self.tested.update((k, source[0]) for source in graph.nodes[k].inputs[selects:])

    def _causes(
        self, kept: Sequence[Both], alone: Sequence[NodePair]
    ) -> Callable[[int, Region, Mapping[int, list[NodePair]]], list[NodePair]]:
        """Return a function that returns why a part outputs other values: what is new or gone in it or changed by itself, or why a part
        inside it does."""
        gone = {k: pair for pair in alone if pair.old is not None and not self._is_known(k := pair.old[1].index, False)}
        new = {k: pair for pair in alone if pair.new is not None and not self._is_known(k := pair.new[1].index, True)}
        own = {one.old.index: one.pair for one in kept if self.is_other(one)}
        pairs = {one.old.index: one.pair for one in self.both}
        ends = {pair.new[1].index: pair for pair in self.pairs if pair.new is not None}

        def causes(end: int, part: Region, failing: Mapping[int, list[NodePair]]) -> list[NodePair]:
            inside = {id(pair): pair for k in part.old.nodes if k != end for pair in failing.get(k, ())}
            found = [each[k] for each in (gone, own) for k in part.old.nodes if k in each]
            found += [new[k] for k in part.new.nodes if k in new]
            last = pairs.get(end) or (ends.get(part.ends[1][0]) if end < 0 else None)  # another node gives an output
            return [*inside.values()] or found or ([] if last is None else [last])

        return causes

    def _edited(self, kept: Sequence[Both]) -> set[int]:
        """Return the nodes that somebody changed: they compute something else and read what they did, or a constant has another value and
        its old name. What runs show is nothing against that. A converter writes an attribute in another way for another version."""
        held = set(self._edited_constants())
        replaced = {one.old.index for one in self.both if any(change.what == "operator" for change in one.pair.changes)}
        edited = (one for one in kept if self.is_one_version and self._is_edited(one, held, replaced))
        return {one.old.index for one in edited}

    def _edited_constants(self) -> Iterator[tuple[int, int]]:
        """Yield constants other than weights, by their indices in both versions, that have other values and kept their names."""
        for pair in self.pairs:
            if id(pair) in self.others and pair.old is not None and pair.new is not None:
                if pair.old[1].name == pair.new[1].name:
                    yield pair.old[1].index, pair.new[1].index

    def _is_edited(self, one: Both, held: Set[tuple[int, int]], replaced: Set[int]) -> bool:
        if id(one.pair) in self.calling or one.old.index in replaced:
            return False  # a name says nothing of what an operator or a function does
        if self.old.type(Source(one.old.index)).dtype != self.new.type(Source(one.new.index)).dtype:
            return False  # a converter writes values of another type
        apart = self.apart(one)
        if self.is_other(one):
            read = {a[0] for a, _ in self.places(one)}
            # what reads a value of another shape, or operator, was changed with it
            return not apart and read.isdisjoint(replaced) and self._may_be_alike(one)
        return not self.is_shaping(one) and any((a[0], b[0]) in held for a, b in apart)

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
                is_after = one.old.index in changed or _reads(one.old, found)
                if is_after and not self._may_be_alike(one):
                    found.add(one.old.index)
        return found

    def _may_be_alike(self, one: Both) -> bool:
        old, new = self.old.type(Source(one.old.index)), self.new.type(Source(one.new.index))
        if not is_one_kind(old.dtype, new.dtype):
            return False
        if old.shape is None or new.shape is None:
            return True
        return len(old.shape) == len(new.shape) and all(map(compatible, old.shape, new.shape))

    def _ends(
        self, changed: Set[int], shifted: Set[int], failing: Set[int]
    ) -> Iterator[tuple[int, tuple[Source, Source], int]]:
        """Yield values of both versions of which it is asked whether they are the same: by the old node, or a number below 0 for an output,
        the values, and how many of the node there are."""
        steady = self._steady(shifted)
        ours = _after(self.old, shifted, steady.keys())
        theirs = _after(self.new, {self.matched[i] for i in shifted if i in self.matched}, {*steady.values()})
        for one in self.both:
            i, j = one.old.index, one.new.index
            if self.matched.get(i) == j and one.old.kind == "call" and (i in steady or i in failing):
                if i in changed or _reads(one.old, ours) or _reads(one.new, theirs):
                    yield i, (Source(i), Source(j)), min(len(one.old.outputs), len(one.new.outputs))
        yield from self._output_ends(ours, theirs)

    def _output_ends(
        self, ours: Collection[int], theirs: Collection[int]
    ) -> Iterator[tuple[int, tuple[Source, Source], int]]:
        """Yield outputs, and what is kept for the next run, that come from other values, or from some nodes."""
        keeping = set(remembering(self.old.graph, self.old.form.mapping))
        kept = [
            (one.old.inputs[0], one.new.inputs[0]) for one in self.both if one.old.index in keeping and one.new.inputs
        ]
        ends = [*zip(self.old.graph.outputs, self.new.graph.outputs, strict=False), *kept]
        for k, (a, b) in enumerate(ends):
            was, now = Source(*a), Source(*b)
            is_after = was[0] in ours or now[0] in theirs
            if min(was[0], now[0]) >= 0 and (is_after or not self.meet(was, now)):
                yield -1 - k, (was, now), 1

    def _regions(
        self, changed: Set[int], shifted: Set[int], failing: Set[int], names: tuple[Known, Known]
    ) -> Iterator[tuple[int, Region]]:
        """Yield the ends of parts that may output other values, each with its part."""
        for end, ends, outputs in self._ends(changed, shifted, failing):
            yield end, region(ends, outputs, (self.old, self.new), names)

    def _names(self, steady: Mapping[int, int], hidden: tuple[int, int] = (-1, -1)) -> tuple[Known, Known]:
        """Return functions that return what the values of nodes that both versions have, and those with one number, are called in both.
        `hidden`: nodes of which nothing is known."""
        back, named = {j: i for i, j in steady.items()}, {self.old.numbers[i]: i for i in steady}

        def known(version: FoldedGraph, other: FoldedGraph, names: Mapping[int, int], source: Source) -> Hashable:
            origin = version.origin(source)
            if origin[0] == hidden[version is self.new]:
                return None
            for one in (origin, source):
                name = names.get(one[0], named.get(version.numbers.get(one[0], -1)))
                if name is not None:
                    return "both", name, one[1]
            return (version.numbers[origin[0]], origin[1]) if other.has(version, origin[0]) else None

        ours = partial(known, self.old, self.new, {i: i for i in steady})
        return ours, partial(known, self.new, self.old, back)

    def _test_layers(self, asked: Sequence[Both]) -> None:
        """Take note of the weights of layers that output the same with all that scales and shifts their results."""
        parts, known = [], {one.old.index for one in asked}
        for i, j in self.layers.items():
            before, after = (version.reduced.chains.get(k, []) for version, k in ((self.old, i), (self.new, j)))
            if i in known or len(before) != len(after):
                names = self._names(self.matched, (i, j))
                ends = [i, *before][-1], [j, *after][-1]
                parts.append(region((Source(ends[0]), Source(ends[1])), 1, (self.old, self.new), names))
        passed = same(parts)
        for part in parts:
            if id(part) in passed:
                self._test(part.new.nodes)

    def _kept(self, found: Set[int]) -> tuple[list[Both], list[Both]]:
        """Return the nodes of both versions that compute something else, and pairs of nodes of which one is another node in the other
        version, so that their names mean nothing. `found`: id() of the pairs that changed."""
        for is_new, version in ((False, self.old), (True, self.new)):
            version.find_idle(self.unpaired(is_new))
            version.read_all()
        self.number_values()
        moved = self.unpair_moved()
        staying = [one for one in self.both if one.old.index in self.matched]
        self.find_doubtful(found)
        asked = [one for one in staying if self._is_asked(one, found)]
        self._test_layers(asked)
        for one in asked:
            self._test_constants(one)
        return [one for one in asked if not self.is_same(one)], moved

    def _is_asked(self, one: Both, found: Set[int]) -> bool:
        is_fed = one.old.index in self.old.fed or one.new.index in self.new.fed
        return is_fed and (id(one.pair) in found or self.reads_other(one))

    def _test_constants(self, one: Both) -> None:
        """Take note of constants that a node reads in the place of others of the same values."""
        places = self.places(one)
        others = {b[0] for a, b in places if self.matched.get(a[0]) != b[0] and self.meet(a, b)}
        others -= {b[0] for a, b in places if self.matched.get(a[0]) == b[0]}
        self.tested.update((one.new.index, k) for k in others)


def _reads(node: Node, nodes: Collection[int]) -> bool:
    return any(source[0] in nodes for source in node.inputs)


def _after(version: FoldedGraph, nodes: Set[int], known: Collection[int]) -> set[int]:
    """Return some nodes, and those that read them or one another, but for those that both versions have."""
    found = set(nodes)
    for index in order_of(version.graph) if nodes else ():
        if index not in known and _reads(version.graph.nodes[index], found):
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
