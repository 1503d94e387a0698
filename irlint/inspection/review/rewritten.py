"""Parts of two forms of a network that stand in the same place and consist of other operators: one form's Gelu is five nodes of another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from irlint.graph import Node
from irlint.inspection.review.difference import Rewritten
from irlint.inspection.review.reduced import ReducedGraph
from irlint.records import NamedTuple


class _Region(NamedTuple):
    """Connected nodes without a partner, what they read, and what reads them: nodes with a partner, as the new graph numbers them."""

    read: frozenset[Hashable]
    readers: frozenset[Hashable]
    nodes: list[Node]


def rewritten(old: ReducedGraph, new: ReducedGraph, pairs: Mapping[int, int]) -> list[Rewritten]:
    """Return the parts of nodes without a partner that read the same and are read by the same; several parts that read the same count
    as one if they differ in what reads them."""
    a, b = _parts(old, pairs), _parts(new, {index: index for index in pairs.values()})
    found: list[Rewritten] = []
    for fits, with_readers in ((_fits_alone, True), (_fits, False), (_touches, False)):
        ours, theirs = _by_place(a, with_readers), _by_place(b, with_readers)
        new_parts = [(parts, theirs[place]) for place, parts in ours.items() if place in theirs]
        found += [Rewritten(_nodes(one), _nodes(other)) for one, other in new_parts if fits(one, other)]
        done = {id(node) for group in found for node in (*group.old, *group.new)}
        a, b = ([part for part in side if id(part.nodes[0]) not in done] for side in (a, b))
    return found


def _fits_alone(ours: list[_Region], theirs: list[_Region]) -> bool:
    return len(ours) == len(theirs) == 1


def _fits(ours: list[_Region], theirs: list[_Region]) -> bool:
    return _readers(ours) == _readers(theirs)


def _touches(ours: list[_Region], theirs: list[_Region]) -> bool:
    """Return whether two parts have readers in common: one form also outputs what is inside."""
    return _fits_alone(ours, theirs) and bool(_readers(ours) & _readers(theirs))


def _nodes(parts: list[_Region]) -> list[Node]:
    return [node for part in parts for node in part.nodes]


def _by_place(parts: Iterable[_Region], with_readers: bool) -> dict[Hashable, list[_Region]]:
    found: dict[Hashable, list[_Region]] = {}
    for part in parts:
        found.setdefault((part.read, part.readers) if with_readers else part.read, []).append(part)
    return found


def _readers(parts: Iterable[_Region]) -> set[Hashable]:
    return {reader for part in parts for reader in part.readers}


def _parts(graph: ReducedGraph, meant: Mapping[int, int]) -> list[_Region]:
    """Return connected nodes without a partner; `meant` are the nodes with one, as the new graph numbers them."""
    root = _roots(graph, meant)
    read: dict[int, set[Hashable]] = {}
    readers: dict[int, set[Hashable]] = {}
    members: dict[int, list[Node]] = {}
    for index, key in root.items():
        members.setdefault(key, []).append(graph.graph.nodes[index])
        read.setdefault(key, set()).update(meant[s[0]] for s in graph.sources[index] if s[0] in meant)
    ends = [(meant[index], sources) for index, sources in graph.sources.items() if index in meant]
    for reader, sources in (*ends, *((("output", k), [source]) for k, source in enumerate(graph.outputs()))):
        for source in sources:
            if source[0] in root:
                readers.setdefault(root[source[0]], set()).add(reader)
    return [_Region(frozenset(read[key]), frozenset(readers.get(key, ())), nodes) for key, nodes in members.items()]


def _roots(graph: ReducedGraph, meant: Mapping[int, int]) -> dict[int, int]:
    """Return for each node without a partner one of those that it is connected with: the same one for all of these."""
    inputs = set(graph.inputs)
    parent = {index: index for index in graph.sources if index not in meant and index not in inputs}

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for index in parent:
        for source in graph.sources[index]:
            if source[0] in parent:
                parent[root(source[0])] = root(index)
    return {index: root(index) for index in parent}
