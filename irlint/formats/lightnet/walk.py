"""The walk over all operators: arguments, parameter values, tensor types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.checks.problems import unknown_operator
from irlint.findings import Problem, Severity
from irlint.formats.lightnet.arguments import match_parameters, match_tensors, removing
from irlint.formats.lightnet.arguments import problems as argument_problems
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.grammar import CAREFULLY, GRAMMAR
from irlint.formats.lightnet.infer import LightNetInference, PreparedOperator
from irlint.formats.lightnet.reading import Reading
from irlint.formats.lightnet.signature import OptypeSignature, signature, with_arguments
from irlint.formats.lightnet.structure import MISSING, UnreadableValue
from irlint.formats.lightnet.variadic import variadic_prepared, variadic_problems
from irlint.graph import Graph, Node, label
from irlint.records import NamedTuple
from irlint.rules.attributes._check import value_problem, writing
from irlint.rules.base import Model
from irlint.text.base import Place


class Walk(NamedTuple):
    """What the walk over the operators made of them."""

    nodes: list[Node]
    ready: list[PreparedOperator | None]  # by node
    inference: LightNetInference
    problems: dict[int, list[Problem]]  # by the index of the node


def walk_all(model: Model, graph: Graph, found: Reading) -> Walk:
    signatures: dict[str, OptypeSignature | None] = {}
    walk = Walk(graph.nodes, [], LightNetInference(graph, ()), {})
    keep, step = walk.ready.append, walk.inference.step
    silent = model.silent
    for node, output_names in zip(graph.nodes, found.output_names, strict=True):
        optype = node.op
        if optype in signatures:
            known = signatures[optype]
        else:
            known = signatures[optype] = signature(optype)
        if silent and id(node) in silent:
            keep(None)
            continue
        ready = quickly(node, known, output_names, found) if known is not None else None
        if ready is None:
            problems, ready = carefully(model, graph, node, known, found)
            if problems:
                walk.problems[node.index] = problems
        keep(ready)
        if ready is not None:
            step(ready)
    return walk


def carefully(
    model: Model, graph: Graph, node: Node, known: OptypeSignature | None, found: Reading
) -> tuple[list[Problem], PreparedOperator | None]:
    """Problems of an unusual operator, and the form in which the walk continues with it, if any."""
    if known is None:
        assert model.operators is not None
        place = graph.place(node, "op")
        return [unknown_operator(place, node.op, model.operators, "LightNet", node.name)], None
    problems, ready = _carefully(graph, node, known, found.output_names[node.index], found)
    found.unsure |= ready is None or any(problem.rule.code.startswith("O") for problem in problems)
    return problems, ready


def quickly(
    node: Node, known: OptypeSignature, output_names: tuple[str, ...], found: Reading
) -> PreparedOperator | None:
    """An operator with all that it needs, and nothing else."""
    if (
        node.input_names == known.inputs
        and output_names == known.outputs
        and len(node.attrs) == len(known.readers)
        and known.counted
    ):
        attrs = node.attrs
        values = [read(attrs.get(name, MISSING)) for name, read in known.readers]
        if CAREFULLY not in values and not (found.repeated and node.index in found.repeated):
            return PreparedOperator(node, known, None, None, values, known.inputs)
    return None


def _carefully(
    graph: Graph, node: Node, known: OptypeSignature, output_names: tuple[str, ...], found: Reading
) -> tuple[list[Problem], PreparedOperator | None]:
    """The same for an operator with something unusual about it: names in another order, a value of the wrong kind."""
    problems: list[Problem] = []
    entries = found.ops[node.index]["params"]
    if not known.counted:
        return _uncounted(graph, node, known, output_names, found)
    matches = {
        "tensors_in": match_tensors(node.input_names or (), known.inputs),
        "tensors_out": match_tensors(output_names, known.outputs),
        "params": match_parameters(entries, known),
    }
    misfits = sum(len(m.renamed) + len(m.surplus) + len(m.missing) for m in matches.values())
    if misfits > 1:
        others = with_arguments(*(m.names for m in matches.values()))
        if others:
            return [_wrong_operator(graph, node, others)], None
    for key, found_names in matches.items():
        problems += argument_problems(graph, node, key, found_names)
    positions = {key: found_names.positions for key, found_names in matches.items()}
    if matches["params"].renamed or matches["params"].surplus or node.index in found.repeated:
        _set_right(found, node, known, positions["params"])
    values, wrong = _values(graph, node, known)
    return problems + wrong, PreparedOperator(
        node, known, positions["tensors_in"], positions["tensors_out"], values, known.inputs
    )


def _uncounted(
    graph: Graph, node: Node, known: OptypeSignature, output_names: tuple[str, ...], found: Reading
) -> tuple[list[Problem], PreparedOperator | None]:
    """Check gather, scatter and tensorrt, whose arguments LightNet does not count."""
    if known.operator.name == "tensorrt":
        return [], None
    problems = list(variadic_problems(graph, node, known, output_names))
    others = with_arguments(node.input_names or (), output_names, node.attrs) if problems else []
    if others and len(problems) + len(node.attrs) > 1:
        return [_wrong_operator(graph, node, others)], None
    for at, entry in enumerate(found.ops[node.index]["params"]):
        place = Place((*node.path, "params", at, "arg_name"))
        message = f"unknown parameter `{entry['arg_name']}` for {label(node)}; LightNet ignores it"
        fix = removing(place, f"parameter `{entry['arg_name']}`")
        problems.append(Problem(R.unknown_attribute, place, message, node.name, fix, severity=Severity.WARNING))
    return problems, variadic_prepared(node, known, output_names, [])


def _set_right(found: Reading, node: Node, known: OptypeSignature, positions: Sequence[int]) -> None:
    """Go on as if the parameters had the names that were meant."""
    found.altered.add(node.index)
    op = found.ops[node.index]
    entries = [{**entry, "arg_name": ""} for entry in op["params"]]
    for attribute, at in zip(known.params, positions, strict=True):
        if at >= 0:
            entries[at] = {**entries[at], "arg_name": attribute.name}
    found.ops[node.index] = {**op, "params": entries}
    node.attrs = {entry["arg_name"]: entry["value"] for entry in entries if entry["arg_name"]}


def _values(graph: Graph, node: Node, known: OptypeSignature) -> tuple[list[Any], list[Problem]]:
    values, problems = [], []
    for attribute, (name, read) in zip(known.params, known.readers, strict=True):
        value, wrong = _value(graph, node, attribute, node.attrs.get(name, MISSING), read)
        values.append(value)
        problems += wrong
    return values, problems


def _is_no_number(value: Any) -> bool:
    """Return whether a value is or contains NaN, which the JSON reader has reported."""
    return value != value or (isinstance(value, list) and any(item != item for item in value))


def _value(graph: Graph, node: Node, attribute: Any, value: Any, read: Any) -> tuple[Any, list[Problem]]:
    """Return a parameter's C value, None if it has none, and its problems."""
    if value is MISSING or _is_no_number(value):
        return None, []
    if isinstance(value, UnreadableValue):
        fault = GRAMMAR.unreadable(value.raw, attribute)
        return None, [value_problem(graph, node, attribute.name, fault)]
    if (plain := read(value)) is not CAREFULLY:
        return plain, []
    faults = list(GRAMMAR.faults(value, attribute))
    problems = [value_problem(graph, node, attribute.name, fault) for fault in faults]
    fatal = any(p.is_error for p in problems)
    return (None if fatal else GRAMMAR.read(value, attribute)), problems


def _wrong_operator(graph: Graph, node: Node, others: Sequence[str]) -> Problem:
    place = graph.place(node, "op")
    named = " or ".join(f"`{other}`" for other in others)
    message = f"{label(node)} has the inputs, outputs and parameters of {named}; did you mean {named}?"
    return Problem(R.wrong_operator, place, message, node.name, writing(place, others[0]) if len(others) == 1 else None)
