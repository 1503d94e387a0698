"""Where parts with other results begin once more: what stands above them may say more of what they read. A layer now has the offset that
was added behind it, and what is never negative does not show how numbers below zero were treated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from irlint.graph import Source
from irlint.inspection.folding.folded_graph import FoldedGraph
from irlint.inspection.folding.part import OWN, Key, Known, Region
from irlint.inspection.review.difference import NodePair
from irlint.inspection.review.roles import BOUNDED

_LEVELS, _MOST = 3, 64  # nodes above a part that are looked at, one above the other and in all


def revalued(pairs: Iterable[NodePair]) -> set[int]:
    """Return the old constants that hold other numbers in the new version."""
    held = ((pair.old[1], pair.changes) for pair in pairs if pair.old is not None and pair.new is not None)
    return {node.index for node, changes in held if any(change.what == "weights" for change in changes)}


def passed_over(part: Region, known: Known, constants: set[int]) -> set[Key]:
    """Return what the values are called that a part is to begin above, in the old version: those from a node that tells more of them.
    `constants`: those that hold other numbers."""
    version = part.old.version
    sources = ((source, key) for source, key in part.old.given.items() if not isinstance(key, OWN))
    return {key for way in _ways(version, sources, known, constants) for key in way}


def _ways(
    version: FoldedGraph, sources: Iterable[tuple[Source, Key]], known: Callable[[Source], Key | None], told: set[int]
) -> Iterator[tuple[Key, ...]]:
    """Yield what is between a part and each of the nodes that tell more, these included."""
    level: list[tuple[int, tuple[Key, ...]]] = [(source[0], (key,)) for source, key in sources]
    for _ in range(_LEVELS):
        above = list[tuple[int, tuple[Key, ...]]]()
        for index, way in level[:_MOST]:
            node = version.graph.nodes[index]
            if version.form.names.of(node) in BOUNDED or any(k in told for k, _ in node.inputs):
                yield way
                continue
            for source in (Source(*one) for one in node.inputs if one[0] in version.fed):
                key = known(source)
                above.append((source[0], way if key is None else (*way, key)))
        level = above
