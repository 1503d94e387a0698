"""The ways of values through a form of a network: what a part reads, and what is between that and the nodes that it comes from."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from irlint.graph import Source
from irlint.inspection.review.form import FormGraph
from irlint.inspection.review.rerun.together import MOST_NODES
from irlint.inspection.review.roles import PASSING
from irlint.records import NamedTuple

_MOVING = frozenset(("transpose", "swap_axes"))


class CutGraph(NamedTuple):
    """A part of one form, and the values that it reads from before; each comes from another node."""

    inside: set[int]
    read: dict[Source, Source]  # by the node that counts


def cut(side: FormGraph, last: int, members: Collection[int]) -> CutGraph | None:
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
    return CutGraph(inside, read) if len(inside) <= MOST_NODES else None


def way(side: FormGraph, source: Source) -> list[Source]:
    """Return a value, and those that it is a copy of in another type, shape or layout."""
    found = [source]
    while source != side.reduced.end(source) and side.form.names.of(side.graph.nodes[source[0]]) in PASSING:
        source = side.reduced.data(side.graph.nodes[source[0]])[0]
        if source[1]:  # a run is given the first outputs of nodes
            break
        found.append(source)
    return found


def scales(side: FormGraph, source: Source) -> bool | None:
    """Return whether a value has been scaled or shifted by all nodes that count as a part of what it comes from; None if by some."""
    end = side.reduced.end(source)
    chain = {*side.reduced.chains.get(end[0], ())} - {end[0]}
    passed = {one[0] for one in _passed(side, source)}
    return bool(chain) if chain <= passed else None


def moves(side: FormGraph, source: Source) -> int:
    """Return how often a value is transposed on its way from the node that it comes from."""
    nodes = (side.graph.nodes[one[0]] for one in _passed(side, source))
    return sum(side.form.names.of(node) in _MOVING for node in nodes)


def _passed(side: FormGraph, source: Source) -> Iterator[Source]:
    """Yield a value and those before it, without that of the node that it comes from."""
    end = side.reduced.end(source)
    while source != end:
        yield source
        source = side.reduced.data(side.graph.nodes[source[0]])[0]
