"""Layers with weights of one model that the other has, too."""

from __future__ import annotations

from collections.abc import Collection

from irlint.proving.running import Side
from irlint.records import NamedTuple

_USUAL = 0.1  # share of layers that unrelated models have in common at most


class Layers(NamedTuple):
    """How many layers with weights one model has, how many of them the other has, and how many of these weights it has by its file: those
    of a layer behind a difference have no result in common."""

    all: int
    matched: int
    alike: int = 0

    @property
    def are_related(self) -> bool:
        """Whether more of them are in the other than is usual of models that have nothing to do with each other."""
        return self.matched >= _USUAL * self.all


def matched(side: Side, found: Collection[int], ends: Collection[int] = ()) -> set[int]:
    """Return the layers whose result is in the other model, or becomes a part of one that is before one of `ends`: `found` are the nodes
    with such results."""
    known = _reaching(side, found, ends)
    return {index for index in side.layers if known[index]}


def rooted(side: Side, found: Collection[int]) -> set[int]:
    """Return the layers among `found` for which all layers that they are computed from are there, too: others are alike by chance."""
    every, known = side.layers, dict[int, bool]()
    for index in side.order:
        makers = {source[0] for source in side.graph.nodes[index].inputs}
        known[index] = (index not in every or index in found) and all(known.get(maker, True) for maker in makers)
    return {index for index in found if known[index]}


def with_parts(side: Side, same: Collection[int], told: Collection[int]) -> set[int]:
    """Return the layers among the nodes that are the same, with their parts, as the addition of a bias: nodes that are not among those
    `told` of."""
    found = set(same)
    for index in side.order:
        sources = side.graph.nodes[index].inputs if index not in told else ()
        if any(source[0] in found for source in sources):
            found.add(index)
    return found & side.layers


def _reaching(side: Side, found: Collection[int], ends: Collection[int]) -> dict[int, bool]:
    """Return for each node that depends on an input whether all that is computed from it goes through a result that is found, and through
    none of `ends` before."""
    readers: dict[int, list[int]] = {index: [] for index in side.data}
    known: dict[int, bool] = {}
    for index in side.data:
        for maker in {source[0] for source in side.graph.nodes[index].inputs}:
            if maker in readers:
                readers[maker].append(index)
    for index in reversed(side.order):
        after = readers[index]
        known[index] = index in found or (bool(after) and all(known[reader] and reader not in ends for reader in after))
    return known
