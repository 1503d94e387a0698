"""The names of a model's inputs and outputs: which of two is right if a node uses one and an input has the other."""

from __future__ import annotations

from irlint.dryrun.running.decoders import usual
from irlint.formats.onnx.trees import names_of
from irlint.text.prototext.messages import Tree
from irlint.tools.names import NameParts


class InterfaceNames:
    """The names of the inputs and outputs of a graph."""

    def __init__(self, graph: Tree) -> None:
        self.inputs = set(names_of(graph.get("input", ())))
        self.parts = NameParts((*self.inputs, *names_of(graph.get("output", ()))))

    def prefer(self, one: str, other: str) -> bool:
        """Return whether one of two names is more likely: it is part of a series, or the one by which programs know such an input."""
        return self.parts.prefer(one, other) or usual((other, one)) == one != other
