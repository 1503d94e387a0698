"""R101 overwritten-tensor."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import PreparedOperator
from irlint.graph import NOWHERE, Node, Source, label
from irlint.rules.base import Model, Rule


class OverwrittenTensor(Rule):
    """
    What it does
        Checks for operators that use a tensor after another operator has overwritten its memory: `rearange`, `sort1d`
        and `sort1d_by_key` work in place.

    Why is this bad
        The operator gets the new numbers under the old name. LightNet does not check this.
    """

    row = R.overwritten_tensor
    formats = ("lightnet",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        graph, found, memory = model.graph, state_of(model), _Memory()
        for operator in found.prepared if found.of_operators("rearange", "sort1d") else ():
            node = operator.node
            for k, source in enumerate(node.inputs):
                if (writer := memory.overwritten(Source(*source))) is not None:
                    name = graph.nodes[source[0]].outputs[source[1]].name
                    message = f"{label(node)} uses {name!r} after {label(writer)} overwrites its memory"
                    place, related = (
                        graph.place(node, f"input:{k}"),
                        [("overwritten here", graph.place(writer, "name"))],
                    )
                    yield Problem(R.overwritten_tensor, place, message, node.name, related=related)
            memory.run(operator)


class _Memory:
    """The memory of each tensor, and how often it has been written."""

    def __init__(self) -> None:
        self.place: dict[Source, tuple[Source, int]] = {}  # tensor -> the tensor whose memory it shares, its state then
        self.state: dict[Source, int] = {}
        self.writers: dict[Source, Node] = {}

    def overwritten(self, tensor: Source) -> Node | None:
        root, state = self.place.get(tensor, (tensor, 0))
        return self.writers.get(root) if self.state.get(root, 0) > state else None

    def run(self, operator: PreparedOperator) -> None:
        node, signature = operator.node, operator.signature
        for at, port in enumerate(signature.operator.outputs):
            shared = port.facts.get("shares_memory_of")
            k = -1 if shared is None else operator.position(signature.inputs.index(shared))
            source = Source(*node.inputs[k]) if node.inputs and k >= 0 else NOWHERE
            output = operator.outputs[at] if operator.outputs else at
            if source == NOWHERE or output < 0:
                continue
            root, state = self.place.get(source, (source, 0))
            if port.facts.get("overwrites"):
                state = self.state[root] = self.state.get(root, 0) + 1
                self.writers[root] = node
            self.place[Source(node.index, output)] = (root, state)
