"""What rows of ONNX's table of causes look up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property

from irlint.causes.relations import Lookup
from irlint.dryrun.differing import differing, fits
from irlint.dryrun.dims import show
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.mapping import Difference, Mapping
from irlint.dryrun.tensor import Tensor
from irlint.findings import Problem, Severity
from irlint.formats.onnx.passes.contradictions import contradicted
from irlint.formats.onnx.passes.negative_sizes import Clash, clashes
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.trees import graphs_of, names_of
from irlint.graph import Graph, Node, Shape
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.prototext.messages import Tree


class OnnxLookup(Lookup):
    def __init__(self, model: Model, dryrun: Callable[[Model], Mapping | None]) -> None:
        super().__init__(model.document)
        self.model, self.graph, self._dryrun = model, model.graph, dryrun
        self.types: Inference | None = model.types

    @cached_property
    def mapping(self) -> Mapping | None:
        return None if self.types is None else self._dryrun(self.model)

    @cached_property
    def values(self) -> dict[str, tuple[Node, int]]:
        """Return the node and the output that each value of the graph comes from."""
        nodes = (node for node in self.graph.nodes if node.kind != "var")
        return {value.name: (node, k) for node in nodes for k, value in enumerate(node.outputs) if value.name}

    @cached_property
    def domains(self) -> set[str]:
        """Return the domains that the model imports, as they are spelled."""
        return {one.get("domain", "") for one in self.document.value_at(("opset_import",))}

    @cached_property
    def interface(self) -> set[str]:
        """Return the names of the model's inputs and outputs."""
        graph = self.document.value_at(("graph",))
        return {*names_of(graph.get("input", ())), *names_of(graph.get("output", ()))}

    @cached_property
    def below_doubled(self) -> set[Path]:
        """Return the nodes that outputs of several nodes of one name lead to, with those nodes."""
        return self._doubled[0]

    @cached_property
    def doubtful(self) -> set[str]:
        """Return the values that these nodes output."""
        return self._doubled[1]

    @cached_property
    def _doubled(self) -> tuple[set[Path], set[str]]:
        calls = [*_calls(self.document.value_at(("graph",)), ("graph",))]
        made = Counter((path[:-2], name) for path, _, outputs in calls for name in outputs)
        doubled = {name for (_, name), number in made.items() if number > 1}
        readers: dict[str, list[tuple[Path, list[str]]]] = {}
        for path, inputs, outputs in calls:
            for name in inputs:
                readers.setdefault(name, []).append((path, outputs))
        found = {path for path, _, outputs in calls if not doubled.isdisjoint(outputs)}
        waiting, seen = [*doubled], set(doubled)
        while waiting:
            for path, outputs in readers.get(waiting.pop(), ()):
                found.add(path)
                new = [name for name in outputs if name not in seen]
                seen.update(new)
                waiting += new
        return found, seen

    @cached_property
    def squeezes(self) -> dict[Path, tuple[Graph, Node]]:
        """Return the nodes that are a Squeeze, by their paths."""
        return {node.path: (graph, node) for graph in self.graph.walk() for node in graph.nodes if node.op == "Squeeze"}

    def refused_shape(self, problem: Problem) -> str | None:
        """Return the shape that a Squeeze without axes declares, if onnx's inference refuses it: that removes nothing then."""
        path = problem.at.path if isinstance(problem.at, Place) else ()
        found = next((self.squeezes[path[:k]] for k in range(len(path), 0, -1) if path[:k] in self.squeezes), None)
        if found is None or self.types is None or self.mapping is None:
            return None
        (graph, node), (source, output) = found, found[1].inputs[0]
        declared, before = node.outputs[0].type.shape, self.types.outputs(graph, graph.nodes[source])
        given = before[output].shape if source >= 0 and output < len(before) else None
        is_sure = self.mapping.declared_severity(graph, node, 0, "rank") is Severity.ERROR
        return None if fits(declared, given) or not is_sure else show(declared)

    @cached_property
    def clashes(self) -> dict[Path, Clash]:
        """Return what does not match the negative sizes that values declare."""
        document, types, mapping = self.document, self.types, self.mapping
        assert isinstance(document, OnnxDocument)
        return {} if types is None or mapping is None else clashes(document.tree, mapping, types)

    @cached_property
    def contradicted(self) -> dict[str, Node]:
        """Return the nodes whose declared shapes do not match what others declare, by the names of the values of these."""
        return {} if self.types is None or self.mapping is None else contradicted(self.mapping, self.types)

    @cached_property
    def fits_if_not_empty(self) -> bool:
        """Return whether no type is wrong once the sizes of 0 that the model's inputs declare are open."""
        types, mapping, given = self.types, self.mapping, dict[int, Tensor]()
        for k in self.graph.inputs:
            dtype, shape = self.graph.nodes[k].outputs[0].type
            if shape is not None and 0 in shape:
                given[k] = Tensor(dtype, tuple([None if dim == 0 else dim for dim in shape]))
        if types is None or mapping is None or not given:
            return False
        found = infer(self.graph, mapping, given)
        return not any(found.mistakes.values()) and not any(
            differing(graph, found.types[id(graph)]) for graph in self.graph.walk() if id(graph) in found.types
        )

    @cached_property
    def outputs_nothing(self) -> bool:
        """Return whether all that the model outputs is empty, though none of it is declared to be."""
        types = self.types
        if types is None:
            return False
        for source, k in self.graph.outputs:
            outputs = types.outputs(self.graph, self.graph.nodes[source]) if source >= 0 else ()
            shape, declared = (outputs[k].shape if k < len(outputs) else None), self._output_shape(source, k)
            if shape is None or 0 not in shape or 0 in (declared or ()):
                return False
        return bool(self.graph.outputs)

    def _output_shape(self, source: int, k: int) -> Shape | None:
        outputs = self.graph.nodes[source].outputs
        return outputs[k].type.shape if k < len(outputs) else None

    def size_at(self, problem: Problem) -> int | None:
        """Return the inferred size where a value declares a negative one, if inference needs no computed values for it."""
        types, mapping = self.types, self.mapping
        if types is None or mapping is None or problem.node not in self.values or not isinstance(problem.at, Place):
            return None
        node, k = self.values[problem.node]
        outputs, axis = types.outputs(self.graph, node), int(problem.at.path[-1])
        shape = outputs[k].shape if k < len(outputs) else None
        size = shape[axis] if shape is not None and axis < len(shape) else None
        differs: Difference = "sizes" if axis else "first"
        is_sure = type(size) is int and mapping.declared_severity(self.graph, node, k, differs) is Severity.ERROR
        return size if is_sure and isinstance(size, int) else None

    def is_shared_cut(self, problem: Problem) -> bool:
        """Return whether a scalar is the start or end of one of several slices of a value of the model's graph."""
        path = self.path(problem)
        if len(path) != 5 or path[-2:] not in (("input", 1), ("input", 2)):
            return False
        call = self.document.value_at(path[:3])
        inputs = call.get("input", ())
        node, k = self.values.get(inputs[path[-1]], (None, 0)) if call.get("op_type") == "Slice" else (None, 0)
        return node is not None and node.outputs[k].type.shape == () and self._cuts[inputs[0]] > 1

    @cached_property
    def _cuts(self) -> Counter[str]:
        """Return how many slices of the model's graph each value has."""
        nodes = self.document.value_at(("graph", "node"))
        return Counter(node["input"][0] for node in nodes if node.get("op_type") == "Slice" and node.get("input"))

    def has_graphs(self, path: Path) -> bool:
        """Return whether a node has graphs of its own."""
        call = self.document.value_at(path)
        return isinstance(call, dict) and next(graphs_of(call), None) is not None


def _calls(graph: Tree, path: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Yield each node of a graph, and of graphs in it: its path, what it and its graphs read, and what it outputs."""
    for k, call in enumerate(graph.get("node", ())):
        at, inner = (*path, "node", k), list[str]()
        for steps, body in graphs_of(call):
            for one in _calls(body, (*at, *steps)):
                inner += one[1]
                yield one
        yield at, [*call.get("input", ()), *inner], [name for name in call.get("output", ()) if name]


def call_path(path: Path) -> Path | None:
    """Return the path of the innermost node that a path is in."""
    sizes = (size for size in range(len(path), 1, -1) if path[size - 2] == "node" and isinstance(path[size - 1], int))
    return next((path[:size] for size in sizes), None)
