"""From layers to a graph; what is wrong with counts, blobs and their order."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.ncnn.blobs import blob_problems
from irlint.formats.ncnn.counts import count_problems
from irlint.formats.ncnn.document import ParamDocument
from irlint.formats.ncnn.long_words import long_words
from irlint.formats.ncnn.values import parameters
from irlint.graph import NOWHERE, Graph, Node, Source, Value
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.base import Place

KINDS = {"Input": "var", "MemoryData": "const", "pnnx.Input": "var", "pnnx.Attribute": "const"}
_PARTS = {"name": "name", "op": "op", "node": "op", "attrs": "op", "id": "name", "version": "op"}


def read(model: Model, document: ParamDocument) -> Iterator[Problem]:
    """Fill model.graph; report what is wrong before any layer's own parameters are looked at."""
    rows, graph = document.rows, model.graph
    if model.dialect == "param":
        model.operators = table("ncnn")
    defined: dict[str, Source] = {}
    find, nodes = defined.get, graph.nodes
    for index, row in enumerate(rows):
        sources = [find(name, NOWHERE) for name in row.inputs]
        values = [Value(name) for name in row.outputs]
        node = Node(
            index, row.name, row.op, (index,), sources, values, parameters(row.params), KINDS.get(row.op, "call")
        )
        nodes.append(node)
        for k, name in enumerate(row.outputs):
            if name not in defined:  # readers of a name get the first blob of that name
                defined[name] = Source(index, k)
        if row.broken:
            model.silent.add(id(node))
    graph.inputs = [node.index for node in nodes if node.kind == "var"]
    graph.outputs = _outputs(graph)
    graph.locate, graph.locate_output = (
        locate,
        lambda k: locate(graph, graph.outputs[k].node, f"output:{graph.outputs[k].output}"),
    )
    yield from count_problems(document)
    yield from blob_problems(model, document, defined)
    if model.dialect == "param":
        yield from long_words(model, document)


def _outputs(graph: Graph) -> list[Source]:
    """Return the blobs that no layer reads: those the runtime calls outputs."""
    read_by_some = {source for node in graph.nodes for source in node.inputs}
    found = []
    for node in graph.nodes:
        for k in range(len(node.outputs)):
            if (node.index, k) not in read_by_some:
                found.append(Source(node.index, k))
    return found


def locate(graph: Graph, index: int, part: str) -> Place:
    word, _, rest = part.partition(":")
    if word in ("input", "output"):
        return Place((index, f"{word}s", int(rest)))
    if word == "attr":
        return Place((index, "value", rest))
    if word == "attr_key":
        return Place((index, "key", rest))
    return Place((index, _PARTS.get(word, word)))
