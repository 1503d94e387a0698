"""Types of every tensor, by each operator's shape function, in file order; and what does not fit on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from irlint.formats.lightnet.shapes import UNKNOWN, Call, Failure, Tensor, Unfit
from irlint.formats.lightnet.signature import Signature
from irlint.graph import Graph, Node
from irlint.records import NamedTuple


class _Unknowns(Sequence[Tensor]):
    """The outputs of an operator of which nothing is known, however many they are."""

    def __getitem__(self, index: Any) -> Any:
        return UNKNOWN

    def __len__(self) -> int:
        return 0


UNKNOWNS = _Unknowns()


class Prepared(NamedTuple):
    """An operator whose arguments have been matched and whose parameters have been read."""

    node: Node
    signature: Signature
    inputs: Sequence[int] | None  # position of each input of the table in the file's list; None: in the same place
    outputs: Sequence[int] | None  # likewise; -1: missing
    values: Sequence[Any]  # parameters as C values in the order of the table; None where missing or wrong
    names: Sequence[str]  # argument names of the inputs, in the order in which the shape function gets them


class Found(NamedTuple):
    """A failed check and where it failed."""

    prepared: Prepared
    failure: Failure


Types = list[Sequence[Tensor]]

# What a repair changes: ("output" | "input" | "attr", operator, which) -> the other value. "hush" silences an operator.
Overrides = Mapping[tuple[str, int, Any], Any]


class Inference:
    """The types of one graph. `overrides` say what would be if something in the file were different."""

    def __init__(self, graph: Graph, prepared: Iterable[Prepared], overrides: Overrides | None = None) -> None:
        self.graph = graph
        self.overrides = overrides or {}
        self.changed = {index for _, index, _ in self.overrides}
        self.types: Types = [UNKNOWNS] * (len(graph.nodes) + 1)  # the last one is what NOWHERE points at
        self.failures: list[Found] = []
        self.notes: list[Found] = []
        self._call = Call(graph)
        for operator in prepared:
            self.step(operator)

    def step(self, operator: Prepared) -> None:
        """Infer one operator's outputs; those before it are known by now."""
        node, signature, positions, _, values, names = operator
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
        call.begin(node, inputs, names, positions)
        try:
            for check, k, wanted in signature.ports:
                getattr(call, check)(k, wanted)
            outputs = shape(call, *values)
        except Unfit as unfit:
            self.failures.append(Found(operator, unfit.failure))
            outputs = None
        if call.notes:
            self._keep_notes(operator)
        if outputs is not None:
            self._store(operator, outputs)

    def _keep_notes(self, operator: Prepared) -> None:
        for note in self._call.notes:
            (self.failures if note.repairs else self.notes).append(Found(operator, note))
        self._call.notes.clear()

    def _store(self, operator: Prepared, outputs: Sequence[Tensor]) -> None:
        node = operator.node
        if operator.outputs is not None:
            outputs = self._in_file_order(operator, outputs)
        if node.index in self.changed:
            outputs = [self.overrides.get(("output", node.index, k), tensor) for k, tensor in enumerate(outputs)]
        self.types[node.index] = outputs

    def _in_file_order(self, operator: Prepared, outputs: Sequence[Tensor]) -> Sequence[Tensor]:
        assert operator.outputs is not None
        if not operator.signature.counted:
            outputs = [outputs[0]] * len(operator.outputs)
        stored = [UNKNOWN] * len(operator.node.outputs)
        for tensor, k in zip(outputs, operator.outputs, strict=False):
            if k >= 0:
                stored[k] = tensor
        return stored

    def _overridden(self, operator: Prepared, inputs: list[Tensor]) -> tuple[list[Tensor], Sequence[Any]]:
        index, overrides = operator.node.index, self.overrides
        inputs = [overrides.get(("input", index, k), tensor) for k, tensor in enumerate(inputs)]
        values = list(operator.values)
        for at, attribute in enumerate(operator.signature.params):
            values[at] = overrides.get(("attr", index, attribute.name), values[at])
        return inputs, values
