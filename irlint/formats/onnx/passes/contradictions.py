"""Declared shapes that are not what nodes compute, where onnx's inference does not know what they compute: it believes the declaration.

It refuses the model (full_check, 1.23.2) if what it infers from that does not match another declaration.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from irlint.dryrun.differing import difference, fits
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.findings import Severity
from irlint.graph import Graph, Node

_MOST = 16  # contradictions that are traced


def contradicted(mapping: Mapping, types: Inference) -> dict[str, Node]:
    """Return by the names of the values whose declarations onnx believes the first node that declares something else."""
    graph, given = types.graph, dict[int, Tensor]()
    for node, tensors in zip(graph.nodes, types.types.get(id(graph), ()), strict=False):
        if node.kind == "call" and len(node.outputs) == len(tensors) == 1:
            declared = node.outputs[0].type.shape
            if declared is not None and not fits(declared, tensors[0].shape):
                given[node.index] = Tensor(tensors[0].dtype, declared)
    found = infer(graph, mapping, given) if given else types
    contradictions = _differing(graph, found, mapping, given) if given else iter(())
    origins: dict[str, Node] = {}
    for _, node in zip(range(_MOST), contradictions, strict=False):
        for index in _believed(graph, node, given):
            origins.setdefault(graph.nodes[index].outputs[0].name or "", node)
    return origins


def _differing(graph: Graph, found: Inference, mapping: Mapping, given: Collection[int]) -> Iterator[Node]:
    """Yield the nodes that declare another shape than follows from those that are given, where onnx knows it."""
    for node, tensors in zip(graph.nodes, found.types.get(id(graph), ()), strict=False):
        for k, (value, tensor) in enumerate(zip(node.outputs, tensors, strict=False)):
            declared = value.type.shape
            if node.kind == "call" and node.index not in given and not fits(declared, tensor.shape):
                how = difference(declared, tensor.shape)
                if mapping.declared_severity(graph, node, k, how) is Severity.ERROR:
                    yield node


def _believed(graph: Graph, node: Node, given: Collection[int]) -> Iterator[int]:
    """Yield the nodes before a node whose shapes are given. What a Loop makes of its inputs, onnx knows by what its body declares."""
    waiting, seen = [node.index], {node.index}
    while waiting:
        one = graph.nodes[waiting.pop()]
        for index, _ in () if one.graphs else one.inputs:
            if index >= 0 and index not in seen:
                seen.add(index)
                if index in given:
                    yield index
                else:
                    waiting.append(index)
