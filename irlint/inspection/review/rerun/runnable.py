"""What two forms of a network compute in one place and can be run by itself: a node of both, or a part with other operators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from irlint.dryrun.dims import compatible, merge
from irlint.dryrun.dtypes import FLOATS
from irlint.graph import Node, Source, Type
from irlint.inspection.review.difference import Rewritten
from irlint.inspection.review.form import FormGraph
from irlint.inspection.review.form_changes import Pairing, gap
from irlint.inspection.review.rerun.drawn import RunNumbers
from irlint.inspection.review.rerun.together import Needs, together
from irlint.inspection.review.rerun.ways import cut, moves, scales, way
from irlint.inspection.review.roles import PRODUCTS, RECURRENT, SELECTING
from irlint.records import NamedTuple

_MOST = 1 << 21  # numbers of one part
_MOST_AT_ONCE = 1 << 23  # numbers that are drawn for one run
_MOST_IN_ALL = 1 << 24
_TIES = frozenset(("topk", "argsort"))  # formats have equal numbers in another order
_MOST_PLACES = 16  # where two forms may have one value


class RunnablePart(NamedTuple):
    """What both forms compute in one place."""

    ends: tuple[int, int]  # the nodes that output the results
    inside: tuple[set[int], set[int]]  # these, and the nodes before them
    read: list[tuple[Source, Source]]  # the same values in both forms
    types: list[Type]  # of these
    outputs: list[int]  # that both forms use
    size: int  # numbers that both forms read and compute
    has_ties: bool = False
    is_sized: bool = False  # results of other sizes are others: otherwise one form may do there what is a part of a layer in the other


def parts(pairing: Pairing, rewritten: Sequence[Rewritten]) -> list[RunnablePart]:
    """Return what can be run, as far as that does not take long; of parts that are alike one."""
    found, total, seen = list[RunnablePart](), 0, set[Any]()
    for kind, part in sorted(_Finder(pairing, rewritten).all(), key=lambda one: one[1].size):
        if kind is None or kind not in seen:
            total += part.size
            if part.size > _MOST or total > _MOST_IN_ALL:
                break
            seen.add(kind)
            found.append(part)
    return found


class _Finder:
    def __init__(self, pairing: Pairing, rewritten: Sequence[Rewritten]) -> None:
        self.sides = pairing.a, pairing.b
        self.pairing = pairing
        self._used = [_used(side) for side in self.sides]
        self.rewritten: dict[tuple[int, int], Rewritten] = {}  # by the last nodes of both
        for group in rewritten:
            ours, theirs = _last(pairing.a, group.old), _last(pairing.b, group.new)
            if ours is not None and theirs is not None:
                self.rewritten[ours, theirs] = group
        self._meant = pairing.pairs | dict(self.rewritten.keys())

    def all(self) -> Iterator[tuple[Any, RunnablePart]]:
        """Yield parts, each with what is the same of parts that are alike; None if that is not known."""
        for ends in self.pairing.pairs.items():
            nodes = [side.graph.nodes[k] for side, k in zip(self.sides, ends, strict=True)]
            what = [side.reduced.what(node) for side, node in zip(self.sides, nodes, strict=True)]
            if what[0] == what[1] and all(map(_is_light, self.sides, nodes)):
                part = self._part(ends, ({ends[0]}, {ends[1]}))
                if part is not None:
                    yield self._kind(part, nodes), part._replace(has_ties=what[0] in _TIES, is_sized=_is_static(part))
        for ends, group in self.rewritten.items():
            if all(map(_may_run, self.sides, group)):
                members = {node.index for node in group.old}, {node.index for node in group.new}
                part = self._part(ends, members)
                if part is not None:
                    yield None, part

    def _part(self, ends: tuple[int, int], members: tuple[set[int], set[int]]) -> RunnablePart | None:
        last = [side.reduced.chains.get(end, [end])[-1] for side, end in zip(self.sides, ends, strict=True)]
        a, b = (cut(side, end, nodes) for side, end, nodes in zip(self.sides, last, members, strict=True))
        if a is None or b is None or not a.read:
            return None
        meant = {Source(self._meant.get(end[0], -1), end[1]): read for end, read in a.read.items()}
        if meant.keys() != b.read.keys() or len(meant) < len(a.read):
            return None
        read, types = list[tuple[Source, Source]](), list[Type]()
        for end, other in b.read.items():
            met = self._meeting(meant[end], other, (a.inside, b.inside))
            if met is None:
                return None
            read.append(met[0])
            types.append(met[1])
        outputs = self._outputs((last[0], last[1]))
        size = self._size(types, (a.inside, b.inside))
        return RunnablePart((last[0], last[1]), (a.inside, b.inside), read, types, outputs, size) if outputs else None

    def _size(self, types: Sequence[Type], inside: tuple[set[int], set[int]]) -> int:
        own = (side.type(Source(k)) for side, indices in zip(self.sides, inside, strict=True) for k in indices)
        drawn = RunNumbers(0)
        return sum(prod(drawn.shape(one.shape)) for one in (*types, *own))

    def _meeting(
        self, old: Source, new: Source, inside: tuple[set[int], set[int]]
    ) -> tuple[tuple[Source, Source], Type] | None:
        """Return where both forms have a value in one layout, the first place on the ways to where it comes from, and its type; the nodes
        after that are added to those inside."""
        ways = [way(side, source) for side, source in zip(self.sides, (old, new), strict=True)]
        places = sorted(product(*(range(len(way)) for way in ways)), key=sum)
        for i, j in places[:_MOST_PLACES]:
            read = ways[0][i], ways[1][j]
            if self._are_scaled_alike(*read) and (type_ := self._met(read)) is not None:
                inside[0].update(source[0] for source in ways[0][:i])
                inside[1].update(source[0] for source in ways[1][:j])
                return read, type_
        return None

    def _are_scaled_alike(self, old: Source, new: Source) -> bool:
        """Return whether two values are the same as far as known, with what scales and shifts them: that may be elsewhere in one form."""
        known = {scales(side, one) for side, one in zip(self.sides, (old, new), strict=True)}
        index = self.sides[0].reduced.end(old)[0]
        if known == {False} or None in known or index not in self.pairing.pairs:
            return known == {False}
        layers = self.sides[0].layers.get(index), self.sides[1].layers.get(self.pairing.pairs[index])
        return all(one is not None and one.is_complete for one in layers) and gap(self.pairing, index) == 0

    def _outputs(self, ends: tuple[int, int]) -> list[int]:
        counts = [len(side.graph.nodes[end].outputs) for side, end in zip(self.sides, ends, strict=True)]
        return [
            k
            for k in range(min(counts))
            if all(Source(end, k) in used for end, used in zip(ends, self._used, strict=True))
        ]

    def _met(self, read: tuple[Source, Source]) -> Type | None:
        """Return the type of a value that both parts read; None if it is not known, or not one."""
        old, new = (side.type(Source(one[0])) for side, one in zip(self.sides, read, strict=True))
        if old.shape is None or new.shape is None or len(old.shape) != len(new.shape):
            return None
        is_one = _kind(old) == _kind(new) is not None and all(map(compatible, old.shape, new.shape))
        lengths = [dim for dim in old.shape if dim != 1]
        is_plain = len({*lengths}) == len(lengths) or moves(self.sides[0], read[0]) == moves(self.sides[1], read[1])
        short = new if new.dtype == "float16" else old
        return Type(short.dtype, tuple(map(merge, old.shape, new.shape))) if is_one and is_plain else None

    def _kind(self, part: RunnablePart, nodes: Sequence[Node]) -> Any:
        """Return what is the same of two nodes and others: their operators, attributes and the types of what they read."""
        read = zip(*part.read, strict=True)
        if any([*node.inputs] != [*own] for node, own in zip(nodes, read, strict=True)):  # other layouts, or constants
            return None
        sides = zip(self.sides, nodes, strict=True)
        calls = [side.form.mapping and side.form.mapping.sound_call(side.graph, node) for side, node in sides]
        return *map(id, calls), *part.types, *part.outputs


def _is_static(part: RunnablePart) -> bool:
    return all(isinstance(dim, int) for one in part.types for dim in one.shape or ())


def _used(side: FormGraph) -> set[Source]:
    read = (source for node in side.graph.nodes for source in node.inputs)
    return {Source(*source) for source in (*read, *side.graph.outputs)}


def _last(side: FormGraph, nodes: Sequence[Node]) -> int | None:
    """Return the only node of a part that none of its others reads."""
    read = {source[0] for node in nodes for source in side.reduced.sources[node.index]}
    ends = [node.index for node in nodes if node.index not in read]
    return ends[0] if len(ends) == 1 else None


def _is_light(side: FormGraph, node: Node) -> bool:
    """Return whether a node is a call without weights that can be compared alone."""
    reduced = side.reduced
    is_part = node.index in reduced.layers or node.index in reduced.affine or reduced.what(node) in PRODUCTS
    return not is_part and _may_run(side, [node])


def _may_run(side: FormGraph, nodes: Iterable[Node]) -> bool:
    """Return whether nodes are calls without weights whose results are computed from what they read and nothing else. Formats have other
    results for indices out of range, as drawn ones are."""
    mapping, reduced = side.form.mapping, side.reduced
    for node in nodes:
        call = None if mapping is None else mapping.sound_call(side.graph, node)
        if call is None or node.graphs or call.operator.is_random or call.operator.remembers:
            return False
        if reduced.what(node) in SELECTING | RECURRENT or (
            node.index in reduced.layers and reduced.has_large(node.index)
        ):
            return False
    return True


def _kind(type_: Type) -> str | None:
    if type_.dtype in (None, "string"):
        return None
    return "float" if type_.dtype in FLOATS else "bool" if type_.dtype == "bool" else "int"


def groups(found: Sequence[RunnablePart]) -> Iterator[list[RunnablePart]]:
    """Yield parts that can be run at once: each value is one in both forms."""
    return together(found, _needs, _MOST_AT_ONCE)


def _needs(part: RunnablePart) -> Needs:
    pairs = [(old[0], new[0]) for old, new in part.read]
    same = {("old", i): j for i, j in pairs} | {("new", j): i for i, j in pairs}
    return Needs([{i for i, _ in pairs}, {j for _, j in pairs}], part.inside, part.size, same)
