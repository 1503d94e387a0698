"""hidden_size of recurrent operations: the reader uses the tensors, the plug-in the attribute if the weights are constant."""

from __future__ import annotations

from irlint.graph import Graph, Node

_WEIGHTS = {  # which inputs are W and R
    "GRUCell": (2, 3), "LSTMCell": (3, 4), "RNNCell": (2, 3), "GRUSequence": (3, 4), "LSTMSequence": (4, 5), "RNNSequence": (3, 4),
}  # fmt: skip


def needs_hidden_size(graph: Graph, node: Node) -> bool:
    """Return whether the plug-in refuses the model because of a wrong or missing hidden_size."""
    places = _WEIGHTS.get(node.op, ())
    return bool(places) and all(k < len(node.inputs) and _constant(graph, node.inputs[k][0]) for k in places)


def _constant(graph: Graph, index: int) -> bool:
    """Return whether a value is a constant, possibly converted from another type."""
    if index < 0:
        return False
    node = graph.nodes[index]
    if node.op == "Convert" and len(node.inputs) == 1 and node.inputs[0][0] >= 0:
        node = graph.nodes[node.inputs[0][0]]
    return node.kind == "const"
