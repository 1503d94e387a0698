"""From a document's values to a graph: operators in file order, tensors by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from irlint import schema
from irlint.findings import Problem
from irlint.formats.lightnet.places import locator
from irlint.formats.lightnet.reorder import reorder
from irlint.formats.lightnet.structure import sound_ops
from irlint.graph import NOWHERE, Graph, Node, Source, Value
from irlint.operators import table
from irlint.rules.base import Model
from irlint.rules.references.duplicate_definition import DuplicateDefinition
from irlint.rules.references.undefined_reference import UndefinedReference
from irlint.rules.structure.empty_model import EmptyModel
from irlint.text.base import Place
from irlint.text.json import JsonDocument

SCHEMA = "lightnet.schema.json"


@dataclass
class Reading:
    """What the passes after the reader need besides the graph."""

    ops: list[Any]  # the operators as JSON, entries that cannot be read replaced by empty ones
    output_names: list[tuple[str, ...]] = field(default_factory=list)  # argument names, per operator
    by_op: dict[str, list[Node]] = field(default_factory=dict)  # operators of each optype, in file order
    repeated: set[int] = field(default_factory=set)  # operators with two parameters of one name


def reading(model: Model) -> Reading:
    found: Reading = model.extra["lightnet"]
    return found


def read(model: Model) -> Iterator[Problem]:
    """Fills model.graph; yields what is wrong with structure and names."""
    document = model.document
    assert isinstance(document, JsonDocument)
    model.operators = table("lightnet")
    value = document.value
    ops, broken = _operators(value)
    if broken is not None and not (value is None and document.damaged):
        yield from schema.problems(SCHEMA, value)
    found = model.extra["lightnet"] = Reading(ops)
    graph = model.graph = Graph(locate=locator(ops))
    graph.reorder = lambda index: reorder(graph, index)
    if value is not None and not ops and not document.damaged and isinstance(value, dict) and value.get("ops") == []:
        yield Problem(EmptyModel, Place(("ops",)), "this model has no operators; LightNet loads it and does nothing")
    yield from _fill(model, graph, found, broken or set())


def _operators(value: Any) -> tuple[list[Any], set[int] | None]:
    """The operators of a file, and which of them are broken; None if the structure is as it should be."""
    if schema.is_valid(SCHEMA, value):
        return value["ops"], None
    return sound_ops(value)


def _fill(model: Model, graph: Graph, found: Reading, broken: set[int]) -> Iterator[Problem]:
    defined: dict[str, Source] = {}
    names: dict[str, int] = {}
    open_inputs: list[tuple[int, int, str]] = []
    nodes, by_op = graph.nodes, found.by_op
    for i, op in enumerate(found.ops):
        sources: list[Source] = []
        for entry in op["tensors_in"]:
            name = entry["name"]
            source = defined.get(name)
            if source is None:
                if name is not None:
                    open_inputs.append((i, len(sources), name))
                source = NOWHERE
            sources.append(source)
        outputs: list[Value] = []
        for entry in op["tensors_out"]:
            name = entry["name"]
            if name is not None:
                if name in defined:
                    yield _tensor_twice(graph, defined[name], op, i, len(outputs), name)
                else:
                    defined[name] = Source(i, len(outputs))
            outputs.append(Value(name))
        attrs = {entry["arg_name"]: entry["value"] for entry in op["params"]}
        if len(attrs) != len(op["params"]):
            found.repeated.add(i)
            attrs = {entry["arg_name"]: entry["value"] for entry in reversed(op["params"])}
        label, optype = op["name"], op["optype"]
        node = Node(
            i,
            label,
            optype,
            ("ops", i),
            sources,
            outputs,
            attrs,
            input_names=tuple([entry["arg_name"] for entry in op["tensors_in"]]),
        )
        nodes.append(node)
        found.output_names.append(tuple([entry["arg_name"] for entry in op["tensors_out"]]))
        by_op.setdefault(optype, []).append(node)
        if i in broken:
            model.silent.add(id(node))
        if names.setdefault(label, i) != i and label:
            yield _operator_twice(graph, node, nodes[names[label]])
    yield from _resolve(graph, defined, open_inputs)


def _resolve(graph: Graph, defined: dict[str, Source], open_inputs: list[tuple[int, int, str]]) -> Iterator[Problem]:
    """Inputs that nothing above defines: from further down, or from nowhere."""
    told: dict[str, int] = {}
    for i, k, name in open_inputs:
        node = graph.nodes[i]
        if (source := defined.get(name)) is not None:
            inputs = list(node.inputs)
            inputs[k] = source
            node.inputs = inputs
            continue
        if name in told:
            continue
        told[name] = i
        above = [tensor for tensor, (at, _) in defined.items() if at < i]
        problem = UndefinedReference.problem(
            graph.place(node, f"input:{k}"), f"{node.op} {node.name!r}", "tensor", name, above, node.name
        )
        yield problem


def _tensor_twice(graph: Graph, first: Source, op: dict[str, Any], i: int, k: int, name: str) -> Problem:
    place = Place(("ops", i, "tensors_out", k, "name"))
    if first.node == i:
        message = f"{op['optype']} {op['name']!r} writes two outputs to one tensor {name!r}"
        return DuplicateDefinition.problem(
            place, message, Place(("ops", i, "tensors_out", first.output, "name")), op["name"]
        )
    writer = graph.nodes[first.node]
    message = (
        f"{op['optype']} {op['name']!r} defines tensor {name!r}, which {writer.op} {writer.name!r} has defined already"
    )
    return DuplicateDefinition.problem(place, message, graph.place(writer, f"output:{first.output}"), op["name"])


def _operator_twice(graph: Graph, node: Node, first: Node) -> Problem:
    message = f"two operators are called {node.name!r}: {first.op} and {node.op}; LightNet aborts on the second"
    return DuplicateDefinition.problem(graph.place(node, "name"), message, graph.place(first, "name"), node.name)
