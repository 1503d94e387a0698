"""Operators with something unusual about them: names in another order, a value of the wrong kind, a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, Subject
from irlint.checks.problems import unknown_operator
from irlint.findings import Problem
from irlint.formats.lightnet import arguments
from irlint.formats.lightnet.grammar import GRAMMAR
from irlint.formats.lightnet.reading.c_values import CAREFULLY, Reader, read
from irlint.formats.lightnet.reading.graph import LightNetState
from irlint.formats.lightnet.reading.read import MISSING, UnreadableValue
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import OptypeSignature, PreparedOperator
from irlint.formats.lightnet.signature import with_arguments
from irlint.graph import Node
from irlint.operators import Attribute
from irlint.rules.base import Model


def carefully(
    model: Model, node: Node, known: OptypeSignature | None, found: LightNetState
) -> tuple[list[Problem], PreparedOperator | None]:
    """Return problems of an unusual operator, and the form in which the walk continues with it, if any."""
    if known is None:
        assert model.operators is not None
        faults, ready = [unknown_operator(node.op, model.operators)], None
    else:
        faults, ready = (_counted if known.counted else _uncounted)(node, known, found)
        found.unsure |= ready is None or any(fault.rule.code.startswith("O") for fault in faults)
    subject = Subject.of(model.graph, node)
    return [GRAMMAR.problem(subject, fault) for fault in faults], ready


def _counted(node: Node, known: OptypeSignature, found: LightNetState) -> tuple[list[Fault], PreparedOperator | None]:
    """Check an operator by names: in another order, unknown, missing."""
    matches = {
        arguments.INPUTS: arguments.match_tensors(node.input_names or (), known.inputs),
        arguments.OUTPUTS: arguments.match_tensors(found.output_names[node.index], known.outputs),
        arguments.PARAMS: arguments.match_parameters(found.ops[node.index]["params"], known),
    }
    if sum(names.misfits for names in matches.values()) > 1:
        if others := with_arguments(*(names.names for names in matches.values())):
            return [_wrong_operator(others)], None
    faults = [fault for side, names in matches.items() for fault in arguments.name_faults(node, side, names, known)]
    params = matches[arguments.PARAMS]
    if params.renamed or params.surplus or node.index in found.repeated:
        _rename_parameters(found, node, known, params.positions)
    values = []
    for attribute, (name, reader) in zip(known.params, known.readers, strict=True):
        value, wrong = _value(attribute, node.attrs.get(name, MISSING), reader)
        values.append(value)
        faults += wrong
    inputs, outputs = matches[arguments.INPUTS].positions, matches[arguments.OUTPUTS].positions
    return faults, PreparedOperator(node, known, inputs, outputs, values, known.inputs)


def _uncounted(node: Node, known: OptypeSignature, found: LightNetState) -> tuple[list[Fault], PreparedOperator | None]:
    """Check gather, scatter and tensorrt, whose arguments LightNet does not count."""
    if known.operator.name == "tensorrt":
        return [], None
    output_names = found.output_names[node.index]
    faults = list(arguments.variadic_faults(node, known, output_names))
    others = with_arguments(node.input_names or (), output_names, node.attrs) if faults else []
    if others and len(faults) + len(node.attrs) > 1:
        return [_wrong_operator(others)], None
    faults += arguments.ignored(node, [entry["arg_name"] for entry in found.ops[node.index]["params"]])
    return faults, arguments.variadic_prepared(node, known, output_names)


def _wrong_operator(others: Sequence[str]) -> Fault:
    """Return what is wrong with an operator that has the arguments of others."""
    named = " or ".join(f"`{other}`" for other in others)
    rest = f" has the inputs, outputs and parameters of {named}; did you mean {named}?"
    return Fault(R.wrong_operator, "op", "", rest, others[0] if len(others) == 1 else NO_VALUE)


def _rename_parameters(found: LightNetState, node: Node, known: OptypeSignature, positions: Sequence[int]) -> None:
    """Go on as if the parameters had the names that were meant."""
    op = found.ops[node.index]
    meant = {at: attribute.name for attribute, at in zip(known.params, positions, strict=True)}
    entries = [{**entry, "arg_name": meant.get(at, "")} for at, entry in enumerate(op["params"])]
    found.ops[node.index] = {**op, "params": entries}
    node.attrs = {entry["arg_name"]: entry["value"] for entry in entries if entry["arg_name"]}


def _value(attribute: Attribute, value: Any, reader: Reader) -> tuple[Any, list[Fault]]:
    """Return a parameter's C value, None if it has none, and what is wrong with it."""
    if value is MISSING or _is_no_number(value):
        return None, []
    if isinstance(value, UnreadableValue):
        return None, [GRAMMAR.unreadable(value.raw, attribute)]
    if (plain := reader(value)) is not CAREFULLY:
        return plain, []
    faults = list(GRAMMAR.flaws(value, attribute))
    return None if any(fault.is_error for fault in faults) else read(value, attribute), faults


def _is_no_number(value: Any) -> bool:
    """Return whether a value is or contains NaN, which the JSON reader has reported."""
    return any(item != item for item in (value if isinstance(value, list) else [value]))
