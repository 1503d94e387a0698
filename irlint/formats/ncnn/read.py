"""From layers to a graph; what is wrong with counts, blobs and their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.checks.layer_counts import count_problems
from irlint.checks.names import Terms, name_problems
from irlint.findings import Problem
from irlint.formats.layers_graph import Nodes, fill_graph
from irlint.formats.ncnn.arguments import HINTS, hinted
from irlint.formats.ncnn.blobs import lost_splits, split_problems
from irlint.formats.ncnn.long_words import long_words
from irlint.graph import Graph, Type
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.layers.values import parameters
from irlint.tools import later

KINDS = {"Input": "var", "MemoryData": "const"}


def read(model: Model, document: LayerDocument) -> Iterator[Problem]:
    """Fill model.graph; report what is wrong before any layer's own parameters are looked at."""
    model.operators = table("ncnn")
    wiring = fill_graph(model, document, Nodes(KINDS, _hinted if f"{HINTS}=" in document.text else None))
    _number(model.graph)
    yield from count_problems(document, wiring.made, TERMS, ("Noop",))
    lost = lost_splits(model, document, wiring)
    yield from name_problems(model, document, wiring, TERMS, [name for _, _, name in lost])
    yield from split_problems(model, document, wiring, lost)
    yield from long_words(model, document)


def _number(graph: Graph) -> None:
    """Put outputs in the order of their numbers: pnnx calls them out0, out1 and so on, and writes their layers in any order."""
    found = [(_NUMBERED.fullmatch(graph.nodes[one[0]].outputs[one[1]].name or ""), one) for one in graph.outputs]
    if all(match is not None for match, _ in found):
        graph.outputs.sort(key={one: int(match[1]) for match, one in found if match is not None}.__getitem__)


def _hinted(index: int, row: LayerRow) -> Sequence[Type]:
    return hinted(parameters(row.params).get(HINTS), len(row.outputs))


def _has_weights(row: LayerRow) -> bool:
    operator = table("ncnn").get(row.op)
    return operator is None or "weights" in operator.facts


_NUMBERED = later(r"out([0-9]{1,4})")
TERMS = Terms("layer", "blob", _has_weights)
