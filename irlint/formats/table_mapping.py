"""A dry run that is a table: what the mapping of a format need not say again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from irlint.checks.grammar import Grammar
from irlint.checks.signature import ParameterValues
from irlint.dryrun.entries import Entry, Values, Written, value_of
from irlint.dryrun.errors import UNFORESEEN
from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.mapping import Mapping as DryRun
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Graph, Node, Shape
from irlint.operators import OperatorTable


class TableMapping(DryRun):
    """The mapping of a format whose operators are entries by the names of its operator table, and their labels its attributes."""

    unforeseen = UNFORESEEN
    usual = "float32"

    def __init__(self, operators: OperatorTable, entries: Mapping[str, Entry], grammar: Grammar) -> None:
        self.operators, self.entries, self.grammar = operators, entries, grammar
        self._signatures: dict[str, ParameterValues] = {}

    def values(self, node: Node) -> Values:
        """Return the values of all attributes of a node: what is written, or the default; raise ValueError for an unreadable one."""
        operator = self.operators.get(node.op)
        assert operator is not None
        if operator.name not in self._signatures:
            self._signatures[operator.name] = ParameterValues(
                operator, lambda attribute, value: self.grammar.read(value, attribute.kind)
            )
        return self._signatures[operator.name].values(node.attrs)

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        """Return a variable in the shape that its entry has as an attribute, as far as that is readable."""
        operator = self.operators.get(node.op)
        entry = None if operator is None else self.entries.get(operator.name)
        shape = None if entry is None else entry.attrs.get("shape")
        try:
            return (Tensor(self.usual, None if shape is None else value_of(shape, self.values(node))),)
        except UNFORESEEN:
            return (Tensor(self.usual),)

    def call(self, graph: Graph, node: Node) -> Call | None:
        operator = self.operators.get(node.op)
        entry = None if operator is None else self.entries.get(operator.name)
        if entry is None:
            return None
        values = self.values(node)
        call = entry.call(
            values,
            Written({label: label for label in values}, dict.fromkeys(entry.weights), len(node.inputs), node.attrs),
        )
        if entry.rest is not None and call.inputs is not None:
            _draw_weights(call, values, entry.rest)
        return call


def _draw_weights(call: Call, values: Values, rest: Callable[[Values, Shape], Dim]) -> None:
    """Let runs draw the weights of a call, in the shapes that follow from its first input."""
    origins = [one._replace(key="") if isinstance(one, FromAttr) else one for one in call.inputs or ()]
    weights = {k: one.tensor.shape or () for k, one in enumerate(origins) if isinstance(one, FromAttr)}

    def complete(tensors: Sequence[Tensor]) -> dict[int, Shape]:
        shape = tensors[0].shape
        left = None if shape is None else rest(values, shape)
        return {k: tuple(left if dim is None else dim for dim in dims) for k, dims in weights.items()}

    call.inputs, call.complete = origins, complete
