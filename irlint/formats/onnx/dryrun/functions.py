"""The model's own functions in the dry run: the graph of a function, with the attributes of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any

from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.ops.shared.nesting import Part, Variants
from irlint.formats.onnx.dryrun.calls import by_domain
from irlint.formats.onnx.opsets import domain_of
from irlint.formats.onnx.passes.functions import Key, function_key
from irlint.formats.onnx.passes.structure import imports
from irlint.formats.onnx.read import inner_graphs, value_of
from irlint.formats.onnx.trees import calls_in
from irlint.graph import Graph, Node
from irlint.text.prototext.messages import Tree


class Functions:
    """All functions of a model; `opsets` are those of their graphs, by id(). One that calls itself is left out."""

    def __init__(self, tree: Tree, graphs: Sequence[Graph]) -> None:
        self.tree = tree
        self.known = {
            function_key(function): (function, graph)
            for function, graph in zip(tree.get("functions", ()), graphs, strict=True)
        }
        for key in self._recursive():
            del self.known[key]
        self.names = {name for _, name, _ in self.known}
        self.opsets: dict[int, Mapping[str, int]] = {}
        self.made: dict[Any, Variants] = {}

    def _recursive(self) -> set[Key]:
        """Return the functions that call themselves, or one that does."""
        waiting = TopologicalSorter[Key]()
        for key, (function, _) in self.known.items():
            called = {function_key(call, "op_type") for call in calls_in(function.get("node", ()))}
            waiting.add(key, *called & self.known.keys())
        with suppress(CycleError):
            waiting.prepare()
        found = set(self.known)
        while ready := waiting.get_ready():
            found.difference_update(ready)
            waiting.done(*ready)
        return found

    def call(self, domain: str, node: Node) -> Call | None:
        overload = self._written(node).get("overload", "") if node.op in self.names else ""
        found = self.known.get((domain_of(domain), node.op, overload))
        if found is None:
            return None
        made = self._variants(*found, node)
        part = Part(made.graph, made.graph.inputs, range(len(node.inputs)), made)
        return Call(operator("onnx/subgraphs.Inlined"), {"parts": [part]})

    def bodies(self) -> list[Graph]:
        """Return the graphs of the calls that were followed, and those nested in them."""
        return [inner for made in self.made.values() for graph in made.graphs() for inner in graph.walk()]

    def _variants(self, function: Tree, graph: Graph, node: Node) -> Variants:
        """Return the graph with the values of the attributes that it refers to."""
        given = {one.get("name", ""): value_of(one) for one in function.get("attribute_proto", ())}
        given |= node.attrs
        key = (id(graph), *[(name, id(v) if isinstance(v, Graph) else v) for name, v in given.items()])
        if (made := self.made.get(key)) is None:
            made = self.made[key] = Variants(partial(self._copy, function, graph, given))
        return made

    def _copy(self, function: Tree, graph: Graph, given: Mapping[str, Any]) -> Graph:
        made = self._filled(graph, given)
        known = by_domain(imports(function) or imports(self.tree))
        for inner in made.walk():
            self.opsets[id(inner)] = known
        return made

    def _filled(self, graph: Graph, given: Mapping[str, Any]) -> Graph:
        nodes = [self._node(node, given) for node in graph.nodes]
        return Graph(nodes, graph.inputs, graph.outputs, graph.name, graph.locate, graph.locate_output)

    def _node(self, node: Node, given: Mapping[str, Any]) -> Node:
        references = {
            one.get("name", ""): one["ref_attr_name"]
            for one in self._written(node).get("attribute", ())
            if "ref_attr_name" in one
        }
        if not references and not node.graphs:
            return node
        inner = {id(graph): self._filled(graph, given) for graph in node.graphs}
        attrs = {name: inner.get(id(value), value) for name, value in node.attrs.items() if name not in references}
        attrs |= {name: given[word] for name, word in references.items() if word in given}
        made = copy(node)
        made.attrs, made.graphs = attrs, inner_graphs(attrs)
        return made

    def _written(self, node: Node) -> Tree:
        """Return what the file says of a node; nothing for what stands for a value."""
        if node.kind != "call" and node.op != "Constant":
            return {}
        found: Any = self.tree
        for word in node.path:
            found = found[word]
        return dict(found)
