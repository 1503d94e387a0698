"""Operators with something unusual about them: names in another order, a value of the wrong kind, a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, Subject
from irlint.checks.operators import unknown_operator
from irlint.findings import Problem
from irlint.formats.lightnet.arguments import faults as argument_faults
from irlint.formats.lightnet.arguments import ignored, match_parameters, match_tensors
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.grammar import GRAMMAR
from irlint.formats.lightnet.reading.c_values import CAREFULLY, read
from irlint.formats.lightnet.reading.graph import LightNetState
from irlint.formats.lightnet.reading.read import MISSING, UnreadableValue
from irlint.formats.lightnet.shapes.infer import PreparedOperator
from irlint.formats.lightnet.signature import OptypeSignature, with_arguments
from irlint.formats.lightnet.variadic import variadic_faults, variadic_prepared
from irlint.graph import Graph, Node
from irlint.rules.base import Model


def carefully(
    model: Model, graph: Graph, node: Node, known: OptypeSignature | None, found: LightNetState
) -> tuple[list[Problem], PreparedOperator | None]:
    """Problems of an unusual operator, and the form in which the walk continues with it, if any."""
    if known is None:
        assert model.operators is not None
        return [_placed(graph, node, unknown_operator(node.op, model.operators))], None
    problems, ready = _carefully(graph, node, known, found.output_names[node.index], found)
    found.unsure |= ready is None or any(problem.rule.code.startswith("O") for problem in problems)
    return problems, ready


def _carefully(
    graph: Graph, node: Node, known: OptypeSignature, output_names: tuple[str, ...], found: LightNetState
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
            return [_placed(graph, node, _wrong_operator(others))], None
    for key, found_names in matches.items():
        problems += [_placed(graph, node, fault) for fault in argument_faults(node, key, found_names)]
    positions = {key: found_names.positions for key, found_names in matches.items()}
    if matches["params"].renamed or matches["params"].surplus or node.index in found.repeated:
        _set_right(found, node, known, positions["params"])
    values, wrong = _values(graph, node, known)
    return problems + wrong, PreparedOperator(
        node, known, positions["tensors_in"], positions["tensors_out"], values, known.inputs
    )


def _uncounted(
    graph: Graph, node: Node, known: OptypeSignature, output_names: tuple[str, ...], found: LightNetState
) -> tuple[list[Problem], PreparedOperator | None]:
    """Check gather, scatter and tensorrt, whose arguments LightNet does not count."""
    if known.operator.name == "tensorrt":
        return [], None
    faults = list(variadic_faults(node, known, output_names))
    others = with_arguments(node.input_names or (), output_names, node.attrs) if faults else []
    if others and len(faults) + len(node.attrs) > 1:
        return [_placed(graph, node, _wrong_operator(others))], None
    faults += ignored(node, [entry["arg_name"] for entry in found.ops[node.index]["params"]])
    return [_placed(graph, node, fault) for fault in faults], variadic_prepared(node, known, output_names, [])


def _placed(graph: Graph, node: Node, fault: Fault) -> Problem:
    return GRAMMAR.problem(Subject.of(graph, node), fault)


def _wrong_operator(others: Sequence[str]) -> Fault:
    """Return what is wrong with an operator that has the arguments of others."""
    named = " or ".join(f"`{other}`" for other in others)
    rest = f" has the inputs, outputs and parameters of {named}; did you mean {named}?"
    return Fault(R.wrong_operator, "op", "", rest, others[0] if len(others) == 1 else NO_VALUE)


def _set_right(found: LightNetState, node: Node, known: OptypeSignature, positions: Sequence[int]) -> None:
    """Go on as if the parameters had the names that were meant."""
    op = found.ops[node.index]
    entries = [{**entry, "arg_name": ""} for entry in op["params"]]
    for attribute, at in zip(known.params, positions, strict=True):
        if at >= 0:
            entries[at] = {**entries[at], "arg_name": attribute.name}
    found.ops[node.index] = {**op, "params": entries}
    node.attrs = {entry["arg_name"]: entry["value"] for entry in entries if entry["arg_name"]}


def _values(graph: Graph, node: Node, known: OptypeSignature) -> tuple[list[Any], list[Problem]]:
    values, problems = [], []
    for attribute, (name, reader) in zip(known.params, known.readers, strict=True):
        value, wrong = _value(graph, node, attribute, node.attrs.get(name, MISSING), reader)
        values.append(value)
        problems += wrong
    return values, problems


def _is_no_number(value: Any) -> bool:
    """Return whether a value is or contains NaN, which the JSON reader has reported."""
    return value != value or (isinstance(value, list) and any(item != item for item in value))


def _value(graph: Graph, node: Node, attribute: Any, value: Any, reader: Any) -> tuple[Any, list[Problem]]:
    """Return a parameter's C value, None if it has none, and its problems."""
    if value is MISSING or _is_no_number(value):
        return None, []
    if isinstance(value, UnreadableValue):
        return None, [_placed(graph, node, GRAMMAR.unreadable(value.raw, attribute))]
    if (plain := reader(value)) is not CAREFULLY:
        return plain, []
    faults = list(GRAMMAR.flaws(value, attribute))
    fatal = any(fault.is_error for fault in faults)
    return (None if fatal else read(value, attribute)), [_placed(graph, node, fault) for fault in faults]
