"""Element types that follow for variables of which the file does not tell any: what people are shown, and no rule looks at."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.dryrun.infer import Outputs, order_of
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.signature import Signature, parse
from irlint.dryrun.tensor import Tensor, taken
from irlint.dryrun.trial import tried
from irlint.formats.nnvm.passes.operands import signatures
from irlint.formats.nnvm.reading.params import Array
from irlint.graph import Graph, Node
from irlint.operators import Operator, OperatorTable

# Operands that have the type of the data, also where an operator's record has no types
_LIKE_DATA = frozenset(("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters", "label", "alpha"))


def completed(
    mapping: Mapping, graph: Graph, types: Sequence[Outputs], table: OperatorTable, arrays: dict[str, Array]
) -> list[Outputs]:
    """Return the types with those of arrays in the parameter file, and those that MXNet infers from other operands."""
    completion = _Completion(mapping, graph, types)
    if graph.parent is None:
        completion.take_arrays(arrays)
    for index in order_of(graph):
        node = graph.nodes[index]
        operator = table.get(node.op) if node.kind == "call" and not node.graphs else None
        if operator is not None:
            completion.complete(node, operator)
    return completion.found


class _Completion:
    def __init__(self, mapping: Mapping, graph: Graph, types: Sequence[Outputs]) -> None:
        self.mapping, self.graph = mapping, graph
        self.found = list(types)

    def take_arrays(self, arrays: dict[str, Array]) -> None:
        """Give variables the types of arrays in the parameter file."""
        for node in self.graph.nodes:
            if (array := arrays.get(node.name)) is not None:
                self._give(node.index, array.dtype)

    def complete(self, node: Node, operator: Operator) -> None:
        """Set types of a node's operands that follow from others, and those of its outputs."""
        inputs = taken(self.found, node.inputs)
        kinds = [tensor.dtype for tensor in inputs]
        made = self.found[node.index]
        is_open = None in [tensor.dtype for tensor in made]
        if None in kinds:
            _follow(operator, kinds)
            for (source, _), kind in zip(node.inputs, kinds, strict=True):
                self._give(source, kind)
            inputs = taken(self.found, node.inputs)
        outputs = tried(lambda: self.mapping.call_of(self.graph, node), inputs) if is_open else None
        if outputs is not None and [tensor.shape for tensor in outputs] == [tensor.shape for tensor in made]:
            self.found[node.index] = outputs

    def _give(self, index: int, dtype: str | None) -> None:
        """Set the element type of a variable that has none."""
        known = self.found[index] if index >= 0 else ()
        if dtype is not None and known and known[0].dtype is None and self.graph.nodes[index].kind == "var":
            self.found[index] = (Tensor(dtype, known[0].shape), *known[1:])


def _follow(operator: Operator, kinds: list[str | None]) -> None:
    """Set the types of operands that follow from the others."""
    for text, _ in signatures(operator):
        _fill(parse(text), kinds)
    for k, port in enumerate(operator.inputs[: len(kinds)]):
        if kinds[k] is None and port.name in _LIKE_DATA and "float" in (kinds[0] or ""):
            kinds[k] = kinds[0]


def _fill(signature: Signature, kinds: list[str | None]) -> None:
    """Give operands without a type the one that the signature ties them to: a letter's, or the only one there is."""
    patterns = signature.patterns(len(kinds))[: len(kinds)]
    pairs = zip(patterns, kinds, strict=False)
    letters = {p.letter: kind for p, kind in pairs if p.letter and kind is not None and not p.wide}
    for k, pattern in enumerate(patterns):
        only = pattern.kinds[0] if len(pattern.kinds) == 1 else None
        kinds[k] = kinds[k] or letters.get(pattern.letter) or only
