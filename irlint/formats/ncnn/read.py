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
from irlint.graph import Type
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.layers.values import parameters

KINDS = {"Input": "var", "MemoryData": "const"}


def read(model: Model, document: LayerDocument) -> Iterator[Problem]:
    """Fill model.graph; report what is wrong before any layer's own parameters are looked at."""
    model.operators = table("ncnn")
    wiring = fill_graph(model, document, Nodes(KINDS, _hinted if f"{HINTS}=" in document.text else None))
    yield from count_problems(document, wiring.made, TERMS, ("Noop",))
    lost = lost_splits(model, document, wiring)
    yield from name_problems(model, document, wiring, TERMS, [name for _, _, name in lost])
    yield from split_problems(model, document, wiring, lost)
    yield from long_words(model, document)


def _hinted(index: int, row: LayerRow) -> Sequence[Type]:
    return hinted(parameters(row.params).get(HINTS), len(row.outputs))


def _has_weights(row: LayerRow) -> bool:
    operator = table("ncnn").get(row.op)
    return operator is None or "weights" in operator.facts


TERMS = Terms("layer", "blob", _has_weights)
