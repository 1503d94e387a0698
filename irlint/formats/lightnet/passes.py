"""The passes of a graph that was read, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.lightnet.constants import constant_problems
from irlint.formats.lightnet.declared import corrected, declared_problems, outvoted_problems
from irlint.formats.lightnet.reading.c_values import CAREFULLY
from irlint.formats.lightnet.reading.graph import LightNetState, state_of
from irlint.formats.lightnet.reading.read import MISSING
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.shapes.base import OptypeSignature, PreparedOperator
from irlint.formats.lightnet.shapes.blame import blamed
from irlint.formats.lightnet.shapes.infer import LightNetInference
from irlint.formats.lightnet.signature import signature
from irlint.formats.lightnet.superfluous import unknown_keys, unused_outputs
from irlint.graph import Node, label
from irlint.rules.base import Model

DEFAULT_TARGET = "cpu"


def check(model: Model) -> Iterator[Problem]:
    """What is wrong with the operators of a graph that was read.

    Leaves the tensors' types in the model's state: `tensors` as repairs would make them, `written` as the file has them.
    """
    graph, found = model.graph, state_of(model)
    inference, prepared = LightNetInference(graph, ()), found.prepared
    found.written = inference.types
    yield from _operator_problems(model, found, inference)
    if (better := corrected(graph, found, prepared, inference)) is not None:
        yield from outvoted_problems(model, better, inference)
        inference = better
    inference, problems = blamed(graph, prepared, inference)
    yield from problems
    found.tensors = inference.types
    yield from constant_problems(graph, prepared, inference.types)
    yield from unused_outputs(model)
    yield from _target_problems(model)
    yield from unknown_keys(model)
    yield from declared_problems(model)


def _operator_problems(model: Model, found: LightNetState, inference: LightNetInference) -> Iterator[Problem]:
    """Check arguments and parameter values of each operator, and infer the types of its outputs."""
    silent, keep = model.silent, found.prepared.append
    for node, output_names in zip(model.graph.nodes, found.output_names, strict=True):
        if id(node) in silent:
            continue
        known = signature(node.op)
        ready = None if known is None else _plain(node, known, output_names, found)
        if ready is None:
            from irlint.formats.lightnet.careful import carefully  # only files with such an operator need it

            problems, ready = carefully(model, node, known, found)
            yield from problems
        if ready is not None:
            keep(ready)
            inference.step(ready)


def _plain(
    node: Node, known: OptypeSignature, output_names: tuple[str, ...], found: LightNetState
) -> PreparedOperator | None:
    """Return an operator with all that it needs, and nothing else; None for another one."""
    if (
        node.input_names == known.inputs
        and output_names == known.outputs
        and len(node.attrs) == len(known.readers)
        and known.counted
    ):
        attrs = node.attrs
        values = [read(attrs.get(name, MISSING)) for name, read in known.readers]
        if CAREFULLY not in values and node.index not in found.repeated:
            return PreparedOperator(node, known, None, None, values, known.inputs)
    return None


def _target_problems(model: Model) -> Iterator[Problem]:
    """Report operators that load but that a compile target does not take."""
    asked = model.targets.get("lightnet")
    target = asked or DEFAULT_TARGET
    for optype, nodes in state_of(model).by_op.items() if model.dialect != "compiled" else ():
        known = signature(optype)
        if known is None or known.architecture != "none":
            continue
        targets = known.operator.facts.get("targets", ())
        what, severity = "is not available for any LightNet target", Severity.ERROR
        if targets:
            what = f"is not available for target {target}; LightNet has it for {', '.join(targets)}"
            severity = Severity.WARNING if asked is None else Severity.ERROR
        for node in nodes if target not in targets else ():
            place = model.graph.place(node, "op")
            yield Problem(R.target_lacks_operator, place, f"{label(node)} {what}", node.name, severity=severity)
