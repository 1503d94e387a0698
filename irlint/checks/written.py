"""Operators judged by how they are written. Those that are written alike have the same faults, and are judged once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from irlint.checks.signature import Values, evaluate, named
from irlint.codes import R, RuleRow, Severity
from irlint.findings import Fix, Problem, Safety
from irlint.graph import Graph, Node, label
from irlint.operators import Attribute, Operator, Port, titled
from irlint.records import NamedTuple
from irlint.text.base import Document, Edit, Span
from irlint.text.words import count

_PRODUCT = re.compile(r"\w+( [*] \w+)*")


class Fault(NamedTuple):
    """What is wrong with every operator that is written like this. `better` is what to write instead of its `part`, of the whole word
    around that, or at the end."""

    rule: RuleRow
    part: str
    message: str  # {} is the operator
    severity: Severity | None = None
    better: str = ""
    safety: Safety = "unsafe"
    instead_of: Literal["part", "word", "end"] = "part"
    note: str = ""

    @property
    def is_error(self) -> bool:
        return (self.rule.severity if self.severity is None else self.severity) == Severity.ERROR


def problem_of(graph: Graph, node: Node, fault: Fault) -> Problem:
    """Return what is wrong with one operator, and its fix."""
    at = graph.place(node, fault.part)

    def fix(document: Document) -> Fix:
        span, text = document.span(at), fault.better
        if fault.instead_of == "end":
            end = document.whole(at.path).end
            return Fix(f"Add `{text}`", (Edit(Span(end, end), f" {text}"),), fault.safety)
        if fault.instead_of == "word":
            key = document.span(graph.place(node, fault.part.replace("attr:", "attr_key:")))
            span = Span(min(key.start, span.start), max(key.end, span.end))
        return Fix(f"Replace with `{text}`", (Edit(span, text),), fault.safety)

    message = fault.message.replace("{}", label(node))
    notes = [(fault.note, at)] if fault.note else []
    return Problem(fault.rule, at, message, node.name, fix if fault.better else None, notes, fault.severity)


class Written:
    """One operator as it is written: its parameters by name, and what they mean by label."""

    runtime = "the runtime"

    def __init__(self, operator: Operator, attrs: Mapping[str, Any], values: Values, inputs: int, outputs: int) -> None:
        self.operator, self.attrs = operator, attrs
        self.values = {**values, "inputs": inputs, "outputs": outputs}

    def applies(self, facts: Mapping[str, Any]) -> bool:
        return "when" not in facts or bool(evaluate(facts["when"], self.values))

    def missing(self) -> Iterator[Fault]:
        """Report parameters that are left out although their default is refused."""
        for attribute in self.operator.attributes.values():
            facts = attribute.facts
            if attribute.name in self.attrs or not _has_bounds(attribute) or not self.applies(facts):
                continue
            if facts.get("default_of", "0 + 0") not in self.operator.attributes:
                for _ in self.refused(attribute, self.values.get(facts["label"])):
                    such = f"; write `{example}`" if (example := self.spelled(attribute)) else ""
                    message = f"missing required parameter {named(attribute)} for {{}}{such}"
                    yield Fault(R.missing_attribute, "op", message)

    def spelled(self, attribute: Attribute) -> str:
        """Return a parameter with a value, as the format writes it, where that is not what anybody would guess."""
        return ""

    def demands(self) -> Iterator[Fault]:
        """Report what does not hold between parameters."""
        for demand in self.operator.facts.get("demands", ()):
            if self.reads(self.operator.attributes.get(demand["id"])) and evaluate(
                f"not ({demand['that']})", self.values
            ):
                given, insert = demand["id"] in self.attrs, demand.get("insert", "")
                rule, part = (R.value_out_of_range, f"attr:{demand['id']}") if given else (R.missing_attribute, "op")
                message = f"{demand['says']} for {{}}"
                yield Fault(rule, part, message, better="" if given else insert, instead_of="end")

    def reads(self, attribute: Attribute | None) -> bool:
        """Return whether the release that is asked for reads a parameter."""
        return True

    def refused(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        """Report a value of the right kind that the operator cannot have."""
        if isinstance(value, list):
            return self._array(attribute, value)
        return iter(()) if value is None else self._number(attribute, value)

    def _number(self, attribute: Attribute, value: Any) -> Iterator[Fault]:
        facts, divisor = attribute.facts, attribute.facts.get("multiple_of", "")
        if attribute.values and str(value) not in attribute.values:
            words = [titled(word, attribute.meanings.get(word, "")) for word in attribute.values]
            brief = ", ".join(words) if len(", ".join(words)) < 100 else ", ".join(attribute.values)
            allowed = f"one of {brief}" if len(words) < 8 else f"{words[0]} to {words[-1]}"
            yield self.expected(R.value_not_in_enum, attribute, allowed, value)
        elif told := self._bounds(facts, value):
            yield self.expected(R.value_out_of_range, attribute, told, value)
        elif divisor and (unit := evaluate(divisor, self.values)) and value % unit:
            of = f" ({divisor})" if _PRODUCT.fullmatch(divisor) else ""
            yield self.expected(R.value_out_of_range, attribute, f"a multiple of {unit}{of}", value)

    def _array(self, attribute: Attribute, value: list[Any]) -> Iterator[Fault]:
        facts, given = attribute.facts, len(value)
        exact = evaluate(facts["length"], self.values) if "length" in facts else None
        least = evaluate(facts.get("min_length", "0"), self.values) or 0
        odd = next((item for item in value if self._bounds(facts.get("items", {}), item)), None)
        if exact is not None and given != exact:
            yield self.expected(R.wrong_value_length, attribute, count(exact, "element"), given)
        elif not least <= given <= facts.get("max_length", given):
            told = f"at least {least}" if given < least else f"at most {facts['max_length']}"
            yield self.expected(R.wrong_value_length, attribute, f"{told} elements", given)
        elif odd is not None:
            told = self._bounds(facts["items"], odd)
            yield self.expected(R.value_out_of_range, attribute, f"elements that are {told}", odd)

    def _bounds(self, facts: Mapping[str, Any], value: Any) -> str:
        """Return what is expected of a number, if it is outside its bounds."""
        if "min" not in facts or value in facts.get("also", ()):
            return ""
        least, most = facts["min"], facts.get("max")
        most = evaluate(most, self.values) if isinstance(most, str) else most
        if value < least or (most is not None and value > most):
            return f"at least {least}" if most is None else f"from {least} to {most}"
        return ""

    def counts(self, word: str, ports: Sequence[Port], strict: bool) -> Iterator[Fault]:
        """Report a number of inputs or outputs that the operator cannot have. `strict`: what is too many is refused, not ignored."""
        given, present = self.values[f"{word}s"], [port for port in ports if self.applies(port.facts)]
        counts = [evaluate(port.facts["count"], self.values) if "count" in port.facts else None for port in present]
        both = list(zip(present, counts, strict=True))
        least = sum((port.kind in ("required", "variadic")) if n is None else n for port, n in both)
        is_open = any(port.kind.startswith("variadic") and n is None for port, n in both)
        most = given if is_open else sum(1 if n is None else n for n in counts)
        most = min((most, *(self.values[port.facts["most"]] for port in present if "most" in port.facts)))
        if least <= given <= most and given in self.operator.facts.get("counts", (given,)):
            return
        rule = R.wrong_input_count if word == "input" else R.wrong_output_count
        names = [port.name for port, n in both if n != 0 and port.kind != "variadic0"]
        told = f" ({', '.join(names)})" if names else ""
        number = f"{least} to {count(most, word)}" if least < most != given else count(least, word)
        expected = f"expected {'at least ' if is_open else ''}{number}{told} for {{}}, got {given}"
        if given < least:
            yield Fault(rule, f"{word}_count", expected)
        elif given > most and strict:
            yield Fault(rule, f"{word}:{most}", expected)
        else:
            message = f"{expected}; {self.runtime} {'ignores' if word == 'input' else 'does not compute'} the rest"
            yield Fault(rule, f"{word}_count", message, Severity.WARNING if word == "input" else None)

    def expected(
        self, rule: RuleRow, attribute: Attribute, told: str, got: Any, severity: Severity | None = None, better: str = "",
        safety: Safety = "unsafe", rest: str = "", instead_of: Literal["part", "word", "end"] = "part",
    ) -> Fault:  # fmt: skip
        shown = got if isinstance(got, int) else f"`{','.join(map(str, got)) if isinstance(got, list) else got}`"
        message = f"expected {told} for {named(attribute)} of {{}}, got {shown}{rest}"
        severity = Severity.WARNING if severity is None and attribute.facts.get("idle") else severity
        return Fault(rule, f"attr:{attribute.name}", message, severity, better, safety, instead_of)


def _has_bounds(attribute: Attribute) -> bool:
    """Return whether there are values that the operator cannot have."""
    return bool(attribute.values) or not _BOUNDS.isdisjoint(attribute.facts)


_BOUNDS = frozenset(("min", "multiple_of", "length", "min_length", "items"))
