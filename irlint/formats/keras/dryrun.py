"""How calls of layers map to the dry run."""

from __future__ import annotations

from functools import partial

from irlint.dryrun.entries import Values
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.shared.nesting import Part, Variants
from irlint.dryrun.tensor import Tensor
from irlint.formats.keras.dryrun_table import ENTRIES
from irlint.formats.keras.grammar import GRAMMAR
from irlint.formats.keras.read import layer_path
from irlint.formats.table_mapping import TableMapping
from irlint.graph import Graph, Node
from irlint.operators import table
from irlint.rules.base import Model


class KerasMapping(TableMapping):
    """The mapping of one file. A model that is a layer is run inline, with types of its own for each call."""

    declares = False

    def __init__(self, model: Model) -> None:
        super().__init__(table(model.dialect), ENTRIES[model.dialect], GRAMMAR)
        self.inner = {path: Variants(partial(_copy, graph)) for path, graph in model.state.items()}

    def values(self, node: Node) -> Values:
        """Return lists as tuples, those of the table too."""
        return {key: tuple(one) if isinstance(one, list) else one for key, one in super().values(node).items()}

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        return (Tensor(*node.outputs[0].type),)

    def contextual(self, node: Node) -> bool:
        return True  # arguments are lists and objects, which cannot be looked up

    def call(self, graph: Graph, node: Node) -> Call | None:
        found = self.inner.get(layer_path(node))
        if found is None:
            return super().call(graph, node)
        part = Part(found.graph, found.graph.inputs, range(len(node.inputs)), found)
        return Call(operator("shared/nesting.Inline"), {"parts": [part]})

    def output_names(self, graph: Graph) -> list[str]:
        return [graph.nodes[source[0]].name if source[0] >= 0 else "" for source in graph.outputs]


def _copy(graph: Graph) -> Graph:
    return Graph(graph.nodes, graph.inputs, graph.outputs, graph.name, graph.locate, graph.locate_output, ordered=False)
