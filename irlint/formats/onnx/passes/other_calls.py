"""Calls that no operator of the model's opsets is for: of its own functions, and of operators that these opsets do not have.

onnxruntime 1.32 refuses what is too much in a call of a function, and inputs and outputs that are left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.checks.fault import NO_VALUE, Fault, asking
from irlint.codes import R, Severity
from irlint.formats.onnx import opsets
from irlint.formats.onnx.grammar import OnnxGrammar
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.passes.functions import Key, formal_attributes, function_key, needed_inputs, passed_attributes
from irlint.formats.onnx.passes.structure import imports
from irlint.formats.onnx.trees import calls_in, roots_of
from irlint.formats.onnx.wire import ATTRIBUTE_TYPES
from irlint.operators import Attribute, Operator, nearest, table
from irlint.rules.base import Model
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree
from irlint.text.words import count
from irlint.tools import later

if TYPE_CHECKING:
    from irlint.tools.names import NameLookup

_COMPARISONS = 100_000  # of names of functions with one that is none
_DEFINED = [("defined here", "function")]
_PLAIN = later(r"[A-Za-z_][\w.]*")  # names that YAML takes without quotes
_DECLARED = 12  # operators of a domain that are declared by name


class FunctionCalls:
    """The functions of one model, and what is wrong with calls of them."""

    def __init__(self, model: Model, functions: Sequence[Tree], grammar: OnnxGrammar) -> None:
        self.model, self.grammar = model, grammar
        self._functions = {function_key(one): one for one in functions}
        keys = map(function_key, reversed(functions))  # of two of a key the first counts
        self._places: dict[Key, Path] = {key: ("functions", len(functions) - k) for k, key in enumerate(keys, 1)}
        self.domains = {domain for domain, _, _ in self._functions}
        self._near: dict[str, NameLookup] = {}  # by domain

    def place_of(self, call: Tree) -> Path | None:
        """Return where the function is defined that a call names; None if there is none."""
        return self._places.get(function_key(call, "op_type")) if self._places else None

    def nearest(self, op: str, domain: str) -> str | None:
        from irlint.tools.names import NameLookup  # only files with a misspelt word need it

        if domain not in self._near:
            self._near[domain] = NameLookup([key[1] for key in self._functions if key[0] == domain], _COMPARISONS)
        return self._near[domain].near(op)

    def faults(self, call: Tree) -> Iterator[Fault]:
        function = self._functions[function_key(call, "op_type")]
        yield from self._counts(call, function)
        known, passed = formal_attributes(function), passed_attributes(function)
        given = {one.get("name", ""): one for one in call.get("attribute", ())}
        unknown = [name for name in given if name not in known]
        for name in unknown:
            yield _unknown_attribute(name, [other for other in known if other not in given])
        for name in [one for one in given if one in passed]:
            kind, wanted = ATTRIBUTE_TYPES.get(given[name].get("type", 0), ("", ""))[0], passed[name][-1].kind
            if kind not in ("", wanted):
                message = f"expected type {wanted} for `{name}` of"
                yield Fault(R.wrong_attribute_type, f"attr_type:{name}", message, f", got type {kind}")
        for name in function.get("attribute", ()):
            if name not in given and not any(nearest(other, [name]) for other in unknown):
                yield _missing_attribute(name, passed.get(name, ()))

    def _counts(self, call: Tree, function: Tree) -> Iterator[Fault]:
        given, formal = call.get("input", ()), function.get("input", ())
        made, wanted = call.get("output", ()), function.get("output", ())
        for side, rule, got, most in (
            ("input", R.wrong_input_count, len(given), len(formal)),
            ("output", R.wrong_output_count, len(made), len(wanted)),
        ):
            if got > most:
                message = f"expected at most {count(most, side)} for"
                yield Fault(rule, f"{side}:{most}", message, f", got {got}", related=_DEFINED)
        left_out = [k for k, _ in enumerate(formal) if not any(given[k : k + 1])]
        needed = self._needed[function_key(function)] if left_out else ()
        for k in left_out:
            if formal[k] in needed:
                part = f"input:{k}" if k < len(given) else "op"
                yield Fault(R.wrong_input_count, part, f"missing required input `{formal[k]}` for", related=_DEFINED)
        if len(made) < len(wanted):
            message = f"expected {count(len(wanted), 'output')} ({', '.join(wanted)}) for"
            yield Fault(R.wrong_output_count, "op", message, f", got {len(made)}", related=_DEFINED)

    @cached_property
    def _needed(self) -> dict[Key, set[str]]:
        """Return the inputs of functions that calls cannot leave out."""
        return needed_inputs(self._functions, imports(self.model.document.value_at(())))


def _missing_attribute(name: str, passed: Sequence[Attribute]) -> Fault:
    """Return the problem of an attribute that a call lacks: those of the function's nodes that refer to it are left out, too."""
    severity = Severity.ERROR if any(attribute.required for attribute in passed) else Severity.WARNING
    return Fault(R.missing_attribute, "op", f"missing attribute `{name}` for", severity=severity)


def _unknown_attribute(name: str, others: list[str]) -> Fault:
    """Return the problem of an attribute that a function does not have: onnxruntime 1.32 and onnx's inference ignore it."""
    meant = nearest(name, others)
    better, change = (NO_VALUE, "remove") if meant is None else (meant, "write")
    message = f"unknown attribute `{name}` for"
    return Fault(
        R.unknown_attribute,
        f"attr_key:{name}",
        message,
        "",
        better,
        Severity.WARNING,
        change=change,
        hint=asking(meant),
    )


class AbsentOperators:
    """Says why the operators of one model's calls are not there. What is true of many of them is said once."""

    def __init__(self, functions: FunctionCalls, grammar: OnnxGrammar) -> None:
        self.functions, self.grammar = functions, grammar
        self._told: set[str] = set()  # operators that one runtime has
        self._foreigners: dict[str, Fault] = {}  # by the domain that nobody declares

    @cached_property
    def _uses(self) -> dict[str, Counter[str]]:
        """Return how many nodes have which operator, by domain."""
        found: dict[str, Counter[str]] = {}
        for root in roots_of(self.functions.model.document.value_at(())):
            for call in calls_in(root.get("node", ())):
                found.setdefault(domain_of(call.get("domain", "")), Counter())[call.get("op_type", "")] += 1
        return found

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
            yield self._own(short, op, domain, opsets.nearest_operator(op, domain, at))

    def _of_unknown_domain(self, op: str, domain: str) -> Iterator[Fault]:
        if domain in self.functions.domains:
            meant = self.functions.nearest(op, domain)
            yield _unknown(f"the model has no function `{op}` of domain {domain}", meant)
        elif known := opsets.declared({}).get(domain):
            yield self._own(f"unknown operator `{op}` of domain {domain}", op, domain, nearest(op, list(known)))
        else:
            if domain not in self._foreigners:
                self._foreigners[domain] = self._foreign(op, domain)
            yield self._foreigners[domain]

    def _own(self, message: str, op: str, domain: str, meant: str | None) -> Fault:
        """Report an operator that no opset has: a misspelt one, or one that the program may register."""
        if meant is not None or (opsets.newest_opset(domain) is not None and domain != DEFAULT):
            return _unknown(message, meant)
        times = self._uses[domain][op]
        used = f", which {count(times, 'node')} use" if times > 1 else ""
        return _unknown(f"{message}{used}; {_declaring(domain, [op])}", None)

    def _foreign(self, op: str, domain: str) -> Fault:
        """Report a domain that nobody declares, with all its operators."""
        message = f"unknown domain `{domain}` of operator `{op}`"
        meant = nearest(domain, [other for other in table("onnx").raw["opsets"] if other != domain])
        if meant is None:
            ops = sorted(self._uses[domain])
            message += f" and {count(len(ops) - 1, 'other')}" if len(ops) > 1 else ""
            message += f"; {_declaring(domain, ops)}"
        better = NO_VALUE if meant in (None, DEFAULT) else meant
        return Fault(R.unknown_operator, "domain", message, None, better, hint=asking(meant))

    def only(self, op: str, operator: Operator, opset: int) -> Iterator[Fault]:
        """Report an operator that one runtime alone has in its opset: its optimizer and its exporters write it for that runtime."""
        if operator.name not in self._told:
            self._told.add(operator.name)
            since = next((one for one in opsets.versions(op) if one > opset), None)
            later = f" before opset {since}" if since else ""
            message = f"`{op}` is not part of ai.onnx{later}; only onnxruntime has it"
            yield Fault(R.operator_not_in_version, "op", message, None, severity=Severity.INFO)


def _unknown(message: str, meant: str | None) -> Fault:
    better = NO_VALUE if meant is None else meant
    return Fault(R.unknown_operator, "op", message, None, better, hint=asking(meant))


def _declaring(domain: str, ops: Sequence[str]) -> str:
    """Return how operators of a domain are declared; of many, any is."""
    words = [op if _PLAIN.fullmatch(op) else json.dumps(op) for op in ops]
    declared = f"{{{', '.join(f'{word}: {{}}' for word in words)}}}" if len(ops) <= _DECLARED else "{}"
    return f"if your program registers {'it' if len(ops) == 1 else 'them'}, set `extensions: {{{domain}: {declared}}}` in irlint.yaml"


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
