"""A node of a graph whose values have names: what its format need not say again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from irlint.findings import Candidate, Finding
from irlint.graph import Graph, Node, Shape
from irlint.operators import Attribute, Operator
from irlint.repairs import site
from irlint.repairs.attributes import attribute_candidates
from irlint.repairs.inputs import input_candidates, output_candidates
from irlint.repairs.operators import operator_candidates
from irlint.rules.base import Model
from irlint.text.base import Place

_FAR = 256  # nodes above that are looked at
_ALIKE = 32  # other nodes of the operator
_RELATED = 3  # nodes that a finding speaks of


class GraphSite(site.Site):
    """The site of a node. `names` are what its inputs are called in the file, also where nothing defines them."""

    def __init__(self, model: Model, graph: Graph, node: Node) -> None:
        self.model, self.graph, self.node = model, graph, node
        self.op, self.name = node.op, node.name
        self.outputs = [value.name if isinstance(value.name, str) else "" for value in node.outputs]

    @property
    def operator(self) -> Operator | None:
        return self.model.operators.get(self.op) if self.model.operators is not None else None

    def operators(self) -> Iterator[tuple[str, Operator]]:
        if (table := self.model.operators) is not None:
            known = ((name, table.get(name)) for name in table.names)
            yield from ((name, operator) for name, operator in known if operator is not None and operator.name == name)

    @property
    def attributes(self) -> Mapping[str, Any]:
        return self.node.attrs

    def names(self, node: Node) -> list[Any]:
        """Return the names that the inputs of a node have in the file."""
        values = [self.graph.place(node, f"input:{k}") for k in range(len(node.inputs))]
        return [self.model.document.value_at(place.path) for place in values]

    @cached_property
    def inputs(self) -> list[Any]:
        return self.names(self.node)

    @cached_property
    def used(self) -> Counter[Any]:
        return Counter(name for node in self.graph.nodes for name in self.names(node))

    @cached_property
    def undefined(self) -> list[str]:
        defined = {value.name for node in self.graph.nodes for value in node.outputs}
        return [name for name in self.used if isinstance(name, str) and name and name not in defined]

    def sources(self, k: int) -> Iterator[site.Output]:
        for node in reversed(self.graph.nodes[max(0, self.node.index - _FAR) : self.node.index]):
            for value in node.outputs:
                if value.name:
                    is_weight = node.kind == "const"
                    yield site.Output(value.name, repr(value.name), value.name, bool(self.used[value.name]), is_weight)

    def siblings(self) -> Iterator[Mapping[str, Any]]:
        alike = [node for node in self.graph.nodes if node.op == self.op and node is not self.node]
        yield from site.akin(self.shape(0), ((self._shape(node, 0), node.attrs) for node in alike[:_ALIKE]))

    def shape(self, k: int) -> Shape | None:
        return self._shape(self.node, k)

    def _shape(self, node: Node, k: int) -> Shape | None:
        """Return the shape of an input that was inferred, or else declared."""
        source = node.inputs[k] if k < len(node.inputs) else (-1, 0)
        if source[0] < 0:
            return None
        maker = self.graph.nodes[source[0]]
        outputs = getattr(self.model.types, "outputs", None)
        found = outputs(self.graph, maker) if outputs is not None else ()
        types = found or [value.type for value in maker.outputs]
        return types[source[1]].shape if source[1] < len(types) else None

    def is_lost(self, name: str, record: Attribute | None) -> bool:
        return True  # what the default gives is another model

    def renamed_duplicates(self, name: str) -> Iterator[tuple[str, site.Edits]]:
        counts = Counter(value.name for node in self.graph.nodes for value in node.outputs)
        for node in self.graph.nodes:
            for k, value in enumerate(node.outputs):
                if value.name and counts[value.name] > 1:
                    yield value.name, type(self)(self.model, self.graph, node).with_output(k, name)


def candidates(kind: type[GraphSite], model: Model, finding: Finding) -> Iterator[Candidate]:
    """Yield changes that might repair an error: of the node that it is at and those that it mentions, the most likely first."""
    spans = [finding.span, *(related.span for related in finding.related[:_RELATED])]
    places = [model.document.place_at(span.start) for span in spans]
    nodes = {node.path: node for node in model.graph.nodes if node.kind == "call" or node.outputs}
    found: list[Candidate] = []
    for place in dict.fromkeys(places):
        node = next(
            (nodes[place.path[:size]] for size in range(len(place.path), 0, -1) if place.path[:size] in nodes), None
        )
        if node is not None:
            found += _around(kind(model, model.graph, node), place)
    yield from sorted(found, key=lambda one: one.likelihood)


def _around(own: GraphSite, place: Place) -> Iterator[Candidate]:
    """Yield candidates for a part that proposals know; of others (names of nodes, keys, counts) they would prove nothing."""
    graph, node = own.graph, own.node
    at = next((k for k in range(len(node.inputs)) if _is_in(place, graph.place(node, f"input:{k}"))), None)
    name = next((name for name in node.attrs if _is_in(place, graph.place(node, f"attr:{name}"))), None)
    is_output = any(_is_in(place, graph.place(node, f"output:{k}")) for k in range(len(node.outputs)))
    is_whole = place.path in (graph.place(node, "op").path, graph.place(node, "attrs").path)
    if at is not None or is_output or name is not None or is_whole:
        yield from input_candidates(own, at)
        yield from output_candidates(own)
        yield from _of_duplicates(own)
        yield from _of_variables(own, at)
        yield from attribute_candidates(own, name)
    if is_whole:
        yield from operator_candidates(own)


def _of_duplicates(own: GraphSite) -> Iterator[Candidate]:
    """Yield names that nothing defines for outputs whose names something else defines, too."""
    doubled = {name for name, _ in own.renamed_duplicates("")}
    for name in own.undefined[:_RELATED] if doubled.intersection(own.outputs) else ():
        for old, edits in own.renamed_duplicates(name):
            yield Candidate(f"Rename output {old!r} to {name!r}", edits, 1)


def _of_variables(own: GraphSite, at: int | None) -> Iterator[Candidate]:
    """Yield the undefined name for unused inputs of the model, which programs know by their names."""
    if at is None or own.inputs[at] not in own.undefined:
        return
    for node in own.graph.nodes[: own.node.index]:
        if node.kind == "var" and node.outputs and node.outputs[0].name and not own.used[node.outputs[0].name]:
            edits = type(own)(own.model, own.graph, node).with_output(0, own.inputs[at])
            yield Candidate(f"Rename output {node.outputs[0].name!r} to {own.inputs[at]!r}", edits, 2)


def _is_in(place: Place, part: Place) -> bool:
    return place.path[: len(part.path)] == part.path and len(part.path) > 1
