"""From layers to a graph; what is wrong with counts, blobs and their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from irlint.findings import Problem
from irlint.formats.ncnn.blobs import blob_problems, same_inputs
from irlint.formats.ncnn.counts import count_problems
from irlint.formats.ncnn.document import Layer, ParamDocument
from irlint.formats.ncnn.long_words import long_words
from irlint.formats.ncnn.values import parameters
from irlint.graph import NOWHERE, UNKNOWN, Graph, Node, Source, Value
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.base import Place

if TYPE_CHECKING:
    from irlint.formats.ncnn.pnnx import Facts

KINDS = {"Input": "var", "MemoryData": "const", "pnnx.Input": "var", "pnnx.Attribute": "const"}
_PARTS = {"name": "name", "op": "op", "node": "op", "attrs": "op", "id": "name", "version": "op"}


def read(model: Model, document: ParamDocument) -> Iterator[Problem]:
    """Fill model.graph; report what is wrong before any layer's own parameters are looked at."""
    rows, graph, memory = document.rows, model.graph, model.memory
    facts: Sequence[Facts] | None = None
    if model.dialect == "pnnx":
        from irlint.formats.ncnn.pnnx import facts_of, pnnx_problems

        facts = facts_of(model, document)
    else:
        model.operators = table("ncnn")
    defined = memory.alike("blobs", rows, None, _same_outputs, lambda: _defined(rows))
    nodes = memory.each("layers", rows, defined, partial(_node, defined, facts))
    made = memory.alike("number of blobs", rows, None, _same_outputs, lambda: sum(len(row.outputs) for row in rows))
    graph.nodes = nodes
    model.silent.update(id(nodes[k]) for k in memory.picked("broken", rows, _broken))
    graph.inputs = list(memory.alike("variables", nodes, None, _same_kind, lambda: _variables(nodes)))
    graph.outputs = list(memory.alike("outputs", nodes, defined, same_inputs, lambda: _outputs(nodes)))
    graph.locate, graph.locate_output = (
        locate,
        lambda k: locate(graph, graph.outputs[k].node, f"output:{graph.outputs[k].output}"),
    )
    yield from count_problems(document, made)
    yield from blob_problems(model, document, defined, made)
    if facts is None:
        yield from long_words(model, document)
    else:
        yield from pnnx_problems(model, document, facts)


def _defined(rows: Sequence[Layer]) -> dict[str, Source]:
    """Return where each blob comes from. Readers of a name get the first blob of that name."""
    found: dict[str, Source] = {}
    for index, row in enumerate(rows):
        for k, name in enumerate(row.outputs):
            if name not in found:
                found[name] = Source(index, k)
    return found


def _node(defined: Mapping[str, Source], facts: Sequence[Facts] | None, index: int, row: Layer) -> Node:
    sources = [defined.get(name, NOWHERE) for name in row.inputs]
    sources = [source if source[0] < index else NOWHERE for source in sources]
    types = facts[index].types if facts is not None else {}
    values = [Value(name, types.get(name, UNKNOWN)) for name in row.outputs]
    kind = KINDS.get(row.op, "call")
    return Node(index, row.name, row.op, (index,), sources, values, parameters(row.params), kind)


def _broken(rows: Sequence[Layer]) -> list[int]:
    return [k for k, row in enumerate(rows) if row.broken]


def _same_outputs(old: Layer, new: Layer) -> bool:
    return old.outputs == new.outputs


def _same_kind(old: Node, new: Node) -> bool:
    return old.kind == new.kind


def _variables(nodes: Sequence[Node]) -> list[int]:
    return [node.index for node in nodes if node.kind == "var"]


def _outputs(nodes: Sequence[Node]) -> list[Source]:
    """Return the blobs that no layer reads: those the runtime calls outputs."""
    read_by_some = {source for node in nodes for source in node.inputs}
    return [
        Source(node.index, k) for node in nodes for k in range(len(node.outputs)) if (node.index, k) not in read_by_some
    ]


def locate(graph: Graph, index: int, part: str) -> Place:
    word, _, rest = part.partition(":")
    if word in ("input", "output"):
        return Place((index, f"{word}s", int(rest)))
    if word == "attr":
        return Place((index, "value", rest))
    if word == "attr_key":
        return Place((index, "key", rest))
    return Place((index, _PARTS.get(word, word)))
