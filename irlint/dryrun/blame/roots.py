"""Errors with one cause: one wrong dimension that conflicts with several nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from irlint.dryrun.infer import Inference, NodeShapeError, infer
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph, Shape, above

_NODES = 40_000  # limit of the search for a cause
_ORIGINS = 3


def rooted(
    graph: Graph, mapping: Mapping, broken: Collection[int], found: Inference, mistakes: list[NodeShapeError]
) -> dict[int, list[NodeShapeError]]:
    """Return groups of errors that one dimension of one value explains: by id() of the first one's node, the others."""
    if len(mistakes) < 2 or len(mistakes) * len(graph.nodes) > _NODES:
        return {}
    mistakes = sorted(mistakes, key=lambda mistake: mistake.node.index)
    nodes = {id(mistake.node) for mistake in mistakes}
    tries = _NODES // len(graph.nodes)
    for origin in _origins(graph, mistakes):
        types = found.outputs(graph, graph.nodes[origin])
        if len(types) != 1 or types[0].shape is None:
            continue
        declared = graph.nodes[origin].kind == "var"
        for shape in _variants(types[0].shape, declared):
            tries -= 1
            if tries < 0:
                return {}
            again = infer(graph, mapping, {origin: Tensor(types[0].dtype, shape)}, broken)
            if not any(id(mistake.node) in nodes for mistake in again.mistakes[id(graph)]):
                return {id(mistakes[0].node): mistakes[1:]}
    return {}


def _origins(graph: Graph, mistakes: list[NodeShapeError]) -> list[int]:
    """Return what all the nodes depend on: the nearest such value, and variables, nearest first."""
    common: set[int] | None = None
    for mistake in mistakes:
        reached = above(graph, mistake.node.index)
        common = reached if common is None else common & reached
    listed = sorted(common or (), reverse=True)
    return [k for place, k in enumerate(listed) if not place or graph.nodes[k].kind == "var"][:_ORIGINS]


def _variants(shape: Shape, declared: bool) -> Iterator[Shape]:
    """Yield the shape with one dimension unknown; a declared one also with one more or one less."""
    for k in range(len(shape)):
        yield (*shape[:k], None, *shape[k + 1 :])
    if declared:
        for k in range(len(shape) + 1):
            yield (*shape[:k], None, *shape[k:])
        for k in range(len(shape)):
            yield (*shape[:k], *shape[k + 1 :])
