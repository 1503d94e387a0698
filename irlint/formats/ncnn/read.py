"""From layers to a graph; what is wrong with counts, blobs and their order."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.ncnn.blobs import blob_problems
from irlint.formats.ncnn.counts import count_problems
from irlint.formats.ncnn.document import Layer, ParamDocument
from irlint.formats.ncnn.long_words import long_words
from irlint.formats.ncnn.values import parameters
from irlint.formats.ncnn.wiring import Wiring, wire
from irlint.graph import Graph, Node, Value
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.base import Place

KINDS = {"Input": "var", "MemoryData": "const", "pnnx.Input": "var", "pnnx.Attribute": "const"}
_PARTS = {"name": "name", "op": "op", "node": "op", "attrs": "op", "id": "name", "version": "op"}


def read(model: Model, document: ParamDocument) -> Iterator[Problem]:
    """Fill model.graph; report what is wrong before any layer's own parameters are looked at."""
    rows, graph, memory = document.rows, model.graph, model.memory
    if model.dialect == "param":
        model.operators = table("ncnn")
    wiring = memory.alike("wiring", rows, None, _same_names, lambda: wire(rows))
    nodes = graph.nodes = memory.each("nodes", rows, wiring, lambda k, row: _node(k, row, wiring))
    model.silent |= {id(node) for node, row in zip(nodes, rows, strict=True) if row.broken}
    graph.inputs = [node.index for node in nodes if node.kind == "var"]
    graph.outputs = wiring.outputs
    graph.locate = locate
    graph.locate_output = lambda k: Place((wiring.outputs[k].node, "outputs", wiring.outputs[k].output))
    yield from count_problems(document)
    yield from blob_problems(model, document, wiring)
    if model.dialect == "param":
        yield from long_words(model, document, wiring.defined)


def _same_names(old: Layer, new: Layer) -> bool:
    return old.inputs == new.inputs and old.outputs == new.outputs


def _node(index: int, row: Layer, wiring: Wiring) -> Node:
    sources = wiring.sources(index, row)
    values = [Value(name) for name in row.outputs]
    kind = KINDS.get(row.op, "call")
    return Node(index, row.name, row.op, (index,), sources, values, parameters(row.params), kind)


def locate(graph: Graph, index: int, part: str) -> Place:
    word, _, rest = part.partition(":")
    if word in ("input", "output"):
        return Place((index, f"{word}s", int(rest)))
    if word == "attr":
        return Place((index, "value", rest))
    if word == "attr_key":
        return Place((index, "key", rest))
    return Place((index, _PARTS.get(word, word)))
