"""Types of every tensor, by each operator's shape function, in file order; and what does not fit on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from irlint.checks.fault import Fault
from irlint.formats.lightnet.shapes.base import (
    UNKNOWN,
    KnownTensor,
    PreparedOperator,
    ShapeCall,
    ShapeRepair,
    UnknownResult,
)
from irlint.graph import Graph, Node
from irlint.records import NamedTuple


class _Unknowns(Sequence[KnownTensor]):
    """The outputs of an operator of which nothing is known, however many they are."""

    def __getitem__(self, index: Any) -> Any:
        return UNKNOWN

    def __len__(self) -> int:
        return 0


UNKNOWNS = _Unknowns()


class FoundFailure(NamedTuple):
    """What is wrong with an operator by the types of its inputs, and which changes might repair it."""

    prepared: PreparedOperator
    fault: Fault
    repairs: Sequence[ShapeRepair]

    @property
    def node(self) -> Node:
        return self.prepared.node


Types = list[Sequence[KnownTensor]]

# What a repair changes: ("output" | "input" | "attr", operator, which) -> the other value. "hush" silences an operator.
Overrides = Mapping[tuple[str, int, Any], Any]


class LightNetInference:
    """The types of one graph. `overrides` say what would be if something in the file were different."""

    def __init__(self, graph: Graph, prepared: Iterable[PreparedOperator], overrides: Overrides | None = None) -> None:
        self.graph = graph
        self.overrides = overrides or {}
        self.changed = {index for _, index, _ in self.overrides}
        self.types: Types = [UNKNOWNS] * (len(graph.nodes) + 1)  # the last one is what NOWHERE points at
        self.failures: list[FoundFailure] = []
        self.notes: list[FoundFailure] = []
        self._call = ShapeCall(graph)
        for operator in prepared:
            self.step(operator)

    def step(self, operator: PreparedOperator) -> None:
        """Infer one operator's outputs; those before it are known by now."""
        node, signature, positions, _, values, _ = operator
        shape = signature.shape
        if shape is None:
            return
        types = self.types
        inputs = [types[source][output] for source, output in node.inputs]
        index = node.index
        if index in self.changed:
            if ("hush", index, 0) in self.overrides:
                return
            inputs, values = self._overridden(operator, inputs)
        if positions is not None:
            inputs = [inputs[k] if k >= 0 else UNKNOWN for k in positions]
        call = self._call
        call.operator, call.inputs = operator, inputs
        try:
            for check, k, wanted in signature.ports:
                check(call, k, wanted)
            outputs = shape(call, *values)
        except UnknownResult as unfit:
            self.failures.append(FoundFailure(operator, unfit.fault, unfit.repairs))
        else:
            self._store(operator, outputs)
        if call.notes:
            for fault, repairs in call.notes:
                (self.failures if repairs else self.notes).append(FoundFailure(operator, fault, repairs))
            call.notes.clear()

    def _store(self, operator: PreparedOperator, outputs: Sequence[KnownTensor]) -> None:
        node = operator.node
        if operator.outputs is not None:
            outputs = self._in_file_order(operator, outputs)
        if node.index in self.changed:
            outputs = [self.overrides.get(("output", node.index, k), tensor) for k, tensor in enumerate(outputs)]
        self.types[node.index] = outputs

    def _in_file_order(self, operator: PreparedOperator, outputs: Sequence[KnownTensor]) -> Sequence[KnownTensor]:
        assert operator.outputs is not None
        if not operator.signature.counted:
            outputs = [outputs[0]] * len(operator.outputs)
        stored = [UNKNOWN] * len(operator.node.outputs)
        for tensor, k in zip(outputs, operator.outputs, strict=False):
            if k >= 0:
                stored[k] = tensor
        return stored

    def _overridden(
        self, operator: PreparedOperator, inputs: list[KnownTensor]
    ) -> tuple[list[KnownTensor], Sequence[Any]]:
        index, overrides = operator.node.index, self.overrides
        inputs = [overrides.get(("input", index, k), tensor) for k, tensor in enumerate(inputs)]
        values = list(operator.values)
        for at, attribute in enumerate(operator.signature.params):
            values[at] = overrides.get(("attr", index, attribute.name), values[at])
        return inputs, values
