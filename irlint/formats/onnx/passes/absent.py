"""Operators that the model's opsets do not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, asking
from irlint.codes import R, Severity
from irlint.formats.onnx import opsets
from irlint.formats.onnx.grammar import OnnxGrammar
from irlint.formats.onnx.opsets import DEFAULT
from irlint.formats.onnx.passes.function_calls import FunctionCalls
from irlint.formats.onnx.wire.reader import Tree
from irlint.operators import Operator, nearest, table


class Absent:
    """Says why the operators of one model's calls are not there. What is true of many of them is said once."""

    def __init__(self, functions: FunctionCalls, grammar: OnnxGrammar) -> None:
        self.functions, self.grammar = functions, grammar
        self._told: set[str] = set()  # domains that nobody declares, operators that one runtime has

    def faults(self, call: Tree, domain: str, opset: int | None) -> Iterator[Fault]:
        op, newest = call["op_type"], opsets.newest_opset(domain)
        if newest is None:
            yield from self._of_unknown_domain(op, domain)
            return
        if opset is None:
            opset = newest  # the missing import has been reported
            if opsets.in_opset(op, domain, opset) is not None:
                return
        at = min(opset, newest)
        message = f"unknown operator `{op}` of domain {domain}"
        if (absence := opsets.absence(op, domain, at)) is not None:
            how: dict[str, Any] = self.grammar.importing(domain, opset, 1)
            yield Fault(R.operator_not_in_version, "op", _why(op, domain, opset, absence), None, **how)
        elif elsewhere := [other for other in opsets.domains_with(op) if other != domain]:
            yield Fault(R.unknown_operator, "op", f"{message}; {elsewhere[0]} has it", None)
        elif self.functions.place_of(call) is not None:
            message, related = (
                f"{message}; functions of the model cannot add operators to it",
                [("defined here", "function")],
            )
            yield Fault(R.unknown_operator, "op", message, None, related=related)
        else:
            short = f"unknown operator `{op}`" if domain == DEFAULT else message
            yield _unknown(short, opsets.nearest_operator(op, domain, at))

    def _of_unknown_domain(self, op: str, domain: str) -> Iterator[Fault]:
        if domain in self.functions.domains:
            meant = self.functions.nearest(op, domain)
            yield _unknown(f"the model has no function `{op}` of domain {domain}", meant)
        elif domain not in self._told:
            self._told.add(domain)
            yield _foreign(op, domain)

    def only(self, op: str, operator: Operator, opset: int) -> Iterator[Fault]:
        """Report an operator that one runtime alone has in its opset."""
        if operator.name not in self._told:
            self._told.add(operator.name)
            since = next((one for one in opsets.versions(op) if one > opset), None)
            later = f" before opset {since}" if since else ""
            message = f"`{op}` is not part of ai.onnx{later}; only onnxruntime has it"
            yield Fault(R.operator_not_in_version, "op", message, None, severity=Severity.WARNING)


def _unknown(message: str, meant: str | None) -> Fault:
    better = NO_VALUE if meant is None else meant
    return Fault(R.unknown_operator, "op", f"{message}{asking(meant)}", None, better)


def _foreign(op: str, domain: str) -> Fault:
    message = f"unknown domain `{domain}` of operator `{op}`"
    meant = nearest(domain, [other for other in table("onnx").raw["opsets"] if other != domain])
    if meant is None:
        message += f"; if your program registers it, set `extensions: {{{domain}: {{{op}: {{}}}}}}` in irlint.yaml"
    better = NO_VALUE if meant in (None, DEFAULT) else meant
    return Fault(R.unknown_operator, "domain", f"{message}{asking(meant)}", None, better)


def _why(op: str, domain: str, opset: int, absence: opsets.Absence) -> str:
    """Return why an opset of the model does not have an operator that others have."""
    if absence.since is not None:
        return f"`{op}` needs opset {absence.since}; the model imports {opset}"
    if opsets.since_of(op, domain, absence.until or 0) is None:
        later = next((n for n in opsets.versions(op, domain) if n > opset), None)
        instead = f"; opset {later} defines it again" if later else ""
        return f"`{op}` is deprecated in opset {opset}{instead}"
    successor = opsets.successor(op, domain)
    instead = f"; use `{successor}`" if successor else ""
    return f"`{op}` was removed after opset {absence.until}; the model imports {opset}{instead}"
