"""From layers to a graph; what is wrong with counts, blobs and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

from irlint.findings import Problem
from irlint.formats.ncnn.blobs import blob_problems
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.counts import count_problems
from irlint.formats.ncnn.hints import HINTS, hinted
from irlint.formats.ncnn.long_words import long_words
from irlint.formats.ncnn.wiring import Wiring, wire
from irlint.graph import NOWHERE, UNKNOWN, Graph, Node, Source, Type, Value
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers import Layer, LayerDocument
from irlint.text.layers_values import parameters

if TYPE_CHECKING:
    from irlint.formats.ncnn.pnnx_values import Facts

KINDS = {"Input": "var", "MemoryData": "const", "pnnx.Input": "var", "pnnx.Attribute": "const"}
_UNKNOWN = repeat(UNKNOWN)
_value: Callable[[tuple[str, Type]], Value] = partial(tuple.__new__, Value)
_PARTS = {"name": "name", "op": "op", "node": "op", "attrs": "op", "id": "name", "version": "op"}


def read(model: Model, document: LayerDocument) -> Iterator[Problem]:
    """Fill model.graph; report what is wrong before any layer's own parameters are looked at."""
    rows, graph, memory = document.rows, model.graph, model.memory
    # Words that do not exist cannot be empty; blobs of layers below are reported by their names.
    model.settled |= {R.cycle, R.self_reference, R.used_before_defined, R.empty_name}
    facts: Sequence[Facts] | None = None
    if model.dialect == "pnnx":
        from irlint.formats.ncnn.pnnx import facts_of, pnnx_problems

        facts = facts_of(model, document)
    else:
        model.operators = table("ncnn")
    wiring = memory.alike("wiring", rows, None, _same_names, lambda: wire(rows))
    wiring = wiring._replace(defined=memory.once("blobs", wiring.defined, lambda: wiring.defined))
    nodes = graph.nodes = memory.each("layers", rows, (wiring.defined, wiring.is_undefined), _maker(wiring, facts))
    model.silent.update(id(nodes[k]) for k in memory.picked("broken", rows, _broken))
    graph.inputs = list(memory.alike("variables", nodes, None, _same_kind, lambda: _variables(nodes)))
    graph.outputs = wiring.outputs.copy()
    graph.locate = locate
    graph.locate_output = lambda k: Place((wiring.outputs[k].node, "outputs", wiring.outputs[k].output))
    if facts is not None:
        ends = [(node, k) for node in nodes if node.op == "pnnx.Output" for k in range(len(node.inputs))]
        ends = [(node, k) for node, k in ends if node.inputs[k] != NOWHERE]
        graph.outputs = [Source(*node.inputs[k]) for node, k in ends]
        graph.locate_output = lambda k: Place((ends[k][0].index, "inputs", ends[k][1]))
    made = len(wiring.defined) if not wiring.is_twice else sum(len(row.outputs) for row in rows)
    yield from count_problems(document, made)
    yield from blob_problems(model, document, wiring)
    if facts is None:
        yield from long_words(model, document)
    else:
        yield from pnnx_problems(model, document, facts)


def _maker(wiring: Wiring, facts: Sequence[Facts] | None) -> Callable[[int, Layer], Node]:
    """Return what makes the node of a layer."""
    find, kind_of = wiring.defined.get, KINDS.get

    def make(index: int, row: Layer) -> Node:
        _, op, name, _, names, made, params, *_ = row
        sources = [*map(find, names)]
        if wiring.is_undefined:  # blobs of layers above are all that a layer can read
            sources = [source if source and source[0] < index else NOWHERE for source in sources]
        attrs, kind = parameters(params), kind_of(op, "call")
        if facts is not None:
            values = [Value(blob, facts[index].types.get(blob, UNKNOWN)) for blob in made]
            attrs = {key: value for key, value in attrs.items() if key[:1] != "#"}  # types belong to values
        elif HINTS in attrs:
            values = [*map(Value, made, hinted(attrs[HINTS], len(made)))]
        else:
            values = [*map(_value, zip(made, _UNKNOWN))]
        return Node(index, name, op, (index,), sources, values, attrs, kind)  # type: ignore[arg-type]

    return make


def _broken(rows: Sequence[Layer]) -> list[int]:
    return [k for k, row in enumerate(rows) if row.broken]


def _same_names(old: Layer, new: Layer) -> bool:
    return old.inputs == new.inputs and old.outputs == new.outputs


def _same_kind(old: Node, new: Node) -> bool:
    return old.kind == new.kind


def _variables(nodes: Sequence[Node]) -> list[int]:
    return [node.index for node in nodes if node.kind == "var"]


def locate(graph: Graph, index: int, part: str) -> Place:
    word, _, rest = part.partition(":")
    if word in ("input", "output"):
        return Place((index, f"{word}s", int(rest)))
    if word == "attr":
        return Place((index, "value", rest))
    if word == "attr_key":
        return Place((index, "key", rest))
    return Place((index, _PARTS.get(word, word)))
