"""Where in a model an error is: a node, its graph, the names and types that it can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from irlint.dryrun.infer import Inference
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.findings import Candidate
from irlint.formats.onnx.document import OnnxDocument
from irlint.formats.onnx.drafts import with_part
from irlint.formats.onnx.opset_guess import calls_in
from irlint.formats.onnx.opsets import domain_of, opset_of, resolve
from irlint.formats.onnx.structure import usable_imports
from irlint.formats.onnx.wire import Tree
from irlint.graph import Graph, Node, Type
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.text.base import Path


class Whole:
    """What candidates look up in a model."""

    def __init__(self, model: Model, document: OnnxDocument) -> None:
        self.model, self.document = model, document
        self.graphs = model.graphs()
        found = model.extra.get("types")
        self.types: Inference | None = found if isinstance(found, Inference) else None

    @cached_property
    def nodes(self) -> dict[Path, tuple[Graph, Node]]:
        return {node.path: (graph, node) for graph in self.graphs for node in graph.nodes if node.op != "Outer"}

    @cached_property
    def homes(self) -> dict[int, Graph]:
        """Return the graph of each node that has graphs of its own, by its identity."""
        return {id(node): graph for graph in self.graphs for node in graph.nesting()}

    @cached_property
    def calls(self) -> list[Tree]:
        tree = self.document.tree
        roots = (tree.get("graph", {}), *tree.get("functions", ()))
        return [call for root in roots for call in calls_in(root.get("node", ()))]

    @cached_property
    def read(self) -> Counter[str]:
        """Return how often each name is read anywhere."""
        found = Counter(name for call in self.calls for name in call.get("input", ()))
        for root in self.trees():
            found.update(one if isinstance(one, str) else one.get("name", "") for one in root.get("output", ()))
        return found

    @cached_property
    def defined(self) -> set[str]:
        found = {name for call in self.calls for name in call.get("output", ())}
        for root in self.trees():
            for word in ("input", "initializer"):
                found.update(one if isinstance(one, str) else one.get("name", "") for one in root.get(word, ()))
        return found

    @cached_property
    def undefined(self) -> list[str]:
        return [name for name in self.read if name and name not in self.defined]

    @cached_property
    def twice(self) -> list[tuple[Path, int, str]]:
        """Return outputs of calls whose name something else defines, too: the call, which of its outputs, and the name."""
        found: list[tuple[Path, int, str]] = []
        for graph in self.graphs:
            counts = Counter(value.name for node in graph.nodes if node.op != "Outer" for value in node.outputs)
            found += [
                (node.path, k, value.name)
                for node in graph.nodes
                if node.path[-2] == "node"
                for k, value in enumerate(node.outputs)
                if value.name and counts[value.name] > 1
            ]
        return found

    def trees(self) -> Iterator[Tree]:
        """Yield graphs and functions."""
        tree = self.document.tree
        yield from (tree.get("graph", {}), *tree.get("functions", ()))
        for call in self.calls:
            for attribute in call.get("attribute", ()):
                yield from (*attribute.get("graphs", ()), *((attribute["g"],) if "g" in attribute else ()))

    def site(self, path: Path) -> Site | None:
        """Return the site that a path is in."""
        for size in range(len(path), 1, -1):
            if (found := self.nodes.get(path[:size])) is not None:
                return Site(self, *found)
        return None

    def type_of(self, graph: Graph, node: int, output: int) -> Tensor:
        if self.types is None or node < 0:
            return UNKNOWN
        found = self.types.outputs(graph, graph.nodes[node])
        return found[output] if output < len(found) else UNKNOWN


class Site:
    """A node, or an input or initializer, which are nodes, too."""

    def __init__(self, whole: Whole, graph: Graph, node: Node) -> None:
        self.whole, self.graph, self.node = whole, graph, node
        self.document, self.path = whole.document, node.path
        self.tree: Tree = self.document.value_at(node.path)

    @property
    def is_name(self) -> bool:
        """Return whether this is an input of a function, which the file only names."""
        return self.path[0] == "functions" and self.path[2] == "input"

    @property
    def is_call(self) -> bool:
        return self.path[-2] == "node"

    @cached_property
    def imports(self) -> dict[str, int]:
        tree = self.document.tree
        own = tree["functions"][self.path[1]] if self.path[0] == "functions" else tree
        return usable_imports(own)

    @property
    def domain(self) -> str:
        return domain_of(self.tree.get("domain", ""))

    @property
    def opset(self) -> int | None:
        return opset_of(self.domain, self.imports)

    @cached_property
    def operator(self) -> Operator | None:
        return resolve(self.tree.get("op_type", ""), self.domain, self.imports)

    @cached_property
    def attributes(self) -> dict[str, int]:
        return {one.get("name", ""): k for k, one in enumerate(self.tree.get("attribute", ()))}

    def input_type(self, k: int) -> Tensor:
        """Return the inferred type of an input."""
        if k >= len(self.node.inputs):
            return UNKNOWN
        return self.whole.type_of(self.graph, *self.node.inputs[k])

    def source(self, k: int) -> Node | None:
        """Return the node that an input comes from, in the same graph."""
        found = self.node.inputs[k][0] if k < len(self.node.inputs) else -1
        return self.graph.nodes[found] if found >= 0 else None

    def declared(self, k: int = 0) -> Type:
        return self.node.outputs[k].type if k < len(self.node.outputs) else Type()

    def visible(self) -> list[str]:
        """Return the names that the node can read, the nearest first."""
        found: list[str] = []
        graph: Graph | None = self.graph
        most = self.node.index
        while graph is not None:
            inner = [
                value.name
                for node in graph.nodes
                if (node.index < most or node.kind == "var" or node.op == "Initializer") and node.op != "Outer"
                for value in node.outputs
                if value.name
            ]
            found += reversed(inner)
            parent = graph.parent
            graph = None if parent is None else self.whole.homes.get(id(parent))
            most = 0 if parent is None else parent.index
        return list(dict.fromkeys(found))

    def siblings(self) -> list[Tree]:
        """Return the other calls of the same operator."""
        op = self.tree.get("op_type")
        return [call for call in self.whole.calls if call is not self.tree and call.get("op_type") == op]

    def candidate(self, title: str, likelihood: int, *changes: tuple[Any, ...], is_guess: bool = False) -> Candidate:
        """Return a candidate of changes of the node: a part of its path each, and the new value."""
        tree = self.tree
        if len(changes) == 1:
            *steps, value = changes[0]
            return Candidate(title, self.document.changed((*self.path, *steps), value), likelihood, is_guess)
        for *steps, value in changes:
            tree = with_part(tree, tuple(steps), value)
        return Candidate(title, self.document.changed(self.path, tree), likelihood, is_guess)
