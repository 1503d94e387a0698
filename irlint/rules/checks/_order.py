"""Edges against the order of the file, and the cycles that they form."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.graph import Graph, Node
from irlint.order import BackwardEdge
from irlint.rules.base import Model


def backward(model: Model) -> list[BackwardEdge]:
    """Return every edge against the order of the file, computed once per model."""
    edges = model.backward
    if edges is None:
        edges = model.backward = []
        for graph in model.graphs():
            if graph.forward:
                continue
            nodes = graph.nodes
            edges += [
                BackwardEdge(graph, nodes[index], k, source[0])
                for index in _readers(nodes)
                for k, source in enumerate(nodes[index].inputs)
                if source[0] >= index
            ]
    return edges


def _readers(nodes: Sequence[Node]) -> list[int]:
    """Return the nodes that use their own output or that of later ones."""
    found = {node.index for node in nodes for source in node.inputs if source[0] >= node.index}
    return [k for k, node in enumerate(nodes) if node.index in found] if found else []


def rings(graph: Graph) -> list[int]:
    """Return the strongly connected component of each node (Tarjan's algorithm)."""
    count = len(graph.nodes)
    order, low, ring = [0] * count, [0] * count, [-1] * count
    clock, found, path = 0, 0, []
    for root in range(count):
        if order[root]:
            continue
        work = [(root, 0)]
        while work:
            at, child = work.pop()
            if child == 0:
                clock += 1
                order[at] = low[at] = clock
                path.append(at)
            inputs = graph.nodes[at].inputs
            while child < len(inputs):
                source = inputs[child][0]
                child += 1
                if source < 0 or ring[source] >= 0:
                    continue
                if not order[source]:
                    work += [(at, child), (source, 0)]
                    break
                low[at] = min(low[at], order[source])
            else:
                if low[at] == order[at]:
                    while True:
                        member = path.pop()
                        ring[member] = found
                        if member == at:
                            break
                    found += 1
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[at])
    return ring


def way_round(graph: Graph, ring: list[int], start: int, end: int) -> list[int]:
    """Return the shortest path from `start` to `end` inside one component; each node is an input of the one before it."""
    came = {start: -1}
    queue = [start]
    for at in queue:
        if at == end:
            break
        for source in graph.nodes[at].inputs:
            if source[0] >= 0 and source[0] not in came and ring[source[0]] == ring[start]:
                came[source[0]] = at
                queue.append(source[0])
    way = [end]
    while (at := came[way[-1]]) >= 0:
        way.append(at)
    return way[::-1]
