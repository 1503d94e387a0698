"""Numbers in attributes that explain an error: with one more or one less, the inputs of the node would match."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from irlint.dryrun.infer import Inference, NodeShapeError, Outputs
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.dryrun.trial import tried
from irlint.graph import Graph, Node
from irlint.tools import later

_NUMBER = later(r"-?[0-9]+")
_LONGEST = 80  # characters of a considered attribute
_TRIES = 120  # for one error
_TOLD = 3  # more candidates than this are not reported


def deciding(found: Inference, mapping: Mapping, mistake: NodeShapeError) -> list[tuple[Node, str]]:
    """Return the attributes, with their nodes: those of the node itself and of its inputs."""
    graph, node = mistake.graph, mistake.node
    makers = {
        k: graph.nodes[node.inputs[k][0]] for k in mistake.operands if k < len(node.inputs) and node.inputs[k][0] >= 0
    }
    hits: dict[tuple[int, str], tuple[Node, str]] = {}
    tries = _TRIES
    for k, candidate in [(None, node), *makers.items()]:
        for key, changed in _variants(candidate) if candidate.kind == "call" and not candidate.graphs else ():
            if (candidate.index, key) in hits:
                continue
            tries -= 1
            if tries < 0:
                return []
            made = _outputs(found, mapping, graph, changed)
            if made is None or (k is not None and not _goes_on(found, mapping, mistake, candidate.index, made)):
                continue
            hits[candidate.index, key] = candidate, key
    return list(hits.values()) if len(hits) <= _TOLD else []


def _variants(node: Node) -> Iterator[tuple[str, Node]]:
    """Return the node with one number in one attribute changed."""
    for key, text in node.attrs.items():
        if not isinstance(text, str) or len(text) > _LONGEST or key.startswith("__"):
            continue
        for spot in _NUMBER.finditer(text):
            for step in (1, -1):
                changed = copy.copy(node)
                number = str(int(spot[0]) + step)
                changed.attrs = {**node.attrs, key: text[: spot.start()] + number + text[spot.end() :]}
                yield key, changed


def _goes_on(found: Inference, mapping: Mapping, mistake: NodeShapeError, index: int, made: Outputs) -> bool:
    return _outputs(found, mapping, mistake.graph, mistake.node, {index: made}) is not None


def _outputs(
    found: Inference, mapping: Mapping, graph: Graph, node: Node, instead: dict[int, Outputs] | None = None
) -> Outputs | None:
    """Return the output of a node with some nodes replaced; None if it is refused or unknown."""
    inputs = [_given(found, mapping, graph, source, instead or {}) for source in node.inputs]
    return tried(lambda: mapping.call(graph, node), inputs)


def _given(
    found: Inference, mapping: Mapping, graph: Graph, source: tuple[int, int], instead: dict[int, Outputs]
) -> Tensor:
    """Return a value with its initial shape."""
    index, output = source
    if index < 0:
        return UNKNOWN
    node = graph.nodes[index]
    outputs = instead.get(index)
    if outputs is None:
        whole = found.outputs(graph, node)
        leaf = mapping.leaf(graph, node) if node.kind == "var" else whole
        outputs = whole if node.kind == "var" and leaf[0].shape is None and graph.parent is not None else leaf
    return outputs[output] if output < len(outputs) else UNKNOWN
