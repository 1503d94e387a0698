"""Types of all values of both versions for some lengths of their inputs: what parts read fits together then, as in a real run."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.dryrun.dims import is_known
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.tensor import Entries, Tensor
from irlint.graph import Source, Type
from irlint.inspection.folding.drawn import RunNumbers
from irlint.inspection.folding.folded_graph import FoldedGraph


class ConcreteTypes:
    """The types of both versions in one run."""

    def __init__(self, versions: Sequence[FoldedGraph], drawn: RunNumbers) -> None:
        self._versions, self._known = versions, dict[int, Inference]()
        lengths: dict[str, Tensor] = {}
        for model, mapping, type_of in ((one.model, one.form.mapping, one.type_of) for one in versions):
            graph = model.graph
            inputs = [graph.nodes[k] for k in graph.inputs]
            for node in inputs:
                type_ = type_of(graph, node, 0)
                if type_.shape is not None and node.name not in lengths:
                    lengths[node.name] = Tensor(type_.dtype, drawn.shape(type_.shape))
            given = {node.index: lengths[node.name] for node in inputs if node.name in lengths}
            if mapping is not None:
                self._known[id(model)] = infer(graph, mapping, given)

    def again(self, drawn: RunNumbers) -> ConcreteTypes:
        return ConcreteTypes(self._versions, drawn)

    def type(self, version: FoldedGraph, source: Source) -> Type:
        """Return the type of a value; what is known for any lengths if it is not known for these."""
        tensor = self._tensor(version, source)
        is_better = tensor is not None and tensor.shape is not None and is_known(tensor.shape)
        return tensor.type if tensor is not None and is_better else version.type(source)

    def entries(self, version: FoldedGraph, source: Source) -> Entries | None:
        """Return the numbers of a value that depends on lengths only."""
        tensor = self._tensor(version, source)
        return None if tensor is None else tensor.value

    def _tensor(self, version: FoldedGraph, source: Source) -> Tensor | None:
        known = self._known.get(id(version.model))
        outputs = () if known is None else known.outputs(version.graph, version.graph.nodes[source[0]])
        return outputs[source[1]] if source[1] < len(outputs) else None
