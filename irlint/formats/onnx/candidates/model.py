"""What candidates look up in a model: its graphs and calls, which names are read, defined, and defined twice, and inferred types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from irlint.dryrun.infer import Inference
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.formats.onnx.interface import InterfaceNames
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.trees import calls_in, graphs_of, names_of, roots_of
from irlint.graph import Graph, Node
from irlint.rules.base import Model
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree
from irlint.tools.names import FreeNames


class WholeModel:
    """What candidates look up in a model."""

    def __init__(self, model: Model, document: OnnxDocument) -> None:
        self.model, self.document = model, document
        self.graphs = model.graphs()
        found = model.types
        self.types: Inference | None = found if isinstance(found, Inference) else None

    @cached_property
    def nodes(self) -> dict[Path, tuple[Graph, Node]]:
        return {node.path: (graph, node) for graph in self.graphs for node in graph.nodes if node.op != "Outer"}

    @cached_property
    def values(self) -> dict[tuple[Path, str | None], tuple[Graph, int, int]]:
        """Return where each value comes from, by the graph that defines it and its name: a node, and which of its outputs."""
        nodes = reversed(self.nodes.values())  # of two of a name the first counts
        outputs = ((graph, node, k) for graph, node in nodes for k in range(len(node.outputs)))
        return {(node.path[:-2], node.outputs[k].name): (graph, node.index, k) for graph, node, k in outputs}

    @cached_property
    def homes(self) -> dict[int, Graph]:
        """Return the graph of each node that has graphs of its own, by its identity."""
        return {id(node): graph for graph in self.graphs for node in graph.nesting()}

    @cached_property
    def calls(self) -> list[Tree]:
        return [call for root in roots_of(self.document.tree) for call in calls_in(root.get("node", ()))]

    @cached_property
    def trees(self) -> list[Tree]:
        """Return graphs and functions."""
        return [*roots_of(self.document.tree), *(graph for call in self.calls for _, graph in graphs_of(call))]

    @cached_property
    def read(self) -> Counter[str]:
        """Return how often each name is read anywhere."""
        found = Counter(name for call in self.calls for name in call.get("input", ()))
        for tree in self.trees:
            found.update(names_of(tree.get("output", ())))
        return found

    @cached_property
    def defined(self) -> set[str]:
        found = {name for call in self.calls for name in call.get("output", ())}
        return found.union(*(names_of(tree.get(word, ())) for tree in self.trees for word in ("input", "initializer")))

    @cached_property
    def undefined(self) -> list[str]:
        return [name for name in self.read if name and name not in self.defined]

    @cached_property
    def unread_inputs(self) -> dict[str, int]:
        """Return the unused inputs of the model, each with its place."""
        tree = self.document.tree.get("graph", {})
        weights = set(names_of(tree.get("initializer", ())))
        inputs = enumerate(names_of(tree.get("input", ())))
        return {name: k for k, name in inputs if name and not self.read[name] and name not in weights}

    def is_misnamed(self, name: str, wanted: str) -> bool:
        """Return whether an unused input has a wrong name, and an undefined one is right: several nodes use it, or the other inputs are
        named like it."""
        return name in self.unread_inputs and (self.read[wanted] > 1 or self.interface.prefer(wanted, name))

    @cached_property
    def interface(self) -> InterfaceNames:
        return InterfaceNames(self.document.tree.get("graph", {}))

    @cached_property
    def twice(self) -> list[tuple[Path, int, str]]:
        """Return outputs of calls whose name something else defines, too, the last first: the call, which of its outputs, and the name."""
        nodes = reversed(self.nodes.values())
        outputs = [(node.path, k, one.name) for _, node in nodes for k, one in enumerate(node.outputs)]
        counts = Counter((path[:-2], name) for path, _, name in outputs)
        return [
            (path, k, name) for path, k, name in outputs if name and path[-2] == "node" and counts[path[:-2], name] > 1
        ]

    def readers(self, name: str) -> Iterator[tuple[Graph, Node]]:
        """Yield the calls that read a value."""
        for path, (graph, node) in self.nodes.items():
            if node.kind == "call" and name in self.document.value_at(path).get("input", ()):
                yield graph, node

    def type_of(self, graph: Graph, node: int, output: int) -> Tensor:
        if self.types is None or node < 0:
            return UNKNOWN
        found = self.types.outputs(graph, graph.nodes[node])
        return found[output] if output < len(found) else UNKNOWN

    def type_of_name(self, home: Path, name: str) -> Tensor:
        """Return the inferred type of a value that a graph defines."""
        found = self.values.get((home, name))
        return UNKNOWN if found is None else self.type_of(*found)

    def free(self, name: str) -> str:
        """Return a name like one that nothing defines."""
        return FreeNames(self.defined).like(name)
