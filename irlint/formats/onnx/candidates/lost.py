"""The node that is missing where something uses a name that nothing defines: between a value that nothing uses and that name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from irlint.dryrun.dims import is_known
from irlint.dryrun.tensor import Tensor
from irlint.findings import Candidate
from irlint.formats.onnx.candidates.site import OnnxSite, cast_to, written
from irlint.formats.onnx.read import type_of
from irlint.formats.onnx.wire import DTYPE_NUMBERS
from irlint.graph import Node
from irlint.text.prototext.messages import Tree
from irlint.tools import later

_NAMED = later(r"(?:^|/)([A-Z][A-Za-z]*)(?:_\d+)?_output_0$")
_IDLE = 3  # with more unused values, none is likely


def lost_candidates(site: OnnxSite) -> Iterator[Candidate]:
    """Yield a Cast or a Transpose of the unused value that has the declared type of an undefined name but for its element type or
    the order of its axes."""
    if site.path[:-1] != ("graph", "node"):
        return
    graph = site.document.tree["graph"]
    undefined = set(site.undefined)
    declared = {one.get("name", ""): one.get("type") for one in graph.get("value_info", ())} if undefined else {}
    for name in site.inputs:
        if name in undefined and name in declared:
            wanted = type_of(declared[name] or {})
            for idle, given in islice(unused_values(site), _IDLE):
                node = _between(given, Tensor(*wanted))
                if node is not None:
                    yield _inserted(site, idle, name, node)
    for k, name in enumerate(site.inputs):
        if name in undefined:
            for node in _usual(site, k, name):
                yield from (_inserted(site, idle, name, node) for idle, _ in islice(unused_values(site), 1))


def _inserted(site: OnnxSite, idle: str, name: str, node: Tree) -> Candidate:
    edits = site.document.inserted(site.path, {"input": [idle], "output": [name], **node})
    return Candidate(f"Insert {node['op_type']} of {idle!r}", edits, 0)


def _makers(site: OnnxSite, k: int) -> list[Node]:
    """Return the nodes that all other nodes of the operator read as this input, if they are of one operator."""
    nodes = site.graph.nodes
    alike = [node for node in nodes if node.op == site.node.op and k < len(node.inputs) and node is not site.node]
    found = [nodes[node.inputs[k][0]] for node in alike if node.inputs[k][0] >= 0]
    return found if len({node.op for node in found}) == 1 else []


def _usual(site: OnnxSite, k: int, name: str) -> Iterator[Tree]:
    """Yield the node of one input that is missing: the operator that a name of PyTorch's tells (`/Relu_1_output_0`), or what all other
    nodes of the operator take there."""
    told = _NAMED.search(name)
    makers = _makers(site, k) if told is None else [node for node in site.graph.nodes if node.op == told[1]]
    trees = [site.document.value_at(one.path) for one in makers if one.kind == "call" and len(one.inputs) == 1]
    ways = [{"op_type": one["op_type"], "attribute": one.get("attribute", [])} for one in trees]
    if ways and len(ways) == len(makers) and all(way == ways[0] for way in ways):
        yield ways[0] if ways[0]["attribute"] else {"op_type": ways[0]["op_type"]}


def unused_values(site: OnnxSite) -> Iterator[tuple[str, Tensor]]:
    """Yield outputs of the graph's nodes and inputs of the model that nothing uses, the nearest first."""
    for node in reversed(site.graph.nodes[: site.node.index]):
        for k, value in enumerate(node.outputs if node.kind != "const" else ()):
            if value.name and not site.whole.read[value.name]:
                yield value.name, site.whole.type_of(site.graph, node.index, k)


def _between(given: Tensor, wanted: Tensor) -> Tree | None:
    """Return the node that makes a value of one type of another."""
    if given.shape is None or wanted.shape is None or given.dtype is None or wanted.dtype is None:
        return None
    if given.shape == wanted.shape and given.dtype != wanted.dtype and wanted.dtype in DTYPE_NUMBERS:
        return cast_to(DTYPE_NUMBERS[wanted.dtype])
    sizes = list(given.shape)
    is_moved = given.dtype == wanted.dtype and given.shape != wanted.shape and is_known(given.shape)
    if not is_moved or len(set(sizes)) < len(sizes) or sorted(map(str, sizes)) != sorted(map(str, wanted.shape)):
        return None
    return {"op_type": "Transpose", "attribute": [written("perm", "ints", list(map(sizes.index, wanted.shape)))]}
