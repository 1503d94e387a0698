"""Errors at several nodes that take the same constant: its shape or its type is wrong, not each of them."""

from __future__ import annotations

from irlint.dryrun.infer import Inference, NodeShapeError
from irlint.graph import Graph, Node

_STEPS = 8  # nodes behind each other that only pass a value on


def of_one_constant(found: Inference, mistakes: list[NodeShapeError]) -> dict[int, list[NodeShapeError]]:
    """Return the errors as one group, by id() of the node of the first, if they are all about one constant of the main graph; nested
    graphs use it by its name."""
    if len(mistakes) < 2:
        return {}
    names = {node.name for node in found.graph.nodes if node.kind == "const"}
    shared = set.intersection(names, *(_operands(found, mistake) for mistake in mistakes))
    return {id(mistakes[0].node): mistakes[1:]} if shared else {}


def _operands(found: Inference, mistake: NodeShapeError) -> set[str]:
    """Return the names of the constants that the operands of an error come from."""
    inputs = mistake.node.inputs
    origins = (_origin(found, mistake.graph, inputs[k][0]) for k in mistake.operands if k < len(inputs))
    return {node.name for node in origins if node is not None and _is_of_main_graph(found, mistake.graph, node)}


def _is_of_main_graph(found: Inference, graph: Graph, node: Node) -> bool:
    """Return whether a node is a constant of the main graph, or stands for one in a graph that uses it."""
    return node.kind == "const" if graph is found.graph else node.kind == "var" and node.index not in graph.inputs


def _origin(found: Inference, graph: Graph, index: int) -> Node | None:
    """Return the node that a value comes from, before nodes that pass its type on."""
    for _ in range(_STEPS):
        inputs = graph.nodes[index].inputs if index >= 0 else ()
        if len(inputs) != 1 or inputs[0][0] < 0:
            break
        before, after = (found.outputs(graph, graph.nodes[k])[:1] for k in (inputs[0][0], index))
        if not before or not after or before[0].type != after[0].type:
            break
        index = inputs[0][0]
    return graph.nodes[index] if index >= 0 else None
