"""A model's graph as JSON, the same for every format, and the places of its parts: docs/own-schemas.md describes it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

from irlint.formats.base import by_name
from irlint.graph import Graph, Node, Source
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.summary import parameters
from irlint.inspection.types import type_lookup
from irlint.rules.base import Model
from irlint.text.base import Path, Place, Span
from irlint.text.floats import shortest
from irlint.text.lines import LINE_END
from irlint.user_schemas.words import Error, Located

_LONG = 10_000  # characters or elements of an attribute's value


class GraphForm:
    """What a file does not say is left out: a node without a name has no `name`."""

    def __init__(self, model: Model) -> None:
        self._model, self._names, self._type_of = model, CanonicalNames(model), type_lookup(model)
        self._graphs: dict[Path, Graph] = {}
        self._nodes: dict[Path, tuple[Graph, Node]] = {}
        self._format = format_ = by_name(model.format)
        self._outer, self._declaring = (format_.outer, format_.declaring) if format_ else ("", {})
        metadata = format_.metadata(model) if format_ else {}
        if format_ is not None and (facts := dict(format_.facts(model))):
            metadata[""] = facts | metadata.get("", {})
        told = {
            "format": model.format,
            "dialect": model.dialect,
            "versions": dict(format_.versions(model)) if format_ else {},
            "metadata": metadata,
            "functions": [self._graph(graph, ("functions", k)) for k, graph in enumerate(model.functions)],
        }
        self.value = {**_said(told), **self._graph(model.graph, ())}

    def _graph(self, graph: Graph, at: Path) -> dict[str, Any]:
        self._graphs[at] = graph
        weights = set(parameters(graph, self._names))
        parts: dict[str, list[Node]] = {"inputs": [], "constants": [], "nodes": []}
        for node in graph.nodes:
            if node.kind != "call" and node.op == self._outer:
                continue  # a value of the graph around it
            kind = "nodes" if node.kind == "call" else "constants" if node.index in weights else "inputs"
            parts[kind].append(node)
        found = _said({"name": graph.name})
        for kind, nodes in parts.items():
            self._nodes.update(((*at, kind, k), (graph, node)) for k, node in enumerate(nodes))
        found["inputs"] = [self._output(graph, node, 0) for node in parts["inputs"]]
        found["constants"] = [self._output(graph, node, 0) for node in parts["constants"]]
        found["nodes"] = [self._node(graph, node, (*at, "nodes", k)) for k, node in enumerate(parts["nodes"])]
        ends = ((graph.nodes[index], output) for index, output in graph.outputs if index >= 0)
        return {**found, "outputs": [self._output(graph, node, output) for node, output in ends]}

    def _node(self, graph: Graph, node: Node, at: Path) -> dict[str, Any]:
        told = {
            "name": node.name if self._is_named(graph, node) else "",
            "op": node.op,
            "version": node.version,
            "attributes": {str(key): _plain(value) for key, value in node.attrs.items()},
            "graphs": [self._graph(inner, (*at, "graphs", k)) for k, inner in enumerate(node.graphs)],
        }
        count = len(node.inputs)
        if node.graphs:  # which may read values that are not among the node's own inputs
            count = next((k for k in range(count) if not self._holds(graph.place(node, f"input:{k}"))), count)
        inputs = [self._name(graph, source) for source in node.inputs[:count]]
        outputs = [self._output(graph, node, k) for k in range(len(node.outputs))]
        return {**_said(told), "inputs": inputs, "outputs": outputs}

    def _is_named(self, graph: Graph, node: Node) -> bool:
        """Return whether the file has the node's name: a node without one may be known by its first output."""
        if not node.outputs or node.outputs[0].name != node.name:
            return True
        document = self._model.document
        span = document.span(graph.place(node, "name"))
        return span != document.span(graph.place(node)) or document.text[slice(*span)].strip('"') == node.name

    def _holds(self, place: Place) -> bool:
        try:
            self._model.document.value_at(place.path)
        except LookupError:
            return False
        return True

    def _name(self, graph: Graph, source: Source) -> str | None:
        index, output = source
        if not 0 <= index < len(graph.nodes):
            return None
        node = graph.nodes[index]
        named = node.outputs[output].name if output < len(node.outputs) else None
        return named or (f"{node.name}:{output}" if output else node.name)

    def _output(self, graph: Graph, node: Node, output: int) -> dict[str, Any]:
        dtype, shape = self._type_of(graph, node, output)
        found = _said({"name": self._name(graph, Source(node.index, output)), "dtype": dtype})
        if shape is not None:
            found["shape"] = [size if isinstance(size, (int, str)) else None for size in shape]
        return found

    def place(self, error: Error) -> Located:
        """Return the token of an error, and the name of the node."""
        path = error.path if error.key is None else (*error.path, error.key)
        for length in range(len(path), -1, -1):
            if (known := self._nodes.get(path[:length])) is not None:
                return self._token(*known, path[length:], error), known[1].name
            outer = self._graphs.get(path[:length])
            if outer is not None and path[length : length + 1] == ("outputs",) and len(path) > length + 1:
                return self._output_place(outer, int(path[length + 1])), None
        said: Path = {"metadata": path[1:3], "functions": path[:2]}.get(str(path[0]), ("", path[-1])) if path else ()
        if len(said) == 2 and not error.is_missing and self._format is not None:
            place = self._format.metadata_place(self._model, *map(str, said), is_key=error.key is not None)
            if place is not None:
                return place, None
        if self._model.document.syntax == "xml":
            return Place((), "name"), None
        first = LINE_END.search(self._model.document.text)
        return Span(0, first.start() if first else len(self._model.document.text)), None

    def _token(self, graph: Graph, node: Node, steps: Path, error: Error) -> Place:
        """Return the place of a part of a node; if the file does not have it, of the nearest one that it has."""
        document = self._model.document
        part = _part(node, steps, error) if node.kind == "call" else self._part_of_input(node, str((*steps, "")[0]))
        if part.startswith("attr:") and steps[:1] == ("attributes",) and document.syntax == "json":
            kind = "open" if isinstance(node.attrs[str(steps[1])], list) and len(steps) == 2 else "value"
            return Place((*graph.place(node, part).path, *steps[2:]), kind)
        if node.kind == "call":
            places = [graph.place(node, one) for one in (part, part.replace("type", "output"), "op") if part != "name"]
        else:
            places = [graph.place(node, part), graph.place(node, "name"), *_first_use(graph, node)]
        whole = document.span(graph.place(node))
        return next((place for place in places if document.span(place) != whole), graph.place(node, part))

    def _part_of_input(self, node: Node, step: str) -> str:
        declared = self._declaring.get(step)
        return f"attr:{declared}" if declared in node.attrs else "type:0" if step in ("dtype", "shape") else "name"

    def _output_place(self, graph: Graph, number: int) -> Place:
        """Return the place of an output of a graph; of one that the file does not list, that of the node which outputs it."""
        index = [k for k, (maker, _) in enumerate(graph.outputs) if maker >= 0][number]
        place, (maker, output) = graph.locate_output(index), graph.outputs[index]
        return place if place.path else graph.place(maker, f"output:{output}")


def _said(parts: dict[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in parts.items() if part}


def _first_use(graph: Graph, node: Node) -> Iterator[Place]:
    """Yield the first place where an input is read: some formats have no other for it."""
    reads = ((user, k) for user in graph.nodes for k, source in enumerate(user.inputs) if source[0] == node.index)
    return (graph.place(user, f"input:{k}") for user, k in islice(reads, 1))


def _part_of_output(node: Node, number: int, steps: Path) -> str:
    if steps[:1] == ("name",) and node.outputs[number].name is None:
        return "name"  # the value has that of the node
    return f"type:{number}" if steps and steps[0] != "name" else f"output:{number}"


def _part(node: Node, steps: Path, error: Error) -> str:
    """Return the part of a node, as `Graph.place` names it, to which steps in its form lead."""
    first, second = (*steps, None, None)[:2]
    if first == "inputs" and isinstance(second, int):
        return f"input:{second}"
    if first == "outputs" and isinstance(second, int):
        return _part_of_output(node, second, steps[2:])
    if first == "attributes" and second is not None and not error.is_missing:
        is_key = (error.key is not None and len(steps) == 2) or isinstance(node.attrs.get(str(second)), Graph)
        return f"{'attr_key' if is_key else 'attr'}:{second}"
    return str(first) if first in ("name", "version") and not error.is_missing else "op"


def _plain(value: Any) -> Any:
    """Return a value of an attribute as JSON; of a tensor only its type, of a graph its name, of other things only their text."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return shortest(value) if math.isfinite(value) else str(value)
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value[:_LONG]]
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return {"dtype": str(value.dtype), "shape": [*map(int, value.shape)]}
    return (value.name if isinstance(value, Graph) else str(value))[:_LONG]
