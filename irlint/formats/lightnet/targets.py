"""Operators that load but that a compile target does not take."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.signature import signature
from irlint.graph import label
from irlint.rules.base import Model

DEFAULT = "cpu"


def target_problems(model: Model) -> Iterator[Problem]:
    if model.dialect == "compiled":
        return
    asked = model.targets.get("lightnet")
    target = asked or DEFAULT
    for optype, nodes in state_of(model).by_op.items():
        known = signature(optype)
        if known is None or known.architecture != "none":
            continue
        targets = known.operator.facts.get("targets", ())
        if target in targets:
            continue
        for node in nodes:
            if targets:
                what = f"is not available for target {target}; LightNet has it for {', '.join(targets)}"
            else:
                what = "is not available for any LightNet target"
            severity = Severity.WARNING if targets and asked is None else Severity.ERROR
            place = model.graph.place(node, "op")
            yield Problem(R.target_lacks_operator, place, f"{label(node)} {what}", node.name, severity=severity)
