"""Element types that follow for variables of which the file does not tell any: what people are shown, and no rule looks at."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import Outputs, apply, order_of
from irlint.dryrun.mapping import Call, Mapping
from irlint.dryrun.signature import Signature, parse
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.reading.params import Array
from irlint.graph import Graph, Node
from irlint.operators import OperatorTable

# Operands that have the type of the data, also where an operator's record has no types
_LIKE_DATA = frozenset(("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters", "label", "alpha"))


def completed(
    mapping: Mapping, graph: Graph, types: Sequence[Outputs], table: OperatorTable, arrays: dict[str, Array]
) -> list[Outputs]:
    """Return the types with those of arrays in the parameter file, and those that MXNet infers from other operands."""
    return _Completion(mapping, graph, types, table, arrays).found


class _Completion:
    def __init__(
        self, mapping: Mapping, graph: Graph, types: Sequence[Outputs], table: OperatorTable, arrays: dict[str, Array]
    ) -> None:
        self.mapping, self.graph, self.table = mapping, graph, table
        self.found = list(types)
        for node in graph.nodes if graph.parent is None else ():
            if (array := arrays.get(node.name)) is not None:
                self._give(node.index, array.dtype)
        for index in order_of(graph):
            node = graph.nodes[index]
            if node.kind == "call" and not node.graphs:
                self._call(node)

    def _give(self, index: int, dtype: str | None) -> None:
        """Set the element type of a variable that has none."""
        known = self.found[index] if index >= 0 else ()
        if dtype is not None and known and known[0].dtype is None and self.graph.nodes[index].kind == "var":
            self.found[index] = (Tensor(dtype, known[0].shape), *known[1:])

    def _call(self, node: Node) -> None:
        kinds = [self._operand(*source).dtype for source in node.inputs]
        is_open = any(tensor.dtype is None for tensor in self.found[node.index])
        if None not in kinds and not is_open:
            return
        try:
            call = self.mapping.call_of(self.graph, node)
        except (ShapeError, Undecided):
            return
        if call is None:
            return
        self._follow(node, call, kinds)
        for (source, _), kind in zip(node.inputs, kinds, strict=True):
            self._give(source, kind)
        if is_open:
            self._apply(node, call)

    def _operand(self, source: int, output: int) -> Tensor:
        outputs = self.found[source] if source >= 0 else ()
        return outputs[output] if output < len(outputs) else Tensor()

    def _follow(self, node: Node, call: Call, kinds: list[str | None]) -> None:
        """Set the types of a call's operands that follow from the others."""
        for text, _ in call.demands:
            _fill(parse(text), kinds)
        operator = self.table.get(node.op)
        if operator is not None and kinds and "float" in (kinds[0] or ""):
            for k, port in enumerate(operator.inputs[1 : len(kinds)], 1):
                if kinds[k] is None and port.name in _LIKE_DATA:
                    kinds[k] = kinds[0]

    def _apply(self, node: Node, call: Call) -> None:
        """Infer the outputs again, now that operands have a type."""
        try:
            outputs = apply(call, [self._operand(*source) for source in node.inputs])
        except (ShapeError, Undecided, *UNFORESEEN):
            return
        if [tensor.shape for tensor in outputs] == [tensor.shape for tensor in self.found[node.index]]:
            self.found[node.index] = outputs


def _fill(signature: Signature, kinds: list[str | None]) -> None:
    """Give operands without a type the one that the signature ties them to: a letter's, or the only one there is."""
    listed = [*signature.operands, *signature.operands[-1:] * (len(kinds) if signature.goes_on else 0)][: len(kinds)]
    pairs = zip(listed, kinds, strict=False)
    letters = {p.letter: kind for p, kind in pairs if p.letter and kind is not None and not p.wide}
    for k, pattern in enumerate(listed):
        if kinds[k] is None:
            kinds[k] = letters.get(pattern.letter) or (pattern.kinds[0] if len(pattern.kinds) == 1 else None)
