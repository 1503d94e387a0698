"""What two forms of a network compute in one place and can be run by itself: a node of both, or a part with other operators."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import prod
from typing import Any

from irlint.dryrun.dims import compatible, merge
from irlint.dryrun.dtypes import FLOATS
from irlint.graph import Node, Source, Type
from irlint.inspection.folding.drawn import RunNumbers
from irlint.inspection.review.difference import Rewritten
from irlint.inspection.review.form import FormGraph
from irlint.inspection.review.form_changes import Pairing
from irlint.inspection.review.roles import PRODUCTS, RECURRENT
from irlint.inspection.types import type_lookup
from irlint.records import NamedTuple

_MOST = 1 << 21  # numbers of what a part reads
_MOST_AT_ONCE = 1 << 23  # numbers that are drawn for one run
_MOST_IN_ALL = 1 << 25
_MOST_NODES = 200  # of one part
_TIES = frozenset(("topk", "argsort"))  # formats have equal numbers in another order
_MOVING = frozenset(("transpose", "swap_axes"))


class Part(NamedTuple):
    """What both forms compute in one place."""

    ends: tuple[int, int]  # the nodes that output the results
    inside: tuple[set[int], set[int]]  # these, and the nodes before them
    read: list[tuple[Source, Source]]  # the same values in both forms
    types: list[Type]  # of these
    outputs: list[int]  # that both forms use
    has_ties: bool = False

    @property
    def size(self) -> int:
        return sum(prod(RunNumbers(0).shape(one.shape)) for one in self.types)


class _Cut(NamedTuple):
    """A part of one form, and the values that it reads from before; each comes from another node."""

    inside: set[int]
    read: dict[Source, Source]  # by the node that counts


def parts(pairing: Pairing, rewritten: Sequence[Rewritten]) -> list[Part]:
    """Return what can be run, as far as that does not take long; of parts that are alike one."""
    found, total, seen = list[Part](), 0, set[Any]()
    for kind, part in sorted(_Places(pairing, rewritten).all(), key=lambda one: one[1].size):
        if kind is None or kind not in seen:
            total += part.size
            if part.size > _MOST or total > _MOST_IN_ALL:
                break
            seen.add(kind)
            found.append(part)
    return found


class _Places:
    def __init__(self, pairing: Pairing, rewritten: Sequence[Rewritten]) -> None:
        self.sides = pairing.a, pairing.b
        self.pairs = pairing.pairs
        self._types = [type_lookup(side.form.model) for side in self.sides]
        self._used = [_used(side) for side in self.sides]
        self.rewritten: dict[tuple[int, int], Rewritten] = {}  # by the last nodes of both
        for group in rewritten:
            ours, theirs = _last(pairing.a, group.old), _last(pairing.b, group.new)
            if ours is not None and theirs is not None:
                self.rewritten[ours, theirs] = group
        self._meant = pairing.pairs | dict(self.rewritten.keys())

    def all(self) -> Iterator[tuple[Any, Part]]:
        """Yield parts, each with what is the same of parts that are alike; None if that is not known."""
        for ends in self.pairs.items():
            nodes = [side.graph.nodes[k] for side, k in zip(self.sides, ends, strict=True)]
            what = [side.reduced.what(node) for side, node in zip(self.sides, nodes, strict=True)]
            if what[0] == what[1] and all(map(_is_light, self.sides, nodes)):
                part = self._part(ends, ({ends[0]}, {ends[1]}))
                if part is not None:
                    yield self._kind(part, nodes), part._replace(has_ties=what[0] in _TIES)
        for ends, group in self.rewritten.items():
            if all(map(_may_run, self.sides, group)):
                members = {node.index for node in group.old}, {node.index for node in group.new}
                part = self._part(ends, members)
                if part is not None:
                    yield None, part

    def _part(self, ends: tuple[int, int], members: tuple[set[int], set[int]]) -> Part | None:
        last = [side.reduced.chains.get(end, [end])[-1] for side, end in zip(self.sides, ends, strict=True)]
        a, b = (_cut(side, end, nodes) for side, end, nodes in zip(self.sides, last, members, strict=True))
        if a is None or b is None or not a.read:
            return None
        meant = {Source(self._meant.get(end[0], -1), end[1]): read for end, read in a.read.items()}
        if meant.keys() != b.read.keys() or len(meant) < len(a.read):
            return None
        read = [(meant[end], b.read[end]) for end in b.read]
        types = [self._met(pair) for pair in read]
        outputs = self._outputs((last[0], last[1]))
        known = [one for one in types if one is not None]
        return (
            Part((last[0], last[1]), (a.inside, b.inside), read, known, outputs)
            if outputs and len(known) == len(types)
            else None
        )

    def _outputs(self, ends: tuple[int, int]) -> list[int]:
        counts = [len(side.graph.nodes[end].outputs) for side, end in zip(self.sides, ends, strict=True)]
        return [
            k
            for k in range(min(counts))
            if all(Source(end, k) in used for end, used in zip(ends, self._used, strict=True))
        ]

    def _met(self, read: tuple[Source, Source]) -> Type | None:
        """Return the type of a value that both parts read; None if it is not known, or not one."""
        old, new = (
            of(side.graph, side.graph.nodes[one[0]], 0)
            for of, side, one in zip(self._types, self.sides, read, strict=True)
        )
        if old.shape is None or new.shape is None or len(old.shape) != len(new.shape):
            return None
        is_one = _kind(old) == _kind(new) is not None and all(map(compatible, old.shape, new.shape))
        lengths = [dim for dim in old.shape if dim != 1]
        is_plain = len({*lengths}) == len(lengths) or _moves(self.sides[0], read[0]) == _moves(self.sides[1], read[1])
        short = new if new.dtype == "float16" else old
        return Type(short.dtype, tuple(map(merge, old.shape, new.shape))) if is_one and is_plain else None

    def _kind(self, part: Part, nodes: Sequence[Node]) -> Any:
        """Return what is the same of two nodes and others: their operators, attributes and the types of what they read."""
        if any(len(side.reduced.data(node)) < len(node.inputs) for side, node in zip(self.sides, nodes, strict=True)):
            return None
        calls = [
            side.form.mapping and side.form.mapping.sound_call(side.graph, node)
            for side, node in zip(self.sides, nodes, strict=True)
        ]
        order = (
            [nodes[0].inputs.index(one) for one, _ in part.read],
            [nodes[1].inputs.index(one) for _, one in part.read],
        )
        return *map(id, calls), *part.types, *part.outputs, str(order)


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
    """Return whether nodes are calls without weights whose results are computed from what they read and nothing else."""
    mapping, reduced = side.form.mapping, side.reduced
    for node in nodes:
        call = None if mapping is None else mapping.sound_call(side.graph, node)
        if call is None or node.graphs or call.operator.is_random or call.operator.remembers:
            return False
        if reduced.what(node) in RECURRENT or (node.index in reduced.layers and reduced.has_large(node.index)):
            return False
    return True


def _cut(side: FormGraph, last: int, members: Collection[int]) -> _Cut | None:
    """Return what a value is computed in, from values before the members of a part; None if one of these is read in two ways."""
    inside, read, stack = set[int](), dict[Source, Source](), [last]
    while stack:
        index = stack.pop()
        if index in inside:
            continue
        inside.add(index)
        for source in side.reduced.data(side.graph.nodes[index]):
            end = side.reduced.end(source)
            if end[0] in members:
                stack.append(source[0])
            elif source[1] or read.setdefault(end, source) != source:  # a run is given the first outputs of nodes
                return None
    return _Cut(inside, read) if len(inside) <= _MOST_NODES else None


def _moves(side: FormGraph, source: Source) -> int:
    """Return how often a value is transposed on its way from the node that it comes from."""
    end, found = side.reduced.end(source), 0
    while source != end:
        node = side.graph.nodes[source[0]]
        found += side.form.names.of(node) in _MOVING
        source = side.reduced.data(node)[0]
    return found


def _kind(type_: Type) -> str | None:
    if type_.dtype in (None, "string"):
        return None
    return "float" if type_.dtype in FLOATS else "bool" if type_.dtype == "bool" else "int"


def groups(left: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield parts that can be run at once: none is given what another one computes, and each value is one in both forms."""
    while left:
        group, later, size = list[Part](), list[Part](), 0
        given: tuple[dict[int, int], dict[int, int]] = ({}, {})
        computed: tuple[set[int], set[int]] = (set(), set())
        for one in left:
            pairs = [(old[0], new[0]) for old, new in one.read]
            is_one = all(given[0].get(i, j) == j and given[1].get(j, i) == i for i, j in pairs)
            is_free = all(i not in computed[0] and j not in computed[1] for i, j in pairs)
            is_apart = all(known.keys().isdisjoint(inside) for known, inside in zip(given, one.inside, strict=True))
            if is_one and is_free and is_apart and (size + one.size <= _MOST_AT_ONCE or not group):
                group.append(one)
                size += one.size
                given[0].update(pairs)
                given[1].update((j, i) for i, j in pairs)
                computed[0].update(one.inside[0])
                computed[1].update(one.inside[1])
            else:
                later.append(one)
        yield group
        left = later
