"""The walk over all operators: arguments, parameter values, tensor types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.lightnet.arguments import match, parameter_problems, tensor_problems
from irlint.formats.lightnet.blame import blamed
from irlint.formats.lightnet.grammar import CAREFULLY, GRAMMAR
from irlint.formats.lightnet.infer import Inference, Prepared
from irlint.formats.lightnet.read import Reading, reading
from irlint.formats.lightnet.signature import Signature, signature
from irlint.formats.lightnet.structure import UNREADABLE
from irlint.formats.lightnet.variadic import variadic_prepared, variadic_problems
from irlint.graph import Graph, Node
from irlint.rules.attributes._check import value_problem
from irlint.rules.base import Model
from irlint.rules.operators.unknown_operator import UnknownOperator


def check(model: Model) -> Iterator[Problem]:
    """What is wrong with the operators of a graph that was read. Leaves the tensors' types in model.extra["types"]."""
    graph, found = model.graph, reading(model)
    signatures: dict[str, Signature | None] = {}
    inference = Inference(graph, ())
    prepared: list[Prepared] = []
    silent = model.silent
    for node, output_names in zip(graph.nodes, found.output_names, strict=True):
        optype = node.op
        if optype in signatures:
            known = signatures[optype]
        else:
            known = signatures[optype] = signature(optype)
        if silent and id(node) in silent:
            continue
        if known is None:
            assert model.operators is not None
            yield UnknownOperator.problem(graph.place(node, "op"), optype, model.operators, "LightNet", node.name)
            continue
        if (
            node.input_names == known.inputs
            and output_names == known.outputs
            and len(node.attrs) == len(known.readers)
            and known.counted
        ):
            attrs = node.attrs
            values = [read(attrs.get(name, UNREADABLE)) for name, read in known.readers]
            if CAREFULLY not in values and not (found.repeated and node.index in found.repeated):
                ready = Prepared(node, known, None, None, values, known.inputs)
                prepared.append(ready)
                inference.step(ready)
                continue
        problems, careful = _carefully(graph, node, known, output_names, found)
        yield from problems
        if careful is not None:
            prepared.append(careful)
            inference.step(careful)
    model.extra["prepared"] = prepared
    inference, problems = blamed(graph, prepared, inference)
    yield from problems
    model.extra["types"] = inference.types


def _carefully(
    graph: Graph, node: Node, known: Signature, output_names: tuple[str, ...], found: Reading
) -> tuple[list[Problem], Prepared | None]:
    """The same for an operator with something unusual about it: names in another order, a value of the wrong kind."""
    problems: list[Problem] = []
    entries = [entry["arg_name"] for entry in found.ops[node.index]["params"]]
    repeated = [k for k, name in enumerate(entries) if name in entries[:k]]
    if known.counted:
        names = node.input_names or ()
        problems += tensor_problems(graph, node, "input", names, known.inputs)
        problems += tensor_problems(graph, node, "output", output_names, known.outputs)
    else:
        problems += variadic_problems(graph, node, known, output_names)
        if known.operator.name == "tensorrt":
            return problems, None
    problems += parameter_problems(graph, node, known, repeated, entries)
    values = []
    for attribute, (name, read) in zip(known.params, known.readers, strict=True):
        value, wrong = _value(graph, node, attribute, node.attrs.get(name, UNREADABLE), read)
        values.append(value)
        problems += wrong
    if not known.counted:
        return problems, variadic_prepared(node, known, output_names, values)
    inputs = match(node.input_names or (), known.inputs).positions
    outputs = match(output_names, known.outputs).positions
    return problems, Prepared(node, known, inputs, outputs, values, known.inputs)


def _value(graph: Graph, node: Node, attribute: Any, value: Any, read: Any) -> tuple[Any, list[Problem]]:
    """A parameter's C value, None if it has none, and what is wrong with it."""
    if value is UNREADABLE:
        return None, []
    if (plain := read(value)) is not CAREFULLY:
        return plain, []
    faults = list(GRAMMAR.faults(value, attribute))
    problems = [value_problem(graph, node, attribute.name, GRAMMAR.word, fault) for fault in faults]
    fatal = any((p.rule.severity if p.severity is None else p.severity) == Severity.ERROR for p in problems)
    return (None if fatal else GRAMMAR.read(value, attribute)), problems
