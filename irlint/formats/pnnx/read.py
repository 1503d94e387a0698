"""From operators to a graph; what is wrong with its lines, names, words and weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from irlint.checks.layer_counts import count_problems
from irlint.checks.names import Terms, name_problems
from irlint.findings import Problem
from irlint.formats.layers_graph import Nodes, fill_graph
from irlint.formats.pnnx.lines import line_problems
from irlint.formats.pnnx.operators import facts_of, operator_problems
from irlint.formats.pnnx.weights import weight_problems
from irlint.graph import NOWHERE, UNKNOWN, Source, Type
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers.document import Layer, LayerDocument
from irlint.text.layers.values import parameters

KINDS = {"pnnx.Input": "var", "pnnx.Attribute": "const"}
TERMS = Terms("operator", "operand", lambda row: False)  # weights have names


def read(model: Model, document: LayerDocument) -> Iterator[Problem]:
    facts = list(map(facts_of, document.rows))

    def types(index: int, row: Layer) -> Sequence[Type]:
        return [facts[index].types.get(name, UNKNOWN) for name in row.outputs]

    graph = model.graph
    wiring = fill_graph(model, document, Nodes(KINDS, types, _attributes))
    ends = [(node, k) for node in graph.nodes if node.op == "pnnx.Output" for k in range(len(node.inputs))]
    ends = [(node, k) for node, k in ends if node.inputs[k] != NOWHERE]
    graph.outputs = [Source(*node.inputs[k]) for node, k in ends]
    graph.locate_output = lambda k: Place((ends[k][0].index, "inputs", ends[k][1]))
    yield from count_problems(document, wiring.made, TERMS)
    yield from name_problems(model, document, wiring, TERMS)
    yield from line_problems(document)
    yield from operator_problems(model, document, facts)
    yield from weight_problems(model, facts)


@lru_cache(maxsize=1 << 14)
def _attributes(params: str) -> dict[str, Any]:
    return {key: value for key, value in parameters(params).items() if key[:1] != "#"}  # types belong to values
