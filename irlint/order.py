"""The order of a graph: depth-first post-order of its calls, without recursion; edges against the order of the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irlint.graph import Graph, Node
from irlint.records import NamedTuple


class BackwardEdge(NamedTuple):
    """An input that is the output of the node itself or of a later one."""

    graph: Graph
    node: Node
    input: int
    source: int


class CycleError(ValueError):
    """The graph has no topological order."""


def post_order(graph: Graph, outputs: Iterable[int] | None = None, strict: bool = True) -> list[int]:
    """Indices of all calls: from the outputs, inputs left to right, innermost first; then, each with what it needs, in
    file order, calls that nobody reads. So a graph that names no outputs has the latter for its outputs.

    Every call comes once and after all calls that it reads. A nested graph (the body of a loop, the branches of a
    condition) belongs to its call and is not entered. On a cycle there is no such order: CycleError, unless not `strict`; then
    the input that closes the cycle does not count.
    """
    nodes = graph.nodes
    ordered: list[int] = []
    done = bytearray(len(nodes))  # 1: its inputs are being walked, 2: it has its place
    if outputs is None:
        outputs = [source[0] for source in graph.outputs if source[0] >= 0]
    read = {source[0] for node in nodes for source in node.inputs}
    unread = [index for index in range(len(nodes)) if index not in read]
    for start in (*outputs, *unread, *range(len(nodes))):
        _visit(nodes, start, done, ordered, strict)
    return ordered


def _visit(nodes: Sequence[Node], start: int, done: bytearray, ordered: list[int], strict: bool) -> None:
    """Append the calls that a node needs, innermost first, and the node, unless they have their place."""
    if done[start]:
        return
    done[start] = 1
    path = [(start, iter(nodes[start].inputs))]
    while path:
        index, sources = path[-1]
        for below, _ in sources:
            if below >= 0 and done[below] != 2 and (strict or not done[below]):
                break
        else:
            done[index] = 2
            if nodes[index].kind == "call":
                ordered.append(index)
            path.pop()
            continue
        if done[below]:
            raise CycleError(f"node {nodes[below].name!r} ({nodes[below].op}) needs its own result")
        done[below] = 1
        path.append((below, iter(nodes[below].inputs)))
